package dev.roost.launcher.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What the image of k8s/image/Dockerfile holds under /opt/roost, laid out in a folder.
record ImageTree(Path folder) {

  private static final String PLACE = "/opt/roost";

  /// From `cp -r --parents` to the place it copies to; a `\` continues a line.
  private static final Pattern COPIED = Pattern.compile("cp -r --parents ([^&]+?) " + PLACE);

  private static final Pattern ENTRY_POINT =
      Pattern.compile("\nENTRYPOINT \\[\"" + PLACE + "/([^\"]+)\"]\n");

  /// Runs the Dockerfile's own `cp` over this tree.
  static ImageTree in(Path folder) throws IOException, InterruptedException {
    Files.createDirectory(folder);
    var command = new ArrayList<>(List.of("cp", "-r", "--parents"));
    command.addAll(copied());
    command.add(folder.toString());
    var copy =
        new ProcessBuilder(command)
            .directory(Manifest.TREE.toFile())
            .redirectErrorStream(true)
            .start();
    var complaint = new String(copy.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(copy.waitFor()).as(complaint).isZero();
    return new ImageTree(folder);
  }

  /// The command the image starts.
  Path entryPoint() throws IOException {
    var found = ENTRY_POINT.matcher(dockerfile());
    assertThat(found.find()).as("ENTRYPOINT under " + PLACE).isTrue();
    return folder.resolve(found.group(1));
  }

  /// Every path in it.
  Set<Path> listing() throws IOException {
    try (var paths = Files.walk(folder)) {
      return new TreeSet<>(paths.toList());
    }
  }

  private static List<String> copied() throws IOException {
    var found = COPIED.matcher(dockerfile().replaceAll("\\\\\n\\s*", ""));
    assertThat(found.find()).as("cp -r --parents … " + PLACE).isTrue();
    return List.of(found.group(1).trim().split("\\s+"));
  }

  private static String dockerfile() throws IOException {
    return Files.readString(Manifest.TREE.resolve("k8s/image/Dockerfile"));
  }
}
