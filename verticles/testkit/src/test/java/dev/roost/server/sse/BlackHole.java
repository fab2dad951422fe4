package dev.roost.server.sse;

import dev.roost.testkit.TestServer;
import io.vertx.core.Promise;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A client whose machine vanishes: its kernel drops whatever comes for its socket before it could
/// acknowledge it, by a filter that accepts nothing (socket(7), SO_ATTACH_FILTER; Linux only).
///
/// @param client kept, since its connections are closed with it once nobody refers to it
/// @param socket its connection
record BlackHole(NetClient client, NetSocket socket) {

  private static final int SOL_SOCKET = 1;
  private static final int SO_ATTACH_FILTER = 26;

  /// `ret #0` in classic BPF: take 0 bytes of the packet, which drops it.
  private static final short RETURN = 6;

  /// Netty's, which is on no module's compile path.
  private static final String UNIX_CHANNEL = "io.netty.channel.unix.UnixChannel";

  /// Sends `GET path` and waits for the first bytes of the answer.
  static BlackHole of(TestServer server, String path) {
    var answered = Promise.<Void>promise();
    var client = client(server);
    var socket = TestServer.await(client.connect(server.port(), "127.0.0.1"));
    socket.handler(_ -> answered.tryComplete());
    socket.write("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path));
    TestServer.await(answered.future());
    return new BlackHole(client, socket);
  }

  /// From now on nothing reaches it.
  void vanish() {
    try (var memory = Arena.ofConfined()) {
      var filter = memory.allocate(8, 8);
      filter.set(ValueLayout.JAVA_SHORT, 0, RETURN);
      var program = memory.allocate(16, 8);
      program.set(ValueLayout.JAVA_SHORT, 0, (short) 1);
      program.set(ValueLayout.ADDRESS, 8, filter);
      if (attach(program) != 0) {
        throw new AssertionError("the filter was refused");
      }
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  @SuppressWarnings("restricted") // the JDK has no other way to this option
  private int attach(MemorySegment program) throws Throwable {
    var linker = Linker.nativeLinker();
    var setsockopt =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("setsockopt"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT));
    return (int) setsockopt.invokeExact(descriptor(), SOL_SOCKET, SO_ATTACH_FILTER, program, 16);
  }

  private int descriptor() throws ReflectiveOperationException {
    var channel = ((NetSocketInternal) socket).channelHandlerContext().channel();
    var descriptor = Class.forName(UNIX_CHANNEL).getMethod("fd").invoke(channel);
    return (int) descriptor.getClass().getMethod("intValue").invoke(descriptor);
  }

  private static NetClient client(TestServer server) {
    return server
        .vertx()
        .createNetClient(
            new NetClientOptions()
                .setSsl(true)
                .setTrustAll(true)
                .setHostnameVerificationAlgorithm(""));
  }
}
