package dev.roost.launcher.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.testkit.TrustAll;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The image's files, started as the manifest says, answer where the manifest knocks.
class KubernetesProcessTest {

  /// Stands for the pod's address: a server on 127.0.0.1 alone does not answer here.
  private static final String POD_ADDRESS = "127.0.0.2";

  @TempDir static Path images = Path.of("");
  private static Manifest manifest = new Manifest(List.of());
  private static ImageTree image = new ImageTree(Path.of(""));

  @TempDir Path folder = Path.of("");

  @BeforeAll
  static void layOut() throws Exception {
    manifest = Manifest.of("base");
    image = ImageTree.in(images.resolve("image"));
  }

  @Test
  void every_probe_is_answered_where_and_how_the_manifest_knocks() throws Exception {
    try (var pod = Pod.start(image, manifest, Pod.place(folder.resolve("data")))) {
      var ports = pod.ports();
      for (var probe : manifest.probes()) {
        assertThat(status(address(probe, ports))).as(probe.text()).isEqualTo(200);
      }
      var board = URI.create("https://%s:%d/".formatted(POD_ADDRESS, ports.https()));
      assertThat(status(board)).isEqualTo(200);
      assertThatThrownBy(() -> status(URI.create(board.toString().replace("https:", "http:"))))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void a_stopping_pod_is_not_ready_yet_live_and_ends_with_0() throws Exception {
    try (var pod = Pod.start(image, manifest, Pod.place(folder.resolve("data")))) {
      var ports = pod.ports();
      pod.sendTerm();
      while (status(address(manifest.probes().getLast(), ports)) == 200) {
        Thread.onSpinWait(); // ready until the signal has arrived; then its port answers for 5 s
      }
      assertThat(status(address(manifest.probes().getLast(), ports))).isEqualTo(503);
      assertThat(status(address(manifest.probes().get(1), ports))).isEqualTo(200);
      assertThat(pod.exitCode(manifest)).isZero();
    }
  }

  @Test
  void it_writes_nothing_outside_its_volumes() throws Exception {
    var before = image.listing();
    try (var pod = Pod.start(image, manifest, Pod.place(folder.resolve("data")))) {
      pod.ports();
      pod.sendTerm();
      assertThat(pod.exitCode(manifest)).isZero();
    }
    assertThat(image.listing()).isEqualTo(before);
  }

  @Test
  void service_links_are_refused_in_one_line_that_says_what_to_write() throws Exception {
    var variables = new HashMap<>(Pod.place(folder.resolve("data")));
    variables.putAll(ServiceLinks.OF_ROOST);
    try (var pod = Pod.start(image, manifest, variables)) {
      assertThat(pod.exitCode(manifest)).isEqualTo(3);
      assertThat(pod.errorLines())
          .singleElement()
          .asString()
          .contains("ROOST_PORT", "enableServiceLinks: false");
      assertThat(folder.resolve("data")).doesNotExist();
    }
  }

  private static URI address(Node probe, Pod.Ports ports) {
    var scheme = probe.at("scheme").text().toLowerCase(Locale.ROOT);
    var port = ports.of(probe.at("port").text());
    return URI.create("%s://%s:%d%s".formatted(scheme, POD_ADDRESS, port, probe.at("path").text()));
  }

  private static int status(URI address) throws Exception {
    try (var client = HttpClient.newBuilder().sslContext(TrustAll.context()).build()) {
      return client
          .send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding())
          .statusCode();
    }
  }
}
