package dev.roost.launcher.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Sizes that keep rooms liveable (STYLE.md). Each test names what is too large, and how large.
class SizesTest {
  private static final List<SourceFile> FILES = SourceFile.parse(House.sources());

  @Test
  void the_house_is_not_empty() {
    assertThat(FILES).hasSizeGreaterThan(50);
    assertThat(FILES).anyMatch(file -> !file.methods().isEmpty());
  }

  @Test
  void a_file_has_up_to_400_lines() {
    assertThat(FILES)
        .filteredOn(file -> file.lines().size() > 400)
        .extracting(file -> file.name() + ": " + file.lines().size())
        .isEmpty();
  }

  @Test
  void a_line_has_up_to_100_columns() {
    assertThat(FILES.stream().flatMap(SizesTest::longLines)).isEmpty();
  }

  @Test
  void a_method_has_up_to_70_lines_and_a_test_up_to_15() {
    assertThat(methods(method -> method.lines() > (method.isTest() ? 15 : 70))).isEmpty();
  }

  @Test
  void a_method_has_up_to_4_parameters() {
    assertThat(methods(method -> method.parameters() > 4)).isEmpty();
  }

  @Test
  void a_package_has_up_to_15_types() {
    var types =
        FILES.stream()
            .collect(
                Collectors.groupingBy(
                    file -> String.valueOf(Path.of(file.name()).getParent()),
                    Collectors.summingInt(SourceFile::types)));
    assertThat(types).allSatisfy((folder, count) -> assertThat(count).isLessThanOrEqualTo(15));
  }

  private static Stream<String> longLines(SourceFile file) {
    return file.lines().stream()
        .filter(line -> line.codePointCount(0, line.length()) > 100)
        .map(line -> file.name() + ": " + line);
  }

  private static List<String> methods(Function<SourceFile.Method, Boolean> tooLarge) {
    return FILES.stream()
        .flatMap(
            file ->
                file.methods().stream()
                    .filter(tooLarge::apply)
                    .map(method -> file.name() + ": " + method))
        .toList();
  }
}
