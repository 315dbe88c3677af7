package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Buffers are used again: nothing of one call is seen by the next, or by another thread. */
@Tag("slow")
class ReuseTest {

  private static final byte[] TEXT = utf8("{\"b\":[1.50,{\"d\":1,\"c\":2}],\"a\":\"\\u00e9\"}");
  private static final String CANONICAL = "{\"a\":\"\u00e9\",\"b\":[1.5,{\"c\":2,\"d\":1}]}";
  private static final int THREADS = 4;

  static List<String> texts() {
    return List.of(
        "",
        "{\"b\":1,\"a\":2,",
        "{\"z\":{\"b\":1,\"a\":2},\"y\":{\"b\":1,\"a\":2},\"z\":1}",
        "[[[[[{\"b\":{\"a\":1e400}}]]]]]",
        "{\"b\":1,\"a\":2} x",
        "[1.0,{\"\ue000\":1,\"\ud83d\ude02\":2},9007199254740993",
        "{\"b\":\"" + "x".repeat(100_000),
        "[".repeat(1_001),
        "{\"b\":".repeat(999) + "1",
        "\"" + "x".repeat(3 << 20) + "\"",
        members(40_000),
        members(40_000).replace("}", ",\"n1\":2}"),
        "[" + "{\"b\":1,\"a\":2},".repeat(20_000) + "0]",
        "[" + "1e20,".repeat(300_000) + "0]",
        // values and names beyond what is kept, and then an error with many open ones
        "[[" + "1,".repeat(17_000) + "1],[" + "1,".repeat(100) + "}",
        "[" + members(17_000) + "," + members(100).replace("}", "]"));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void call_does_not_depend_on_the_one_before(String before) {
    for (CanonicalJson json : Outcome.PROFILES) {
      String first = Outcome.of(json, before).summary();

      assertThat(Outcome.of(json, TEXT).text()).isEqualTo(CANONICAL);
      assertThat(Outcome.of(json, before).summary()).isEqualTo(first);
    }
  }

  @ParameterizedTest
  @MethodSource("texts")
  void no_name_of_a_text_is_held_when_it_was_read_or_refused(String text) {
    JsonParser parser = new JsonParser(JsonLimits.defaults());
    byte[] utf8 = utf8(text);
    try {
      parser.parse(utf8, 0, utf8.length);
    } catch (JsonSyntaxException refused) {
      assertThat(refused.detail()).isNotEmpty();
    }
    parser.release();

    assertThat(parser.names).containsOnlyNulls();
  }

  @ParameterizedTest
  @MethodSource("texts")
  void parser_of_many_texts_returns_what_one_for_each_returns(String text) {
    byte[] utf8 = utf8(text);
    String expected = document(() -> JsonDocument.parse(utf8, 0, utf8.length));
    DocumentParser parser = new DocumentParser();
    for (int i = 0; i < 3; i++) {
      assertThat(document(() -> parser.parse(utf8, 0, utf8.length))).isEqualTo(expected);
      parser.close();
      parser.close();
      assertThat(parser.parse(TEXT, 0, TEXT.length).value()).isEqualTo(JsonText.parse(TEXT));
    }
    assertThatThrownBy(() -> parser.parse(utf8, 1, utf8.length + 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static String document(Supplier<JsonDocument> parse) {
    try {
      JsonDocument document = parse.get();
      return document.isCanonical(CanonicalJson.SERDE) + document.value().toString();
    } catch (JsonSyntaxException refused) {
      return refused.getMessage() + List.of(refused.getSuppressed());
    }
  }

  @Test
  void result_is_not_changed_by_the_next_call() {
    CanonicalForm form = CanonicalJson.SERDE.form(TEXT);
    byte[] bytes = CanonicalJson.SERDE.bytes(TEXT);
    CanonicalForm ofValue = CanonicalJson.SERDE.form(JsonText.parse(TEXT));

    CanonicalJson.SERDE.form(utf8("[\"" + "x".repeat(400) + "\"]"));
    CanonicalJson.SERDE.form(JsonText.parse("[\"" + "x".repeat(400) + "\"]"));
    Arrays.fill(form.bytes(), (byte) 0);

    assertThat(form.text()).isEqualTo(CANONICAL);
    assertThat(ofValue.text()).isEqualTo(CANONICAL);
    assertThat(bytes).isEqualTo(utf8(CANONICAL));
  }

  @Test
  void text_is_not_changed() {
    byte[] text = TEXT.clone();
    CanonicalJson.SERDE.form(text);

    assertThat(text).isEqualTo(TEXT);
  }

  @Test
  void several_threads_get_right_results_from_one_instance() throws Exception {
    List<String> texts = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String text = i % 7 == 3
          ? "[" + i + ",}"
          : "{\"n\":%d.50,\"m\":{\"b\":\"%s\",\"a\":[%d]}}"
              .formatted(i, "\\u00e9x".repeat(i * 7 % 300), i);
      texts.add(text);
      expected.add(Outcome.of(CanonicalJson.SERDE.withRoundedIntegers(), text).summary());
    }
    CanonicalJson shared = CanonicalJson.SERDE.withLimits(JsonLimits.defaults());
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CountDownLatch start = new CountDownLatch(THREADS);
      List<Future<List<String>>> results = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        boolean byValue = thread % 2 == 1;
        Callable<List<String>> task = () -> {
          start.countDown();
          start.await();
          List<String> got = new ArrayList<>();
          for (int round = 0; round < 25; round++) {
            got.clear();
            for (String text : texts) {
              got.add(summary(shared, text, byValue));
            }
            if (!got.equals(expected)) {
              break;
            }
          }
          return got;
        };
        results.add(threads.submit(task));
      }
      for (Future<List<String>> result : results) {
        assertThat(result.get()).isEqualTo(expected);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static String summary(CanonicalJson json, String text, boolean byValue) {
    try {
      if (byValue) {
        JsonValue value = JsonText.parse(text);
        CanonicalForm form = json.form(value);
        return json.hash(value).equals(form.hash()) ? form.text() : "wrong hash";
      }
      CanonicalForm form = json.form(utf8(text));
      return json.hash(utf8(text)).equals(form.hash()) ? form.text() : "wrong hash";
    } catch (JsonSyntaxException refusal) {
      return refusal.reason() + " at " + refusal.offset();
    }
  }

  private static String members(int count) {
    StringBuilder text = new StringBuilder("{\"n0\":0");
    for (int i = count - 1; i > 0; i--) {
      text.append(",\"n").append(i).append("\":1");
    }
    return text.append('}').toString();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
