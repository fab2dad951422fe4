package dev.roost.server.park.lean;

import dev.roost.server.lean.LeanState;
import dev.roost.server.lean.LeanState.Side;
import dev.roost.server.lean.Suite;
import dev.roost.server.park.lean.LibrarySymbols.Function;
import io.netty.internal.tcnative.SSL;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/// Reads the secrets and the record numbers of a connection out of BoringSSL, by functions that it
/// has for this and that Netty's build of it does not export. They are found in the library's
/// symbol table, and called only where the code in memory is that of the file, byte for byte.
///
/// Immutable, thread-safe.
public final class BoringSecrets {

  private static final String ANCHOR = "JNI_OnLoad_netty_tcnative";
  private static final String READ_SEQUENCE = "SSL_get_read_sequence";
  private static final String WRITE_SEQUENCE = "SSL_get_write_sequence";

  /// bool bssl::SSL_get_traffic_secrets(const SSL *, Span<const uint8_t> *, Span<const uint8_t> *)
  private static final String SECRETS =
      "_ZN4bssl23SSL_get_traffic_secretsEPK6ssl_stPNS_4SpanIKhEES6_";

  /// A Span: where, and how many.
  private static final long SPAN_BYTES = 16;

  private static final int BITS = 64;

  private final MethodHandle readSequence;
  private final MethodHandle writeSequence;
  private final MethodHandle secrets;

  private BoringSecrets(Map<String, Function> functions, long base) {
    var sequence = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    readSequence = handle(functions, READ_SEQUENCE, base, sequence);
    writeSequence = handle(functions, WRITE_SEQUENCE, base, sequence);
    secrets =
        handle(
            functions,
            SECRETS,
            base,
            FunctionDescriptor.of(
                ValueLayout.JAVA_BOOLEAN,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS));
  }

  /// @throws LinkageError if this build of BoringSSL does not have them, or another one is loaded
  public static BoringSecrets found() {
    if (ValueLayout.ADDRESS.byteSize() * Byte.SIZE != BITS) {
      throw new LinkageError("a machine of " + BITS + " bits");
    }
    var functions =
        new LibrarySymbols(library())
            .functions(Set.of(ANCHOR, READ_SEQUENCE, WRITE_SEQUENCE, SECRETS));
    var anchor =
        SymbolLookup.loaderLookup()
            .find(ANCHOR)
            .orElseThrow(() -> new LinkageError(ANCHOR + " is not loaded"));
    var base = anchor.address() - function(functions, ANCHOR).address();
    functions.forEach((name, function) -> isLoaded(name, function, base, anchor.address()));
    return new BoringSecrets(functions, base);
  }

  /// What `ssl` would go on with. Its handshake is done, and it has nothing to send.
  ///
  /// @throws IllegalStateException if BoringSSL says something that cannot be
  LeanState of(long ssl, Suite suite) {
    try (var arena = Arena.ofConfined()) {
      var from = arena.allocate(SPAN_BYTES, SPAN_BYTES);
      var to = arena.allocate(SPAN_BYTES, SPAN_BYTES);
      if (!(boolean) secrets.invokeExact(ssl, from, to)) {
        throw new IllegalStateException("BoringSSL has no secrets");
      }
      return new LeanState(
          suite,
          new Side(secret(from, suite), (long) readSequence.invokeExact(ssl)),
          new Side(secret(to, suite), (long) writeSequence.invokeExact(ssl)));
    } catch (RuntimeException failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new IllegalStateException("BoringSSL's secrets", failure);
    }
  }

  @SuppressWarnings("restricted") // every profile allows native access, for Netty
  private static byte[] secret(MemorySegment span, Suite suite) {
    var bytes = span.get(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS.byteSize());
    if (bytes != suite.secretBytes()) {
      throw new IllegalStateException("BoringSSL has secrets of " + bytes + " bytes");
    }
    var at = span.get(ValueLayout.ADDRESS, 0);
    return at.reinterpret(bytes).toArray(ValueLayout.JAVA_BYTE);
  }

  private static byte[] library() {
    var name = "META-INF/native/libnetty_tcnative_linux_" + PlatformDependent.normalizedArch();
    try (var in = SSL.class.getClassLoader().getResourceAsStream(name + ".so")) {
      if (in == null) {
        throw new LinkageError(name);
      }
      return in.readAllBytes();
    } catch (IOException unreadable) {
      throw new LinkageError(name, unreadable);
    }
  }

  /// @throws LinkageError if the code in memory is not that of the file
  @SuppressWarnings("restricted") // every profile allows native access, for Netty
  private static void isLoaded(String name, Function function, long base, long anchor) {
    var at = base + function.address();
    var code = function.code();
    if (!isMappedWith(anchor, at, code.capacity())
        || MemorySegment.ofAddress(at)
                .reinterpret(code.capacity())
                .mismatch(MemorySegment.ofBuffer(code))
            >= 0) {
      throw new LinkageError(name + " of the library that is loaded");
    }
  }

  /// Whether these bytes are in the same stretch of code as `anchor`.
  private static boolean isMappedWith(long anchor, long at, int bytes) {
    try (var maps = Files.lines(Path.of("/proc/self/maps"))) {
      return maps.map(line -> line.split(" ", 3))
          .filter(fields -> fields[1].startsWith("r-x"))
          .map(fields -> fields[0].split("-", 2))
          .anyMatch(
              range -> {
                var from = Long.parseUnsignedLong(range[0], 16);
                var to = Long.parseUnsignedLong(range[1], 16);
                return from <= anchor && anchor < to && from <= at && at + bytes <= to;
              });
    } catch (IOException unreadable) {
      throw new LinkageError("/proc/self/maps", unreadable);
    }
  }

  @SuppressWarnings("restricted") // every profile allows native access, for Netty
  private static MethodHandle handle(
      Map<String, Function> functions, String name, long base, FunctionDescriptor descriptor) {
    var at = MemorySegment.ofAddress(base + function(functions, name).address());
    return Linker.nativeLinker().downcallHandle(at, descriptor);
  }

  private static Function function(Map<String, Function> functions, String name) {
    var function = functions.get(name);
    if (function == null) {
      throw new LinkageError(name);
    }
    return function;
  }
}
