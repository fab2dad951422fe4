package dev.roost.board.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.roost.board.ServedBoard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The pages as a browser shows them. Skipped by name where there is no Chromium.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class BrowserTest {
  private static final List<String> PATHS =
      List.of(
          "/",
          "/?page=2",
          "/boards",
          "/board/at-dusk",
          "/tag/sqlite",
          "/post/three-ways-to-wait-for-news",
          "/post/welcome-to-the-roost",
          "/post/%EA%B9%8C%EC%B9%98%EA%B0%80-%EC%9E%A0%EB%93%A4%EB%9F%AC-"
              + "%EA%B0%80%EB%8A%94-%EC%8B%9C%EA%B0%84",
          "/no-such-page");

  private static final String VIOLATIONS =
      "async () => (await axe.run()).violations"
          + ".map(v => v.id + ': ' + v.nodes.map(n => n.target.join(' ')).join(', '))";

  private ServedBoard board;
  private Chromium chromium;

  @SuppressWarnings("NullAway.Init") // the method below makes both
  BrowserTest() {}

  @BeforeAll
  void open(@TempDir Path folder) {
    assumeTrue(Chromium.isInstalled(), "skipped: no /usr/bin/chromium (Debian package chromium)");
    board = new ServedBoard(folder);
    chromium = new Chromium();
  }

  @AfterAll
  void close() {
    if (Chromium.isInstalled()) {
      chromium.close();
      board.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"360, LIGHT", "360, DARK", "1280, LIGHT", "1280, DARK"})
  void axe_finds_nothing_on_any_page(int width, ColorScheme scheme) throws IOException {
    var violations = new ArrayList<String>();
    // The page's own policy runs no script; axe has to be let in.
    var options = Chromium.options(width, scheme).setBypassCSP(true);
    try (var context = chromium.browser().newContext(options)) {
      var page = context.newPage();
      for (var path : PATHS) {
        page.navigate(board.server().uri(path).toString());
        page.evaluate(axe());
        ((List<?>) page.evaluate(VIOLATIONS)).forEach(v -> violations.add(path + " " + v));
      }
    }
    assertThat(violations).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"360", "768", "1280"})
  void no_page_is_wider_than_the_window_or_breaks_its_own_policy(int width) {
    var options = Chromium.options(width, ColorScheme.LIGHT);
    var complaints = new ArrayList<String>();
    try (var context = chromium.browser().newContext(options)) {
      var page = context.newPage();
      page.onConsoleMessage(message -> complaints.add(message.text()));
      for (var path : PATHS) {
        page.navigate(board.server().uri(path).toString());
        assertThat(page.evaluate("document.documentElement.scrollWidth")).as(path).isEqualTo(width);
      }
    }
    assertThat(complaints)
        .allMatch(line -> line.contains("404"), "only the missing page complains");
  }

  @Test
  void a_phone_without_scripts_reaches_a_board_by_the_menu() {
    withoutScripts(
        360,
        page -> {
          assertThat(page.locator(".side").isVisible()).isFalse();
          page.locator(".menu summary").click();
          page.locator(".menu a", new Page.LocatorOptions().setHasText("At dusk")).click();
          assertThat(page.locator("h1").textContent()).isEqualTo("At dusk");
        });
  }

  @Test
  void the_first_key_press_offers_to_skip_the_navigation() {
    withoutScripts(
        1280,
        page -> {
          page.keyboard().press("Tab");
          assertThat(page.locator(":focus").textContent()).isEqualTo("Skip to the content");
          page.keyboard().press("Enter");
          page.keyboard().press("Tab");
          assertThat(page.locator(":focus").getAttribute("href")).startsWith("/post/");
        });
  }

  private void withoutScripts(int width, java.util.function.Consumer<Page> steps) {
    Browser.NewContextOptions options = Chromium.options(width, ColorScheme.LIGHT);
    try (var context = chromium.browser().newContext(options.setJavaScriptEnabled(false))) {
      var page = context.newPage();
      page.navigate(board.server().uri("/").toString());
      steps.accept(page);
    }
  }

  private static String axe() throws IOException {
    try (var script = BrowserTest.class.getResourceAsStream("/axe.min.js")) {
      assertThat(script).as("axe.min.js on the class path").isNotNull();
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
