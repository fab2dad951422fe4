package dev.roost.board.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.roost.board.ServedBoard;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BoardRoutesTest {
  private static final int PAGE = 20;
  private static final Pattern POST_LINK = Pattern.compile("<h2[^>]*><a href=\"/post/");

  private ServedBoard board;

  @SuppressWarnings("NullAway.Init") // the method below makes it
  BoardRoutesTest() {}

  @BeforeAll
  void serve(@TempDir Path folder) {
    board = new ServedBoard(folder);
  }

  @AfterAll
  void stop() {
    board.close();
  }

  @Test
  void the_start_page_shows_the_twenty_latest_posts() {
    var page = board.get("/");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("content-type")).hasValue("text/html; charset=utf-8");
    assertThat(POST_LINK.matcher(page.body()).results()).hasSize(PAGE);
    assertThat(page.body()).contains("<title>Roost</title>", "Page 1 of 2", "href=\"/?page=2\"");
  }

  @Test
  void the_second_page_shows_the_rest_and_leads_back() {
    var page = board.get("/?page=2");

    assertThat(POST_LINK.matcher(page.body()).results()).hasSizeBetween(1, PAGE);
    assertThat(page.body())
        .contains("rel=\"canonical\" href=\"/?page=2\"", "rel=\"prev\" href=\"/\"");
  }

  @ParameterizedTest
  @CsvSource({
    "/?page=3, 404",
    "/?page=999999, 404",
    "/board/roost?page=2, 404",
    "/?page=0, 400",
    "/?page=-1, 400",
    "/?page=x, 400",
    "/?page=, 400",
    "/?page=1000001, 400",
    "/?page=99999999999999999999, 400",
    "/?page=1&page=2, 400",
    "/nothing, 404",
    "/post/nothing, 404",
    "/post/UPPER, 404",
    "/post/a%00b, 404",
    "/post/%3Cscript%3E, 404",
    "/board/nothing, 404",
    "/tag/nothing, 404",
    "/static/0/nothing.css, 404"
  })
  void what_is_not_there_is_answered_in_the_sites_dress(String path, int status) {
    var page = board.get(path);

    assertThat(page.statusCode()).isEqualTo(status);
    assertThat(page.body())
        .contains("Error " + status, "class=\"birds\"", "/board/at-dusk", "noindex");
    assertThat(page.body()).doesNotContain("<script", "rel=\"canonical\"");
    assertThat(page.headers().firstValue("cache-control")).hasValue("no-store");
  }

  @Test
  void a_post_is_shown_whole_with_its_language_and_tags() {
    var page =
        board.get(
            "/post/%EC%9E%91%EC%9D%80-%EC%82%AC%EC%9D%B4%ED%8A%B8%EB%A5%BC-"
                + "%EC%98%A4%EB%9E%98-%EC%9A%B4%EC%98%81%ED%95%98%EB%8A%94-%EB%B2%95");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body())
        .contains("<h1 lang=\"ko\">작은 사이트를 오래 운영하는 법</h1>")
        .contains("<div class=\"text\" lang=\"ko\">", "<table>", "language-sh")
        .contains("datetime=\"2026-11-26T12:30:00Z\"", ">#운영</a>");
  }

  @Test
  void a_board_a_tag_and_the_list_of_boards_are_shown() {
    assertThat(board.get("/board/at-dusk").body())
        .contains("<h1>At dusk</h1>", "Birds, mostly those that sit on lines.");
    assertThat(board.get("/tag/sqlite").body()).contains("<h1>#sqlite</h1>", "kill -9");
    assertThat(board.get("/boards").body()).contains("<h1>Boards</h1>", "/board/on-the-wire");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/boards", "/board/roost", "/post/quiet-hours"})
  void a_page_has_one_address_one_heading_and_a_description(String path) {
    assertThat(board.get(path).body())
        .containsOnlyOnce("<h1")
        .containsOnlyOnce("<link rel=\"canonical\" href=\"" + path + "\">")
        .containsOnlyOnce("<meta name=\"description\" content=\"")
        .startsWith("<!doctype html>\n<html lang=\"en\">");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/post/quiet-hours", "/nothing"})
  void head_answers_as_get_does_without_the_body(String path) {
    var get = board.get(path);
    var uri = board.server().uri(path);
    var head =
        board.server().send(HttpRequest.newBuilder(uri).method("HEAD", BodyPublishers.noBody()));

    assertThat(head.statusCode()).isEqualTo(get.statusCode());
    assertThat(head.body()).isEmpty();
    for (var name : new String[] {"content-type", "content-length", "cache-control", "etag"}) {
      assertThat(head.headers().allValues(name)).isEqualTo(get.headers().allValues(name));
    }
  }

  @Test
  void who_has_the_page_already_is_told_so() {
    var tag = board.get("/").headers().firstValue("etag").orElseThrow();
    var again = board.get("/", "if-none-match", tag);

    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.headers().firstValue("etag")).hasValue(tag);
    assertThat(board.get("/", "if-none-match", "W/\"other\"").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/nothing", "/?page=x"})
  void every_answer_tells_the_browser_what_not_to_do(String path) {
    var headers = board.get(path).headers();

    assertThat(headers.firstValue("content-security-policy").orElseThrow())
        .contains("default-src 'none'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(headers.firstValue("x-content-type-options")).hasValue("nosniff");
    assertThat(headers.firstValue("referrer-policy")).hasValue("same-origin");
  }
}
