package dev.roost.launcher.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.roost.launcher.config.Home;
import dev.roost.launcher.config.Settings;
import dev.roost.launcher.profile.Configuration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// What `kubectl kustomize` makes of a folder under k8s/. Immutable.
record Manifest(List<Node> documents) {

  /// Surefire runs in the module's folder.
  static final Path TREE = Path.of("..").toAbsolutePath().normalize();

  /// Ends the test as skipped where there is no kubectl.
  static Manifest of(String folder) throws IOException, InterruptedException {
    Process kubectl;
    try {
      kubectl =
          new ProcessBuilder("kubectl", "kustomize", TREE.resolve("k8s").resolve(folder).toString())
              .redirectErrorStream(true)
              .start();
    } catch (IOException _) {
      return abort("kubectl is missing: the manifests under k8s/ are not rendered");
    }
    var text = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(kubectl.waitFor()).as(text).isZero();
    var documents = new Load(LoadSettings.builder().build()).loadAllFromString(text);
    return new Manifest(
        StreamSupport.stream(documents.spliterator(), false).map(Node::new).toList());
  }

  /// The one document of that kind.
  Node only(String kind) {
    var found = documents.stream().filter(d -> d.at("kind").text().equals(kind)).toList();
    assertThat(found).as(kind).hasSize(1);
    return found.getFirst();
  }

  Node pod() {
    return only("Deployment").at("spec", "template", "spec");
  }

  Node container() {
    return pod().at("containers").items().getFirst();
  }

  /// Where the probes knock: startup, liveness, readiness.
  List<Node> probes() {
    return List.of(
        container().at("startupProbe", "httpGet"),
        container().at("livenessProbe", "httpGet"),
        container().at("readinessProbe", "httpGet"));
  }

  /// The number of the container's port of that name.
  int port(String name) {
    return container().at("ports").named(name).at("containerPort").number();
  }

  /// What the container finds in its environment, from the ConfigMap it names.
  Map<String, String> environment() {
    var source = container().at("envFrom").items().getFirst().at("configMapRef", "name");
    assertThat(source).isEqualTo(only("ConfigMap").at("metadata", "name"));
    var variables = new TreeMap<String, String>();
    if (only("ConfigMap").at("data").value() instanceof Map<?, ?> entries) {
      entries.forEach((name, value) -> variables.put(name.toString(), value.toString()));
    }
    return variables;
  }

  /// What the launcher makes of that environment, by its own rules.
  Settings settings() {
    return Configuration.read(
            new Configuration.Places(new Home(TREE), Optional.empty(), environment(), List.of()))
        .settings();
  }
}
