package dev.roost.gate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class JsonObjectTest {

  @Test
  void members_stay_in_the_order_they_were_added() {
    var json =
        new JsonObject()
            .put("z", 1)
            .put("a", 1.5)
            .put("none", OptionalLong.empty())
            .putAll("list", List.of("x", "y"))
            .putAll("counts", Map.of("GOOD", 3))
            .put("inner", new JsonObject().putAll("objects", List.of(new JsonObject())));
    assertThat(json)
        .hasToString(
            """
            {"z":1,"a":1.500,"none":null,"list":["x","y"],"counts":{"good":3},\
            "inner":{"objects":[{}]}}""");
  }

  @Test
  void what_would_break_a_string_is_escaped() {
    assertThat(new JsonObject().put("t", "a\"b\\c\nd\te\u0001é"))
        .hasToString("{\"t\":\"a\\\"b\\\\c\\nd\\u0009e\\u0001é\"}");
  }
}
