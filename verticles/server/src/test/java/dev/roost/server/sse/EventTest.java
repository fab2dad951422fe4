package dev.roost.server.sse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTest {

  @Test
  void has_its_fields_in_order_and_ends_with_an_empty_line() {
    var event = new Event("news", Optional.of("7"), Optional.of("headline"));
    assertThat(event.encoded()).isEqualTo("id: 7\nevent: headline\ndata: news\n\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"one\ntwo", "one\r\ntwo", "one\rtwo"})
  void gives_every_line_of_its_data_a_field(String data) {
    assertThat(Event.of(data).encoded()).isEqualTo("data: one\ndata: two\n\n");
  }

  @Test
  void keeps_the_empty_lines_of_its_data() {
    assertThat(Event.of("").encoded()).isEqualTo("data:\n\n");
    assertThat(Event.of("one\n").encoded()).isEqualTo("data: one\ndata:\n\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\rb", "a\0b"})
  void refuses_an_id_that_would_break_the_stream(String id) {
    assertThatThrownBy(() -> new Event("x", Optional.of(id), Optional.empty()))
        .hasMessage("id: a line break or NUL is not allowed");
  }
}
