package dev.roost.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `scripts/vertx` tells the JVM, read from a JDK whose `java` only prints its arguments, one
/// a line. The tree it runs in has a space in its path.
class ScriptProcessTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path folder = Path.of("");
  private Path home = Path.of("");

  @BeforeEach
  void a_tree_with_a_space_in_its_path_and_a_jdk_that_prints() throws IOException {
    home = Files.createDirectories(folder.resolve("my roost"));
    Files.createDirectories(home.resolve("scripts"));
    Files.createDirectories(home.resolve("launcher/target/lib"));
    Files.createDirectories(home.resolve("conf/jvm"));
    for (var file :
        List.of(
            "scripts/jdk.sh",
            "scripts/vertx",
            "conf/jvm/default.options",
            "conf/jvm/performance.options",
            "conf/jvm/lowmem.options",
            "conf/jvm/lowmem.env",
            "conf/jvm/lowlat.options")) {
      Files.copy(ROOT.resolve(file), home.resolve(file));
    }
    jdk("25.0.9");
  }

  @Test
  void it_finds_its_tree_through_a_link_and_from_any_directory() throws Exception {
    var link = Files.createSymbolicLink(folder.resolve("vertx"), home.resolve("scripts/vertx"));
    assertThat(printed(Map.of(), link, "run", "hello", "a b"))
        .contains("-Droost.home=" + home, "a b")
        .contains("@" + home.resolve("conf/jvm/default.options"));
  }

  @Test
  void the_option_names_the_profile_before_the_variable_and_the_file() throws Exception {
    var performance = Map.of("ROOST_PROFILE", "performance");
    Files.writeString(folder.resolve("my.yaml"), "profile: lowlat # why not\n");
    assertThat(profile(performance, "--profile", "lowmem", "--conf", "my.yaml"))
        .isEqualTo("lowmem");
    assertThat(profile(performance, "--set", "profile=lowmem")).isEqualTo("lowmem");
    assertThat(profile(performance, "--conf", "my.yaml")).isEqualTo("performance");
    assertThat(profile(Map.of(), "--conf=my.yaml")).isEqualTo("lowlat");
    assertThat(profile(Map.of("ROOST_PROFILE", "../x"))).isEqualTo("default");
  }

  @Test
  void options_of_the_operator_come_after_those_of_the_profile() throws Exception {
    var printed = printed(Map.of("JAVA_OPTS", "-Xmx1g -Dx=y"), script(), "run", "hello");
    assertThat(printed)
        .containsSubsequence(
            "@" + home.resolve("conf/jvm/default.options"), "-Xmx1g", "-Dx=y", "hello");
  }

  @Test
  void a_supervisor_has_options_of_its_own_and_its_workers_those_of_the_profile() throws Exception {
    var supervisor = "@" + home.resolve("conf/jvm/supervisor.options");
    var two = Map.of("ROOST_PROCESSES", "2", "JAVA_OPTS", "-Xmx1g");
    assertThat(printed(two, script(), "run", "x")).contains(supervisor).doesNotContain("-Xmx1g");
    assertThat(printed(two, script(), "run", "x", "--processes=1")).doesNotContain(supervisor);
    assertThat(printed(Map.of(), script(), "run", "x", "--set", "processes=3"))
        .contains(supervisor);
    Files.writeString(folder.resolve("my.yaml"), "processes: 4\n");
    assertThat(printed(Map.of(), script(), "run", "x", "--conf=my.yaml")).contains(supervisor);
    assertThat(printed(two, script(), "worker", "x", "--profile=lowmem"))
        .contains("@" + home.resolve("conf/jvm/lowmem.options"), "-Xmx1g");
  }

  @Test
  void a_language_engine_is_on_the_class_path_for_its_scripts_only() throws Exception {
    assertThat(printed(Map.of(), script(), "run", "x.js"))
        .anyMatch(l -> l.contains("engines/js/*"));
    assertThat(printed(Map.of(), script(), "run", "hello")).noneMatch(l -> l.contains("engines"));
  }

  @Test
  void the_profiles_environment_leaves_alone_what_is_set() throws Exception {
    var set = Map.of("MALLOC_ARENA_MAX", "4");
    assertThat(printed(set, script(), "run", "x", "--profile=lowmem")).contains("arenas=4");
    assertThat(printed(Map.of(), script(), "run", "x", "--profile=lowmem")).contains("arenas=1");
    assertThat(printed(Map.of(), script(), "run", "x")).contains("arenas=");
  }

  @Test
  void a_tree_that_is_not_built_says_how_to_build_it() throws Exception {
    Files.delete(home.resolve("launcher/target/lib"));
    assertThat(printed(Map.of(), script(), "version"))
        .singleElement()
        .asString()
        .startsWith("vertx: not built yet; scripts/run.sh");
  }

  @Test
  void a_java_home_that_is_too_old_is_passed_over() throws Exception {
    jdk("21.0.4");
    assertThat(printed(Map.of(), script(), "run", "--help"))
        .noneMatch(l -> l.startsWith("arenas="));
  }

  private Path script() {
    return home.resolve("scripts/vertx");
  }

  private String profile(Map<String, String> variables, String... options) throws Exception {
    var arguments = new ArrayList<>(List.of("run", "hello"));
    arguments.addAll(List.of(options));
    var first = printed(variables, script(), arguments.toArray(String[]::new)).get(1);
    return first.replaceAll("^@.*/|\\.options$", "");
  }

  private List<String> printed(Map<String, String> variables, Path script, String... arguments)
      throws Exception {
    var command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeIf(n -> n.startsWith("ROOST_") || n.equals("JAVA_OPTS"));
    builder.environment().remove("MALLOC_ARENA_MAX");
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    builder.environment().putAll(variables);
    var process = builder.start();
    var lines = process.inputReader().lines().toList();
    process.waitFor();
    return lines;
  }

  private void jdk(String version) throws IOException {
    var bin = Files.createDirectories(folder.resolve("jdk/bin"));
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
    for (var tool : List.of("java", "javac")) {
      var script = "#!/bin/sh\necho arenas=$MALLOC_ARENA_MAX\nprintf '%s\\n' \"$@\"\n";
      Files.writeString(bin.resolve(tool), script);
      Files.setPosixFilePermissions(
          bin.resolve(tool), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }
}
