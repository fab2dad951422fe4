package dev.roost.launcher.cli;

import dev.roost.launcher.config.Catalogue;
import dev.roost.launcher.config.Home;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `vertx reload`: asks the supervisor of these settings to restart its workers, and waits for it.
@Command(
    name = "reload",
    description = "Restarts the workers of a running server one by one; no connection is lost.",
    sortOptions = false)
final class ReloadCommand implements Callable<Integer> {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  @Mixin private SettingOptions settings = new SettingOptions();

  @Override
  public Integer call() {
    var holds = settings.read(Home.find()).settings();
    var host = holds.value(Catalogue.MANAGEMENT_HOST);
    var address =
        "http://%s:%d/reload".formatted(reachable(host), holds.value(Catalogue.MANAGEMENT_PORT));
    try {
      return ask(address);
    } catch (IOException failure) {
      System.err.printf("vertx: %s: %s%n", address, failure.getMessage());
      return ExitCode.NO_ANSWER.number();
    }
  }

  /// Waits as long as the workers take to start and to drain.
  private static int ask(String address) throws IOException {
    var connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
    connection.setRequestMethod("POST");
    connection.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
    if (connection.getResponseCode() == HttpURLConnection.HTTP_OK) {
      System.out.println(read(connection.getInputStream()));
      return ExitCode.OK.number();
    }
    System.err.println("vertx: " + read(connection.getErrorStream()));
    return ExitCode.NO_ANSWER.number();
  }

  private static String read(InputStream answer) throws IOException {
    try (answer) {
      return new String(answer.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  private static String reachable(String host) {
    return switch (host) {
      case "0.0.0.0" -> "127.0.0.1";
      case "::" -> "[::1]";
      default -> host.contains(":") ? "[" + host + "]" : host;
    };
  }
}
