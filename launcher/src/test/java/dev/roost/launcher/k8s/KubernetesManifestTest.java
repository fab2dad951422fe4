package dev.roost.launcher.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Environment;
import dev.roost.server.settings.StartRefusal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What the manifests say agrees with itself and with the settings. Whether it agrees with a
/// running server, KubernetesProcessTest tells.
class KubernetesManifestTest {

  /// What the launcher gives closing beyond the two pauses (Launch.CLOSE_TIMEOUT).
  private static final Duration CLOSING = Duration.ofSeconds(30);

  private static Manifest base = new Manifest(List.of());

  @BeforeAll
  static void render() throws Exception {
    base = Manifest.of("base");
  }

  @Test
  void the_pod_gets_no_service_links() {
    assertThat(base.pod().at("enableServiceLinks").value()).isEqualTo(false);
  }

  @Test
  void each_service_link_alone_would_stop_the_start() {
    ServiceLinks.OF_ROOST.forEach(
        (name, value) -> {
          var variables = new HashMap<>(base.environment());
          variables.put(name, value);
          assertThatThrownBy(() -> Environment.read(variables))
              .isInstanceOf(StartRefusal.class)
              .hasMessageContainingAll(name, "enableServiceLinks: false");
        });
  }

  @Test
  void stopping_is_over_before_the_kubelet_kills() {
    var settings = base.settings();
    var preStop = settings.value(Catalogue.SHUTDOWN_PRE_STOP);
    var drain = settings.value(Catalogue.SHUTDOWN_DRAIN_TIMEOUT);
    var grace = Duration.ofSeconds(base.pod().at("terminationGracePeriodSeconds").number());
    assertThat(preStop).isEqualTo(Duration.ofSeconds(5));
    assertThat(grace).isGreaterThan(preStop.plus(drain).plus(CLOSING));
  }

  @Test
  void ports_of_container_service_and_settings_are_the_same() {
    var settings = base.settings();
    assertThat(base.port("https")).isEqualTo(settings.value(Catalogue.SERVER_PORT));
    assertThat(base.port("management")).isEqualTo(settings.value(Catalogue.MANAGEMENT_PORT));
    var served = base.only("Service").at("spec", "ports").items();
    assertThat(served).singleElement().returns("https", port -> port.at("targetPort").text());
  }

  @Test
  void probes_knock_at_the_management_port_which_listens_beyond_loopback() {
    assertThat(base.probes())
        .allSatisfy(
            probe -> {
              assertThat(probe.at("port").text()).isEqualTo("management");
              assertThat(probe.at("host").isAbsent()).as("the pod's own address").isTrue();
            });
    assertThat(base.settings().value(Catalogue.MANAGEMENT_HOST)).isIn("0.0.0.0", "::");
  }

  @Test
  void prometheus_is_told_the_management_port() {
    var notes = base.only("Deployment").at("spec", "template", "metadata", "annotations");
    assertThat(notes.at("prometheus.io/port").number()).isEqualTo(base.port("management"));
    assertThat(notes.at("prometheus.io/path").text()).isEqualTo("/metrics");
    assertThat(notes.at("prometheus.io/scheme").text()).isEqualTo("http");
  }

  @Test
  void only_the_monitoring_namespace_reaches_the_management_port() {
    var rules = base.only("NetworkPolicy").at("spec", "ingress").items();
    var open = rules.stream().filter(rule -> rule.at("from").isAbsent()).toList();
    assertThat(open).singleElement().returns(List.of("https"), KubernetesManifestTest::ports);
    var closed = rules.stream().filter(rule -> !open.contains(rule)).toList();
    assertThat(closed)
        .singleElement()
        .returns(List.of("management"), KubernetesManifestTest::ports);
    assertThat(closed.getFirst().at("from").items())
        .singleElement()
        .returns(
            Map.of("kubernetes.io/metadata.name", "monitoring"),
            from -> from.at("namespaceSelector", "matchLabels").value());
  }

  @Test
  void every_selector_means_this_pod_and_no_other() {
    var labels = base.only("Deployment").at("spec", "template", "metadata", "labels").value();
    assertThat(labels).isEqualTo(Map.of("app.kubernetes.io/name", "roost"));
    assertThat(base.only("Service").at("spec", "selector").value()).isEqualTo(labels);
    assertThat(base.only("PodDisruptionBudget").at("spec", "selector", "matchLabels").value())
        .isEqualTo(labels);
    assertThat(base.only("NetworkPolicy").at("spec", "podSelector", "matchLabels").value())
        .isEqualTo(labels);
  }

  @Test
  void one_pod_at_a_time_holds_the_data_directory() {
    var deployment = base.only("Deployment").at("spec");
    assertThat(deployment.at("replicas").number()).isEqualTo(1);
    assertThat(deployment.at("strategy", "type").text()).isEqualTo("Recreate");
    var mount = Path.of(base.container().at("volumeMounts").named("data").at("mountPath").text());
    var folder = base.settings().value(Catalogue.DATA_DIR);
    assertThat(folder).startsWithRaw(mount).isNotEqualTo(mount);
    var claim = base.pod().at("volumes").named("data").at("persistentVolumeClaim", "claimName");
    assertThat(claim).isEqualTo(base.only("PersistentVolumeClaim").at("metadata", "name"));
  }

  @Test
  void the_container_may_do_nothing_that_it_need_not() {
    var pod = base.pod().at("securityContext");
    assertThat(pod.at("runAsNonRoot").value()).isEqualTo(true);
    assertThat(pod.at("runAsUser").number()).isPositive();
    assertThat(pod.at("seccompProfile", "type").text()).isEqualTo("RuntimeDefault");
    var container = base.container().at("securityContext");
    assertThat(container.at("allowPrivilegeEscalation").value()).isEqualTo(false);
    assertThat(container.at("readOnlyRootFilesystem").value()).isEqualTo(true);
    assertThat(container.at("capabilities", "drop").value()).isEqualTo(List.of("ALL"));
    assertThat(base.pod().at("automountServiceAccountToken").value()).isEqualTo(false);
  }

  @Test
  void the_certificate_overlay_mounts_what_its_settings_name() throws Exception {
    var overlay = Manifest.of("overlays/certificate");
    var mount = Path.of(overlay.container().at("volumeMounts").named("tls").at("mountPath").text());
    var secret = overlay.pod().at("volumes").named("tls").at("secret", "secretName");
    assertThat(secret.text()).isEqualTo("roost-tls");
    var settings = overlay.settings();
    assertThat(settings.value(Catalogue.TLS_CERT)).contains(mount.resolve("tls.crt"));
    assertThat(settings.value(Catalogue.TLS_KEY)).contains(mount.resolve("tls.key"));
    assertThat(overlay.environment()).containsAllEntriesOf(base.environment());
  }

  private static List<String> ports(Node rule) {
    return rule.at("ports").items().stream().map(port -> port.at("port").text()).toList();
  }
}
