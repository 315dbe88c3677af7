package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class StreamedTextTest {

  private final AtomicLong clock = new AtomicLong();
  private final StreamedText stream = new StreamedText();

  @Test
  void pieces_have_the_time_of_their_arrival_and_their_length() {
    add(230, "src/");
    add(241, "auth.rs");

    assertThat(stream.finish()).isTrue();
    assertThat(stream.text()).isEqualTo("src/auth.rs");
    assertThat(stream.chunks())
        .isEqualTo(Chunks.builder().add(230, 4).add(241, 7).build());
  }

  @Test
  void half_of_a_character_belongs_to_the_piece_with_the_other_half() {
    add(1, "a\ud83d");
    add(2, "\ude00b\ud83d");
    add(3, "\ude01");

    stream.finish();
    assertThat(stream.text()).isEqualTo("a\ud83d\ude00b\ud83d\ude01");
    assertThat(stream.chunks())
        .isEqualTo(Chunks.builder().add(1, 1).add(2, 2).add(3, 1).build());
  }

  @Test
  void piece_of_half_a_character_alone_is_part_of_the_next_one() {
    add(1, "\ud83d");
    add(2, "\ude00");

    stream.finish();
    assertThat(stream.chunks()).isEqualTo(Chunks.builder().add(2, 1).build());
  }

  @Test
  void half_of_a_character_at_the_end_is_a_piece() {
    add(1, "a\ud83d");

    stream.finish();
    assertThat(stream.chunks()).isEqualTo(Chunks.builder().add(1, 1).add(1, 1).build());
    assertThat(stream.text()).isEqualTo("a\ud83d");
  }

  @Test
  void empty_pieces_are_ignored() {
    add(1, "");

    assertThat(stream.finish()).isFalse();
    assertThat(stream.chunks()).isSameAs(Chunks.NONE);
    assertThat(stream.text()).isEmpty();
  }

  @Test
  void time_that_goes_back_is_that_of_the_piece_before() {
    add(5, "a");
    add(3, "b");

    assertThat(stream.chunks()).isEqualTo(Chunks.builder().add(5, 1).add(5, 1).build());
  }

  @Test
  void piece_after_the_end_is_ignored() {
    add(1, "a");
    stream.finish();
    stream.finish();
    add(2, "b");

    assertThat(stream.text()).isEqualTo("a");
    assertThat(stream.chunks()).isEqualTo(Chunks.builder().add(1, 1).build());
  }

  @Test
  void pieces_of_several_threads_are_all_kept() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(new Thread(() -> {
        for (int k = 0; k < 500; k++) {
          stream.add(clock.incrementAndGet(), "ab");
        }
      }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    stream.finish();
    Chunks chunks = stream.chunks();
    assertThat(stream.text()).hasSize(8_000);
    assertThat(chunks.size()).isEqualTo(4_000);
    for (int i = 1; i < chunks.size(); i++) {
      assertThat(chunks.offsetMillis(i)).isGreaterThanOrEqualTo(chunks.offsetMillis(i - 1));
    }
  }

  @Property
  void text_is_found_again_in_its_pieces(@ForAll("pieces") List<String> pieces) {
    StreamedText any = new StreamedText();
    pieces.forEach(piece -> any.add(clock.incrementAndGet(), piece));
    any.finish();
    String text = any.text();
    Chunks chunks = any.chunks();

    assertThat(text).isEqualTo(String.join("", pieces));
    assertThat(chunks.totalLength()).isEqualTo(text.codePointCount(0, text.length()));
    int at = 0;
    for (int i = 0; i < chunks.size(); i++) {
      assertThat(chunks.length(i)).isPositive();
      int end = text.offsetByCodePoints(at, chunks.length(i));
      boolean splits = end < text.length()
          && Character.isLowSurrogate(text.charAt(end))
          && Character.isHighSurrogate(text.charAt(end - 1));
      assertThat(splits).isFalse();
      at = end;
    }
    assertThat(at).isEqualTo(text.length());
  }

  @Provide
  Arbitrary<List<String>> pieces() {
    return Arbitraries.strings()
        .withChars("ab\ud83d\ude00\u20ac")
        .ofMaxLength(3)
        .list()
        .ofMaxSize(12);
  }

  private void add(long millis, String piece) {
    stream.add(millis, piece);
  }

  @Test
  void place_is_stated_unless_the_text_is_the_first_of_its_length() {
    StreamedText text = new StreamedText();
    text.add(0, "he");
    text.add(1, "llo");

    assertThat(text.chunksIn(JsonString.of("hello")).place()).isNull();
    assertThat(text.chunksIn(JsonObject.of("id", "x", "text", "hello")).place()).isNull();
    assertThat(text.chunksIn(JsonObject.of("id", "resp1", "a/b", "hello")).place())
        .isEqualTo("/a~1b");
    assertThat(text.chunksIn(JsonObject.of("id", "resp1")).place()).isEmpty();
    assertThat(text.chunksIn(JsonObject.of("id", "x")).place()).isNull();
    assertThat(text.chunksIn(null)).isEqualTo(text.chunks());
  }
}
