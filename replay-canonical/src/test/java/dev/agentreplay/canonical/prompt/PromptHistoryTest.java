package dev.agentreplay.canonical.prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Decoded;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.Conversation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PromptHistoryTest {

  @Property
  void expands_to_what_the_model_was_given(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int lanes, @ForAll boolean jcs)
      throws IOException {
    CanonicalJson canonical = jcs ? CanonicalJson.JCS : CanonicalJson.SERDE;
    PromptHistory writer = new PromptHistory(content -> null);
    PromptHistory reader = new PromptHistory(content -> null);
    List<Conversation> conversations = new ArrayList<>();
    for (int i = 0; i < lanes; i++) {
      conversations.add(new Conversation(seed + i));
    }
    Random random = new Random(seed);
    for (int turn = 0; turn < 40 + 4 * lanes; turn++) {
      JsonObject prompt = conversations.get(random.nextInt(lanes)).next();
      String id = "model-" + random.nextInt(50); // ids may be used again
      PromptHistory.Shortened shortened = writer.shorten(call(id, prompt), canonical);
      if (random.nextInt(10) > 0) { // otherwise it was not written
        writer.add(shortened, shortened.call());
        ModelCall read = roundTrip(shortened.call());
        assertThat(reader.read(read)).isEqualTo(new FullPrompt.Known(prompt, true));
        assertThat(reader.lastHash(canonical)).isEqualTo(canonical.hash(prompt));
        if (read.promptDelta() != null) {
          assertThat(read.prompt()).isEqualTo(Content.ofHash(canonical.hash(prompt)));
        }
      }
    }
  }

  @Test
  void growth_and_windows_and_compaction_write_only_what_is_new() {
    List<JsonValue> messages = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      messages.add(JsonObject.of("role", "user", "content", "message " + i));
    }
    JsonObject prompt = JsonObject.of("system", "s".repeat(100), "messages", messages);
    JsonValue added = JsonObject.of("role", "user", "content", "new");

    assertThat(delta(prompt, prompt.with("messages", with(messages, 6, added))))
        .hasToString("{\"base\":\"a\",\"slices\":{\"/messages\":[{\"from\":0,\"to\":6},{\"new\":["
            + added + "]}]}}");
    assertThat(delta(prompt, prompt.with("messages", messages.subList(2, 6))))
        .hasToString("{\"base\":\"a\",\"slices\":{\"/messages\":[{\"from\":2,\"to\":6}]}}");
    List<JsonValue> compacted = new ArrayList<>(List.of(messages.get(0), added));
    compacted.addAll(messages.subList(4, 6));
    assertThat(delta(prompt, prompt.with("messages", compacted)))
        .hasToString("{\"base\":\"a\",\"slices\":{\"/messages\":[{\"from\":0,\"to\":1},{\"new\":["
            + added + "]},{\"from\":4,\"to\":6}]}}");
    assertThat(delta(prompt, prompt.without("system").with("context", 1)))
        .hasToString("{\"base\":\"a\",\"removed\":[\"/system\"],\"set\":{\"/context\":1}}");
    assertThat(delta(prompt, prompt)).hasToString("{\"base\":\"a\"}");
  }

  private static List<JsonValue> with(List<JsonValue> messages, int at, JsonValue added) {
    List<JsonValue> longer = new ArrayList<>(messages);
    longer.add(at, added);
    return longer;
  }

  private static JsonValue delta(JsonObject base, JsonObject prompt) {
    PromptHistory history = new PromptHistory(content -> null);
    add(history, call("a", base));
    PromptDelta delta =
        history.shorten(call("b", prompt), CanonicalJson.SERDE).call().promptDelta();
    assertThat(delta).isNotNull();
    return delta.json();
  }

  @Test
  void unrelated_prompts_are_written_in_full() {
    PromptHistory history = new PromptHistory(content -> null);
    add(history, call("a", Prompt.of("one").json()));
    ModelCall other = call("b", Prompt.of("two").json());
    assertThat(history.shorten(other, CanonicalJson.SERDE).call()).isSameAs(other);
  }

  private static void add(PromptHistory history, ModelCall call) {
    PromptHistory.Shortened shortened = history.shorten(call, CanonicalJson.SERDE);
    history.add(shortened, shortened.call());
  }

  @Test
  void the_base_is_among_the_last_calls_only() throws IOException {
    PromptHistory history = new PromptHistory(content -> null);
    history.read(call("first", Prompt.of("one").json()));
    for (int i = 1; i < PromptDelta.MAX_CALLS; i++) {
      history.read(call("other-" + i, Prompt.of("two").json()));
    }
    ModelCall change =
        call("other-1", JsonObject.EMPTY).asChange(PromptDelta.from("first").build(), null);
    assertThat(history.read(change))
        .isEqualTo(new FullPrompt.Known(Prompt.of("one").json(), true));
    history.read(call("last", Prompt.of("two").json()));
    assertThat(history.read(change))
        .isEqualTo(
            new FullPrompt.Unknown("none of the last model calls has the id \"first\"", true));
  }

  @Test
  void large_prompts_push_older_ones_out() throws IOException {
    PromptHistory history = new PromptHistory(content -> null);
    history.read(call("small", Prompt.of("one").json()));
    for (int i = 0; i < 4; i++) {
      history.read(call("large-" + i, Prompt.of("x".repeat(8 << 20)).json()));
    }
    assertThat(history.find(
            call("x", JsonObject.EMPTY).asChange(PromptDelta.from("small").build(), null)))
        .isInstanceOf(FullPrompt.Unknown.class);
    assertThat(history.find(
            call("x", JsonObject.EMPTY).asChange(PromptDelta.from("large-3").build(), null)))
        .isInstanceOf(FullPrompt.Known.class);
  }

  @Test
  void many_lanes_in_turn_write_only_what_is_new() {
    PromptHistory history = new PromptHistory(content -> null);
    List<List<JsonValue>> lanes = new ArrayList<>();
    for (int turn = 0; turn < 5; turn++) {
      for (int lane = 0; lane < 40; lane++) {
        if (turn == 0) {
          lanes.add(new ArrayList<>());
        }
        lanes
            .get(lane)
            .add(JsonValue.of("message " + turn + " of " + lane + " " + "x".repeat(500)));
        JsonObject prompt = JsonObject.of("messages", JsonArray.copyOf(lanes.get(lane)));
        String id = "model-" + turn + "-" + lane;
        PromptHistory.Shortened shortened = history.shorten(
            call(id, prompt).withMeta(Meta.NONE.withAgent("agent-" + lane)), CanonicalJson.SERDE);
        history.add(shortened, shortened.call());
        PromptDelta delta = shortened.call().promptDelta();
        if (turn > 0) {
          assertThat(delta).isNotNull();
          assertThat(delta.base()).isEqualTo("model-" + (turn - 1) + "-" + lane);
        }
      }
    }
  }

  @Test
  void the_base_is_the_prompt_with_the_least_that_is_new() {
    PromptHistory history = new PromptHistory(content -> null);
    JsonObject document = Prompt.of("x".repeat(10_000)).json();
    add(history, call("with", document));
    add(history, call("without", document.with("messages", JsonArray.of("short"))));
    JsonArray messages = JsonArray.of(document.get("messages").asArray().get(0), "short", "new");
    assertThat(history
            .shorten(call("again", document.with("messages", messages)), CanonicalJson.SERDE)
            .call()
            .promptDelta()
            .base())
        .isEqualTo("with");
  }

  @Test
  void a_prompt_that_is_nested_too_deep_for_a_change_is_written_in_full() throws IOException {
    JsonValue deep = JsonValue.of(1);
    while (deep.depth() < JsonValue.MAX_DEPTH - 4) {
      deep = JsonArray.of(deep);
    }
    PromptHistory history = new PromptHistory(content -> null);
    add(history, call("a", Prompt.of("one").json()));
    JsonObject prompt = Prompt.of("one").json().with("context", deep);
    assertThat(history.shorten(call("b", prompt), CanonicalJson.SERDE).call().promptDelta())
        .isNull();
  }

  @Test
  void a_change_that_is_nested_too_deep_is_invalid() throws IOException {
    JsonValue deep = JsonValue.of(1);
    while (deep.depth() < JsonValue.MAX_DEPTH - 3) {
      deep = JsonArray.of(deep);
    }
    PromptHistory history = new PromptHistory(content -> null);
    history.read(call("a", JsonObject.of("a", JsonObject.of("b", JsonObject.of("c", 1)))));
    PromptDelta delta =
        PromptDelta.from("a").set(JsonPointer.parse("/a/b/c"), deep).build();
    assertThat(history.read(call("b", JsonObject.EMPTY).asChange(delta, null)))
        .isEqualTo(new FullPrompt.Unknown(
            "it does not fit the prompt of the call \"a\": it would be nested deeper than 999",
            true));
  }

  @Test
  void a_full_prompt_has_a_maximum_size() throws IOException {
    JsonValue half = JsonValue.of("x".repeat((int) (PromptDelta.MAX_SIZE / 2)));
    PromptHistory history = new PromptHistory(content -> null);
    history.read(call("a", JsonObject.of("messages", JsonArray.of("one", half))));
    assertThat(history.find(call("b", JsonObject.EMPTY).asChange(appended(half), null)))
        .isEqualTo(new FullPrompt.Unknown(
            "it does not fit the prompt of the call \"a\": its size would be 33554483,"
                + " the maximum is 33554432",
            true));
    assertThat(
            history.find(call("b", JsonObject.EMPTY).asChange(appended(JsonValue.of("two")), null)))
        .isInstanceOf(FullPrompt.Known.class);

    JsonObject tooLarge = JsonObject.of("messages", JsonArray.of("one", half, half));
    assertThat(history.shorten(call("b", tooLarge), CanonicalJson.SERDE).call().promptDelta())
        .isNull();
  }

  /** A change of the prompt "a" with a message after the first ones. */
  private static PromptDelta appended(JsonValue message) {
    PromptDelta.Parts parts = new PromptDelta.Parts();
    parts.take(0);
    parts.take(1);
    parts.add(message);
    return PromptDelta.from("a").slices(JsonPointer.parse("/messages"), parts).build();
  }

  @Test
  void elements_that_changes_take_count_among_the_last_prompts() throws IOException {
    int elements = (int) (PromptDelta.MAX_SIZE / 8 / 4);
    JsonObject prompt =
        JsonObject.of("messages", JsonArray.copyOf(Collections.nCopies(elements, JsonValue.of(1))));
    PromptHistory history = new PromptHistory(content -> null);
    history.read(call("a", prompt));
    for (int i = 0; i < 3; i++) {
      PromptDelta.Parts parts = new PromptDelta.Parts();
      IntStream.range(0, elements).forEach(parts::take);
      history.read(call("b" + i, JsonObject.EMPTY)
          .asChange(
              PromptDelta.from(i == 0 ? "a" : "b" + (i - 1))
                  .slices(JsonPointer.parse("/messages"), parts)
                  .build(),
              null));
    }
    assertThat(history.find(
            call("x", JsonObject.EMPTY).asChange(PromptDelta.from("a").build(), null)))
        .isInstanceOf(FullPrompt.Unknown.class);
    assertThat(history.find(
            call("x", JsonObject.EMPTY).asChange(PromptDelta.from("b0").build(), null)))
        .isInstanceOf(FullPrompt.Known.class);
  }

  @Test
  void a_large_part_that_is_dropped_does_not_count() throws IOException {
    JsonValue half = JsonValue.of("x".repeat((int) (PromptDelta.MAX_SIZE / 2)));
    PromptHistory history = new PromptHistory(content -> null);
    history.read(call("a", JsonObject.of("messages", JsonArray.of("one", half))));
    PromptDelta.Parts parts = new PromptDelta.Parts();
    parts.take(0);
    parts.add(half);
    PromptDelta delta =
        PromptDelta.from("a").slices(JsonPointer.parse("/messages"), parts).build();

    assertThat(history.read(call("b", JsonObject.EMPTY).asChange(delta, null)))
        .isInstanceOf(FullPrompt.Known.class);
  }

  @Test
  void a_base_that_is_not_an_object_is_a_contradiction() throws IOException {
    PromptHistory history = new PromptHistory(content -> null);
    history.read(call("a", JsonObject.EMPTY).withPrompt(Content.of(JsonValue.of("text"))));
    assertThat(history.read(
            call("b", JsonObject.EMPTY).asChange(PromptDelta.from("a").build(), null)))
        .isEqualTo(new FullPrompt.Unknown("the prompt of the call \"a\" is not an object", true));
  }

  @Test
  void a_prompt_in_a_blob_is_read_when_it_is_a_base() throws IOException {
    JsonObject prompt = Prompt.of("one").json();
    ContentHash hash = CanonicalJson.SERDE.hash(prompt);
    Content blob = new Content(null, hash, BlobRef.of(hash, 10), null);
    List<Content> found = new ArrayList<>();
    PromptHistory history = new PromptHistory(content -> {
      found.add(content);
      return prompt;
    });
    assertThat(history.read(call("a", prompt).withPrompt(blob)))
        .isEqualTo(new FullPrompt.Unknown("the log does not hold the prompt", false));
    assertThat(found).isEmpty();
    ModelCall change = call("b", prompt).asChange(PromptDelta.from("a").build(), hash);
    assertThat(history.read(change)).isEqualTo(new FullPrompt.Known(prompt, true));
    assertThat(found).containsExactly(blob);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"base":"a","slices":{"/messages":[{"from":0,"to":2}]}}                     | /messages: 0 to 2: the base has 1 elements
          {"base":"a","slices":{"/messages":[{"from":0,"to":1},{"from":0,"to":1}]}}   | /messages: element 0 of the base is taken twice
          {"base":"a","slices":{"/tools":[]}}                                         | the prompt of the base has no array at /tools
          {"base":"a","slices":{"/system":[]}}                                        | the prompt of the base has no array at /system
          {"base":"a","removed":["/tools"]}                                           | the prompt of the base has no member /tools
          {"base":"a","set":{"/context/tools":1}}                                     | the prompt of the base has no member /context/tools
          """)
  void a_change_that_does_not_fit_its_base_is_invalid(String json, String message)
      throws IOException {
    PromptHistory history = new PromptHistory(content -> null);
    history.read(call("a", Prompt.of("one").withSystem("s").json()));
    PromptDelta delta = new PromptDelta(JsonText.parse(json).asObject());
    assertThat(history.read(call("b", JsonObject.EMPTY).asChange(delta, null)))
        .isEqualTo(new FullPrompt.Unknown(
            "it does not fit the prompt of the call \"a\": " + message, true));
  }

  @Test
  void a_stated_hash_is_checked() {
    PromptHistory history = new PromptHistory(content -> null);
    JsonObject prompt = Prompt.of("one").json();
    add(history, call("a", prompt));
    ModelCall wrong = call("b", prompt)
        .withPrompt(new Content(prompt, ContentHash.sha256(new byte[1]), null, null));
    assertThatThrownBy(() -> history.shorten(wrong, CanonicalJson.SERDE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ModelCall has the prompt_hash sha256:6e34");
  }

  private static ModelCall call(String id, JsonObject prompt) {
    return ModelCall.of(id, "m", new Prompt(prompt));
  }

  private static ModelCall roundTrip(ModelCall call) throws IOException {
    LineEncoder encoder = LineEncoder.of(Dialect.EVENT);
    encoder.encode(call, Timestamp.parse("2026-01-13T10:00:00Z"));
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    encoder.writeTo(line);
    JsonObject read =
        JsonText.parse(line.toString(StandardCharsets.UTF_8).strip()).asObject();
    Decoded decoded = Dialect.EVENT.decode(read);
    assertThat(decoded.findings()).isEmpty();
    return (ModelCall) decoded.event();
  }
}
