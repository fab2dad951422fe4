package dev.roost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.roost.testkit.Patience;
import dev.roost.testkit.TestServer;
import dev.roost.testkit.TrustAll;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files of one folder: served whole and in part, and nothing besides them.
class FilesTest {

  private static final int BIG = 16 << 20;

  @TempDir private Path home;

  private Path served;
  private TestServer server;

  @BeforeEach
  void serve() throws IOException {
    served = Files.createDirectories(home.resolve("served"));
    write("song.txt", "twit twoo");
    write("docs/index.html", "<h1>Owls</h1>");
    write("bare/leaf.txt", "leaf");
    write(".hidden", "secret");
    write(".git/config", "secret");
    Files.writeString(home.resolve("outside.txt"), "secret");
    server =
        TestServer.serving(
            routes ->
                routes
                    .files("/files/*", served)
                    .group("/group", inner -> inner.files("/:any/files/*", served)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "song.txt,text/plain; charset=utf-8",
    "page.html,text/html; charset=utf-8",
    "sheet.css,text/css; charset=utf-8",
    "code.js,text/javascript; charset=utf-8",
    "data.json,application/json",
    "image.png,image/png",
    "archive.tar.gz,application/gzip",
    "README.md,text/markdown; charset=utf-8",
    "nothing-known,application/octet-stream"
  })
  void a_file_is_served_with_its_type(String name, String type) throws IOException {
    write(name, "twit twoo");
    var answer = server.get("/files/" + name);
    assertThat(answer.body()).isEqualTo("twit twoo");
    assertThat(header(answer, "content-type")).isEqualTo(type);
    assertThat(header(answer, "content-length")).isEqualTo("9");
    assertThat(header(answer, "accept-ranges")).isEqualTo("bytes");
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=5-8,206,twoo,bytes 5-8/9",
    "bytes=5-,206,twoo,bytes 5-8/9",
    "bytes=-4,206,twoo,bytes 5-8/9",
    "bytes=-99,206,twit twoo,bytes 0-8/9",
    "bytes=5-99999999999999999999,206,twoo,bytes 5-8/9",
    "bytes=9-,416,416 Requested Range Not Satisfiable,bytes */9",
    "bytes=-0,416,416 Requested Range Not Satisfiable,bytes */9",
    "'bytes=0-1,3-4',200,twit twoo,",
    "bytes=5-2,200,twit twoo,",
    "bytes=x,200,twit twoo,",
    "owls=1-2,200,twit twoo,"
  })
  void a_range_is_served(String range, int status, String body, String contentRange) {
    var answer = get("song.txt", "range", range);
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body().strip()).isEqualTo(body);
    assertThat(header(answer, "content-range")).isEqualTo(contentRange == null ? "" : contentRange);
  }

  @ParameterizedTest
  @ValueSource(strings = {"etag", "last-modified"})
  void a_range_is_served_only_of_the_file_the_client_knows(String validator) throws IOException {
    var known = header(server.get("/files/song.txt"), validator);
    assertThat(part(known).statusCode()).isEqualTo(206);
    write("song.txt", "twit twit");
    Files.setLastModifiedTime(served.resolve("song.txt"), FileTime.from(Instant.EPOCH));
    assertThat(part(known).statusCode()).isEqualTo(200);
    assertThat(part("Yesterday").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "if-none-match,etag,304",
    "if-none-match,weak,304",
    "if-none-match,*,304",
    "if-none-match,\"other\",200",
    "if-modified-since,last-modified,304",
    "if-modified-since,'Thu, 01 Jan 1970 00:00:00 GMT',200",
    "if-modified-since,yesterday,200",
    "if-match,etag,200",
    "if-match,weak,412",
    "if-match,\"other\",412",
    "if-unmodified-since,last-modified,200",
    "if-unmodified-since,'Thu, 01 Jan 1970 00:00:00 GMT',412"
  })
  void conditions_decide(String name, String value, int status) {
    var file = server.get("/files/song.txt");
    var known =
        value.equals("weak")
            ? "W/" + header(file, "etag")
            : file.headers().firstValue(value).orElse(value);
    var answer = get("song.txt", name, known);
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(header(answer, "etag")).isEqualTo(header(file, "etag"));
  }

  @Test
  void a_known_tag_outweighs_an_old_date() {
    var file = server.get("/files/song.txt");
    var request =
        request("song.txt")
            .header("if-none-match", "\"other\"")
            .header("if-modified-since", header(file, "last-modified"));
    assertThat(server.send(request).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void head_tells_what_get_would_send(Version version) {
    try (var client = client(version)) {
      var head = request("song.txt").HEAD().header("range", "bytes=0-1").build();
      var answer = Patience.await(client.sendAsync(head, BodyHandlers.ofString()));
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEmpty();
      assertThat(header(answer, "content-length")).isEqualTo("9");
      assertThat(header(answer, "etag")).isEqualTo(header(server.get("/files/song.txt"), "etag"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "gzip,gzip,zip",
    "'gzip, br',br,brotli",
    "'gzip, br, zstd',br,brotli",
    "'br;q=0.5, gzip;q=0.8',gzip,zip",
    "'br;q=0, *',zstd,standard",
    "'gzip;q=0.5, identity',,plain",
    "'gzip;q=0',,plain",
    "deflate,,plain",
    "'',,plain"
  })
  void the_client_chooses_among_what_lies_ready_compressed(
      String accept, String encoding, String body) throws IOException {
    writeVariants();
    var answer = get("x.css", "accept-encoding", accept);
    assertThat(answer.body()).isEqualTo(body);
    assertThat(header(answer, "content-encoding")).isEqualTo(encoding == null ? "" : encoding);
    assertThat(header(answer, "content-type")).isEqualTo("text/css; charset=utf-8");
    assertThat(header(answer, "vary")).isEqualTo("Accept-Encoding");
  }

  @Test
  void a_part_is_never_mixed_of_two_encodings() throws IOException {
    writeVariants();
    var plain = server.get("/files/x.css");
    var request =
        request("x.css")
            .header("accept-encoding", "br")
            .header("range", "bytes=1-2")
            .header("if-range", header(plain, "etag"));
    var answer = server.send(request);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("brotli");
    assertThat(header(answer, "etag")).isNotEqualTo(header(plain, "etag"));
    assertThat(get("x.css", "if-match", header(plain, "etag")).statusCode()).isEqualTo(200);
  }

  @Test
  void a_compressed_file_older_than_the_plain_one_is_not_served() throws IOException {
    write("old.css", "plain");
    write("old.css.gz", "zip");
    Files.setLastModifiedTime(served.resolve("old.css.gz"), FileTime.from(Instant.EPOCH));
    assertThat(get("old.css", "accept-encoding", "gzip").body()).isEqualTo("plain");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/files/.hidden",
        "/files/.git/config",
        "/files/bare/../.hidden",
        "/files/../outside.txt",
        "/files/%2e%2e/outside.txt",
        "/files/..%2foutside.txt",
        "/files/..%5coutside.txt",
        "/files/bare%5c..%5csong.txt",
        "/files/song.txt%00",
        "/files/song.txt%00.png",
        "/files/%2ehidden",
        "/files/%252e%252e/outside.txt",
        "/files/x/..%252f..%252foutside.txt",
        "/files//etc/passwd",
        "/files/",
        "/files/bare/",
        "/files/song.txt/",
        "/files/song.txt%2f",
        "/files/song.txt/more",
        "/files/nothing.txt",
        "/group/one/files/.hidden",
        "/group/one/files/..%2foutside.txt"
      })
  void what_is_hidden_outside_or_absent_is_404(String path) {
    var answer = server.get(path);
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).doesNotContain("secret", "song", "root:");
  }

  @Test
  void a_name_that_is_too_long_is_404() {
    assertThat(server.get("/files/" + "x".repeat(3_000)).statusCode()).isEqualTo(404);
  }

  @Test
  void links_that_lead_out_or_to_something_hidden_are_404() throws IOException {
    link("out.txt", home.resolve("outside.txt"));
    link("out", home);
    link("seen.txt", served.resolve(".hidden"));
    link("song.txt.gz", home.resolve("outside.txt"));
    assertThat(server.get("/files/out.txt").statusCode()).isEqualTo(404);
    assertThat(server.get("/files/out/outside.txt").statusCode()).isEqualTo(404);
    assertThat(server.get("/files/seen.txt").statusCode()).isEqualTo(404);
    assertThat(get("song.txt", "accept-encoding", "gzip").body()).isEqualTo("twit twoo");
  }

  @Test
  void a_link_within_the_folder_is_followed() throws IOException {
    link("copy.txt", Path.of("song.txt"));
    assertThat(server.get("/files/copy.txt").body()).isEqualTo("twit twoo");
  }

  @Test
  void a_pipe_is_404_and_holds_nobody_up() throws Exception {
    var pipe = served.resolve("pipe.txt").toString();
    assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();
    assertThat(server.get("/files/pipe.txt").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({
    "/files/docs/,<h1>Owls</h1>",
    "/files/docs/index.html,<h1>Owls</h1>",
    "/group/one/files/docs/,<h1>Owls</h1>",
    "/files/bare%2fleaf.txt,leaf",
    "/files/my%20%C3%BChu%2B.txt,uhu",
    "/group/a%20b/files/my%20%C3%BChu+.txt,uhu",
    "/files/100%25.txt,all"
  })
  void an_index_and_odd_names_are_served(String path, String body) throws IOException {
    write("my ühu+.txt", "uhu");
    write("100%.txt", "all");
    assertThat(server.get(path).body()).isEqualTo(body);
  }

  @ParameterizedTest
  @CsvSource({"/files/docs,/files/docs/", "/files/docs?a=b,/files/docs/?a=b", "/files,/files/"})
  void a_folder_without_its_slash_redirects(String path, String location) {
    var answer = server.get(path);
    assertThat(answer.statusCode()).isEqualTo(301);
    assertThat(header(answer, "location")).isEqualTo(location);
  }

  @Test
  void an_empty_file_is_empty() throws IOException {
    write("empty.txt", "");
    assertThat(server.get("/files/empty.txt").statusCode()).isEqualTo(200);
    assertThat(get("empty.txt", "range", "bytes=0-").statusCode()).isEqualTo(416);
  }

  @ParameterizedTest
  @EnumSource
  void a_big_file_arrives_whole(Version version) throws IOException {
    var bytes = big("big.bin");
    try (var client = client(version)) {
      var request = request("big.bin").build();
      var answer = Patience.await(client.sendAsync(request, BodyHandlers.ofByteArray()));
      assertThat(Arrays.equals(answer.body(), bytes)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_file_that_is_replaced_while_it_is_sent_arrives_as_it_was(Version version)
      throws IOException {
    var bytes = big("big.bin");
    try (var client = client(version);
        var body = begun(client)) {
      var other = Files.writeString(served.resolve("other.bin"), "other");
      Files.move(other, served.resolve("big.bin"), StandardCopyOption.REPLACE_EXISTING);
      assertThat(Arrays.equals(body.readAllBytes(), bytes)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_file_that_is_cut_short_while_it_is_sent_is_not_passed_off_as_whole(Version version)
      throws IOException {
    big("big.bin");
    try (var client = client(version);
        var body = begun(client)) {
      try (var file = FileChannel.open(served.resolve("big.bin"), StandardOpenOption.WRITE)) {
        file.truncate(1);
      }
      assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
    }
  }

  private InputStream begun(HttpClient client) {
    var request = request("big.bin").build();
    return Patience.await(client.sendAsync(request, BodyHandlers.ofInputStream())).body();
  }

  private byte[] big(String name) throws IOException {
    var bytes = new byte[BIG];
    for (var i = 0; i < BIG; i++) {
      bytes[i] = (byte) (i >> 8 ^ i);
    }
    Files.write(served.resolve(name), bytes);
    return bytes;
  }

  private void writeVariants() throws IOException {
    write("x.css", "plain");
    write("x.css.br", "brotli");
    write("x.css.zst", "standard");
    write("x.css.gz", "zip");
  }

  private void write(String name, String text) throws IOException {
    Files.createDirectories(served.resolve(name).getParent());
    Files.writeString(served.resolve(name), text);
  }

  private void link(String name, Path to) throws IOException {
    Files.createSymbolicLink(served.resolve(name), to);
  }

  private HttpResponse<String> part(String known) {
    return server.send(request("song.txt").header("range", "bytes=0-3").header("if-range", known));
  }

  private HttpResponse<String> get(String name, String header, String value) {
    return server.send(request(name).header(header, value));
  }

  private HttpRequest.Builder request(String name) {
    return HttpRequest.newBuilder(server.uri("/files/" + name));
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static HttpClient client(Version version) {
    return HttpClient.newBuilder().sslContext(TrustAll.context()).version(version).build();
  }
}
