package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChunksTest {

  @Test
  void pieces_are_kept_in_their_order() {
    Chunks.Builder builder = Chunks.builder();
    for (int i = 0; i < 100; i++) {
      builder.add(10L * i, i + 1);
    }
    Chunks chunks = builder.build();

    assertThat(chunks.size()).isEqualTo(100);
    assertThat(chunks.offsetMillis(99)).isEqualTo(990);
    assertThat(chunks.length(99)).isEqualTo(100);
    assertThat(chunks.totalLength()).isEqualTo(5_050);
    assertThat(chunks.timeToFirstMillis()).isZero();
    assertThatThrownBy(() -> chunks.length(100)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void no_pieces_have_no_first_one() {
    assertThat(Chunks.builder().build()).isSameAs(Chunks.NONE);
    assertThat(Chunks.NONE.isEmpty()).isTrue();
    assertThat(Chunks.NONE.timeToFirstMillis()).isNull();
    assertThat(Chunks.NONE.totalLength()).isZero();
    assertThat(Chunks.NONE).hasToString("[]");
  }

  @Test
  void equality_is_that_of_times_and_lengths() {
    Chunks chunks = Chunks.builder().add(230, 5).add(241, 12).build();

    assertThat(chunks).hasToString("[[230,5],[241,12]]");
    assertThat(chunks).isEqualTo(Chunks.builder().add(230, 5).add(241, 12).build());
    assertThat(chunks)
        .hasSameHashCodeAs(Chunks.builder().add(230, 5).add(241, 12).build());
    assertThat(chunks)
        .isNotEqualTo(Chunks.builder().add(230, 5).add(241, 13).build())
        .isNotEqualTo(Chunks.builder().add(230, 5).add(240, 12).build())
        .isNotEqualTo(Chunks.builder().add(230, 5).build())
        .isNotEqualTo("[[230,5],[241,12]]");
  }

  @Test
  void streamed_text_is_the_first_one_of_its_length_or_where_the_place_says() {
    Chunks chunks = Chunks.builder().add(0, 2).add(1, 3).build();
    JsonObject value = JsonObject.of("a/b", JsonArray.of(1, "12345"), "text", "hello");

    assertThat(chunks.textIn(value)).isEqualTo("12345");
    assertThat(chunks.withPlace("/text").textIn(value)).isEqualTo("hello");
    assertThat(chunks.withPlace("/a~1b/1").textIn(value)).isEqualTo("12345");
    assertThat(chunks.textIn(JsonString.of("hello"))).isEqualTo("hello");
    assertThat(chunks.textIn(JsonString.of("hell"))).isNull();
    assertThat(chunks.textIn(null)).isNull();
    assertThat(Chunks.NONE.textIn(JsonString.of(""))).isNull();
    for (String place : List.of("", "/a~1b/0", "/missing", "text", "/~2")) {
      assertThat(chunks.withPlace(place).textIn(value)).as(place).isNull();
    }
    assertThat(chunks.withPlace("/text"))
        .isNotEqualTo(chunks)
        .isEqualTo(chunks.withPlace("/text"))
        .hasSameHashCodeAs(chunks.withPlace("/text"));
  }

  @Test
  void builder_may_be_used_again() {
    Chunks.Builder builder = Chunks.builder().add(1, 1);
    Chunks one = builder.build();
    builder.add(2, 2);

    assertThat(one.size()).isEqualTo(1);
    assertThat(builder.build().size()).isEqualTo(2);
  }

  @Test
  void lengths_do_not_overflow_their_sum() {
    Chunks chunks =
        Chunks.builder().add(0, Integer.MAX_VALUE).add(0, Integer.MAX_VALUE).build();

    assertThat(chunks.totalLength()).isEqualTo(2L * Integer.MAX_VALUE);
  }
}
