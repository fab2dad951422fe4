package dev.roost.launcher.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KindTest {

  @ParameterizedTest
  @CsvSource({"8KiB,8192", "10MiB,10485760", "1GiB,1073741824", "512B,512", "512,512", "0,0"})
  void sizes_are_read(String text, long bytes) {
    assertThat(Sizes.parse(text)).contains(bytes);
  }

  @ParameterizedTest
  @CsvSource({"8KB", "8 KiB", "-1", "KiB", "1.5KiB", "8kib", "999999999999TiB"})
  void other_forms_of_a_size_are_not(String text) {
    assertThat(Sizes.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"500ms,PT0.5S", "30s,PT30S", "5m,PT5M", "12h,PT12H", "0s,PT0S"})
  void durations_are_read(String text, Duration duration) {
    assertThat(Durations.parse(text)).contains(duration);
  }

  @ParameterizedTest
  @CsvSource({"30", "1d", "-1s", "1.5s", "30 s", "PT30S"})
  void other_forms_of_a_duration_are_not(String text) {
    assertThat(Durations.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "server.port,65536,a whole number from 0 to 65535",
    "server.port,-1,a whole number from 0 to 65535",
    "server.port,1e3,a whole number from 0 to 65535",
    "instances,0,auto (one per core) or a whole number from 1 to 1024",
    "transport,EPOLL,'one of auto, io_uring, epoll, kqueue, nio'",
    "http.header-size,8,a size from 1KiB to 1MiB",
    "http.keep-alive-timeout,60,'a duration from 1s to 24h, such as 30s'",
    "ws.compression,yes,on or off",
    "ws.origins,example.org,'same, * or origins such as https://example.org, separated by commas'",
    "profile,../x,the name of a profile",
    "server.host,'a b',an address or a host name"
  })
  void what_is_not_allowed_is_refused_with_what_is(String key, String value, String allowed) {
    var wish = new Assignment(key, value, Source.option("--set"));
    assertThatThrownBy(() -> Settings.of(List.of(List.of(wish))))
        .message()
        .startsWith(key + ": ")
        .contains(value)
        .endsWith(" is not " + allowed + " (option --set)");
  }

  @ParameterizedTest
  @CsvSource({
    "same,",
    "*,*",
    "https://example.org,https://example.org",
    "'https://a.org , http://b.org:8080',https://a.org;http://b.org:8080"
  })
  void origins_are_read(String text, @Nullable String origins) {
    var expected = origins == null ? List.<String>of() : List.of(origins.split(";", -1));
    assertThat(Kind.origins().reader().apply(text)).contains(expected);
  }

  @Test
  void a_long_value_is_cut_and_kept_on_one_line() {
    var wish = new Assignment("server.port", "x\ny".repeat(100), Source.option("--set"));
    assertThatThrownBy(() -> Settings.of(List.of(List.of(wish))))
        .message()
        .hasLineCount(1)
        .hasSizeLessThan(160);
  }

  @Test
  void one_instance_per_core_is_the_built_in() {
    assertThat(Settings.of(List.of()).value(Catalogue.INSTANCES))
        .isEqualTo(Runtime.getRuntime().availableProcessors());
  }
}
