package dev.roost.board.pages;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Debian's Chromium under Playwright's driver; nothing is downloaded. Confined to one thread.
final class Chromium implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/chromium");
  private static final int WINDOW_HEIGHT = 900;

  private final Playwright playwright;
  private final Browser browser;

  Chromium() {
    var environment = Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
    browser =
        playwright
            .chromium()
            .launch(
                new LaunchOptions()
                    .setExecutablePath(PROGRAM)
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync")));
  }

  static boolean isInstalled() {
    return Files.isExecutable(PROGRAM);
  }

  static Browser.NewContextOptions options(int width, ColorScheme scheme) {
    return new Browser.NewContextOptions()
        .setIgnoreHTTPSErrors(true) // the test server signed its certificate itself
        .setViewportSize(width, WINDOW_HEIGHT)
        .setColorScheme(scheme);
  }

  Browser browser() {
    return browser;
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
