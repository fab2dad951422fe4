package dev.roost.server.park.lean;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Where the functions of a shared library lie, those that it does not export too: its symbol table
/// (ELF, 64 bit, little endian). A table that is broken in any way throws a [LinkageError].
final class LibrarySymbols {

  private static final int SECTIONS_AT = 40;
  private static final int SECTION_COUNT_AT = 60;
  private static final int SECTION_BYTES = 64;
  private static final int SYMBOL_BYTES = 24;
  private static final int SYMBOL_TABLE = 2;
  private static final int FUNCTION = 2;

  private final ByteBuffer file;

  /// One function.
  ///
  /// @param address from where the library is loaded, in bytes
  /// @param code its instructions, as they are in the file
  record Function(long address, ByteBuffer code) {}

  private record Section(int type, long address, int at, int bytes, int link) {}

  /// @param file the whole library
  LibrarySymbols(byte[] file) {
    this.file = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// The functions of these names, by name; those that are not there are left out.
  Map<String, Function> functions(Set<String> names) {
    try {
      if (file.getInt(0) != 0x464c457f || file.get(4) != 2 || file.get(5) != 1) {
        throw new LinkageError("not an ELF library of 64 bit, little endian");
      }
      var found = new HashMap<String, Function>();
      for (var index = 0; index < sectionCount(); index++) {
        var table = section(index);
        if (table.type == SYMBOL_TABLE) {
          collect(table, names, found);
        }
      }
      return found;
    } catch (IndexOutOfBoundsException | ArithmeticException broken) {
      throw new LinkageError("a broken symbol table", broken);
    }
  }

  private void collect(Section table, Set<String> names, Map<String, Function> found) {
    var strings = section(table.link);
    for (var at = table.at; at < table.at + table.bytes; at += SYMBOL_BYTES) {
      var name = name(strings.at + file.getInt(at), names);
      if ((file.get(at + 4) & 0xf) == FUNCTION && !name.isEmpty()) {
        var section = section(file.getShort(at + 6));
        var address = file.getLong(at + 8);
        var bytes = Math.toIntExact(file.getLong(at + 16));
        var code = file.slice(section.at + Math.toIntExact(address - section.address), bytes);
        found.put(name, new Function(address, code));
      }
    }
  }

  /// The one of `names` that stands there; empty if it is another.
  private String name(int at, Set<String> names) {
    for (var name : names) {
      var bytes = (name + '\0').getBytes(StandardCharsets.US_ASCII);
      if (at + bytes.length <= file.capacity() && startsWith(at, bytes)) {
        return name;
      }
    }
    return "";
  }

  private boolean startsWith(int at, byte[] bytes) {
    if (file.get(at) != bytes[0] || file.get(at + bytes.length - 1) != 0) {
      return false;
    }
    return Arrays.equals(file.array(), at, at + bytes.length, bytes, 0, bytes.length);
  }

  private int sectionCount() {
    return file.getShort(SECTION_COUNT_AT);
  }

  private Section section(int index) {
    var at = Math.toIntExact(file.getLong(SECTIONS_AT)) + index * SECTION_BYTES;
    return new Section(
        file.getInt(at + 4),
        file.getLong(at + 16),
        (int) file.getLong(at + 24),
        (int) file.getLong(at + 32),
        file.getInt(at + 40));
  }
}
