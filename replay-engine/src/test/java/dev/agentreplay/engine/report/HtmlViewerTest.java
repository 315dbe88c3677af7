package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.report.embedded.ScriptWriter;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as it is written. */
class HtmlViewerTest {

  private static final Pattern DATA = Pattern.compile(
      "<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);

  @TempDir
  Path home;

  private static String page(Session session) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HtmlViewer.render(session, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String page(Session left, Session right) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HtmlViewer.render(SessionDiff.between(left, right), left, right, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String dataText(String page) {
    Matcher data = DATA.matcher(page);
    assertThat(data.find()).isTrue();
    return data.group(1);
  }

  private static JsonObject data(String page) {
    return JsonText.parse(dataText(page)).asObject();
  }

  @Test
  void hostile_values_write_no_character_of_markup() throws IOException {
    Session session = ViewedSessions.write(home, ViewedSessions.hostile());
    String page = page(session);
    assertThat(dataText(page)).doesNotContain("<", ">", "&", "\u2028", "\u2029");
    // markup of the page itself, and no other
    assertThat(page.split("<script", -1)).hasSize(3);
    JsonArray events = data(page).at("/sessions/0/events").asArray();
    String first =
        JsonText.parse(events.get(2).at("/json").asString()).at("/tool").asString();
    assertThat(first).isEqualTo(ViewedSessions.HOSTILE.get(0));
  }

  @Test
  void a_hostile_name_is_text_in_the_title() throws IOException {
    Session session = ViewedSessions.write(home.resolve("<b>\u202e & c"), List.of());
    assertThat(page(session)).contains("<title>&lt;b&gt;\ufffd &amp; c</title>");
  }

  @Test
  void page_permits_its_own_script_style_and_images_only() throws Exception {
    String page = page(ViewedSessions.write(home, List.of()));
    PageData.assertLockedWithImages(page);
  }

  @Test
  void script_and_style_of_each_page_are_small() throws IOException {
    for (ViewerPage page : List.of(ViewerPage.SESSION, ViewerPage.CONVERSATION)) {
      String whole = page.head() + page.middle() + page.tail();
      int size = between(whole, "<script>", "</script>").length()
          + between(whole, "<style>", "</style>").length();
      assertThat(size).isBetween(10_000, 3_000_000);
    }
  }

  @Test
  void page_is_titled_by_the_task_if_the_directory_has_a_generated_name() throws IOException {
    Session team = TeamSessions.team(home.resolve("5f0e6c1a-9a52-4c8e-8a16-2b7a9e6d0c31"));
    String title = "Coder.improve: Make the slow tests of the build fast, 2026-01-13 10:00 UTC";
    assertThat(page(team)).contains("<title>" + title + "</title>");

    Session named = ViewedSessions.write(home.resolve("named"), ViewedSessions.calls(1));
    assertThat(page(team, named)).contains("<title>" + title + " and ");
    JsonObject facts = data(page(team)).at("/sessions/0/facts").asObject();
    assertThat(facts.has("directory")).isFalse();
    assertThat(data(page(named)).at("/sessions/0/facts/label").asString()).isEqualTo("named");
  }

  @Test
  @Tag("slow")
  void status_and_summary_are_there_also_without_the_last_event() throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      events.addAll(ViewedSessions.call("c" + i, "t", "p", "x".repeat(60_000), true));
    }
    JsonObject session =
        data(page(ViewedSessions.write(home, events))).at("/sessions/0").asObject();
    assertThat(session.find("/events/1402/json")).isNull();
    assertThat(session.at("/facts/end/status").asString()).isEqualTo("Success");
    assertThat(session.at("/facts/end/ok").asBoolean()).isTrue();
  }

  @Test
  void event_of_an_agent_names_the_line_of_the_call_that_started_it() throws IOException {
    List<ReplayEvent> events = new ArrayList<>(ViewedSessions.agents());
    ReplayEvent own = ToolCall.of("root", "t", JsonObject.EMPTY); // the id of the call, used again
    events.add(own.withMeta(own.meta().withAgent("agent <b>0").withParent("root")));
    ReplayEvent lost = ToolCall.of("lost", "t", JsonObject.EMPTY);
    events.add(lost.withMeta(lost.meta().withAgent("agent <b>0").withParent("unknown")));
    events.addAll(ViewedSessions.agents().subList(2, 4));
    JsonArray written =
        data(page(ViewedSessions.write(home, events))).at("/sessions/0/events").asArray();

    assertThat(stream(written).filter(e -> e.find("/agent") != null))
        .extracting(e -> e.find("/parent") == null ? 0 : e.at("/parent").asLong())
        .contains(0L)
        .containsOnly(0L, 3L);
    assertThat(written.get(written.size() - 2).at("/parent").asLong()).isEqualTo(3);
  }

  private static String between(String page, String begin, String end) {
    int from = page.indexOf(begin) + begin.length();
    return page.substring(from, page.indexOf(end, from));
  }

  @Test
  void the_same_sessions_make_the_same_page() throws IOException {
    Session left = ViewedSessions.write(home.resolve("a"), ViewedSessions.calls(5));
    Session right = ViewedSessions.write(home.resolve("b"), ViewedSessions.calls(7));
    assertThat(page(left)).isEqualTo(page(left)).isNotEqualTo(page(right));
    assertThat(page(left, right)).isEqualTo(page(left, right));
  }

  @Test
  void of_more_events_than_the_limit_the_first_and_the_last_are_there_and_all_are_counted()
      throws IOException {
    Session session = ViewedSessions.write(home, ViewedSessions.calls(30));
    StringWriter text = new StringWriter();
    new ViewerData(new ScriptWriter(text), ViewerOptions.defaults(), 11).write(session);
    JsonObject written = JsonText.parse(text.toString()).at("/sessions/0").asObject();
    JsonArray events = written.at("/events").asArray();
    long lines = written.at("/lines").asLong();

    assertThat(events.size()).isEqualTo(11);
    assertThat(events.get(0).at("/line").asLong()).isEqualTo(1);
    assertThat(events.get(4).at("/line").asLong()).isEqualTo(5);
    assertThat(events.get(5).at("/line").asLong()).isEqualTo(lines - 5);
    assertThat(events.get(10).at("/line").asLong()).isEqualTo(lines);
    assertThat(events.get(10).at("/kind").asString()).isEqualTo("SessionEnd");
    assertThat(JsonText.parse(events.get(10).at("/json").asString()).find("/status"))
        .isNotNull();
    assertThat(written.at("/totals/calls").asLong()).isEqualTo(30);
    assertThat(written.at("/totals/answered").asLong()).isEqualTo(30);
    assertThat(written.at("/cut/line").asLong()).isEqualTo(lines - 5);
    long before = written.at("/cut/calls").asLong();
    long after = stream(events).skip(5).filter(e -> kind(e).equals("ToolCall")).count();
    assertThat(before + after).isEqualTo(30);
    // the result of a call in the cut names its line all the same
    assertThat(stream(events).filter(e -> kind(e).equals("ToolResult")))
        .isNotEmpty()
        .allSatisfy(result -> assertThat(result.find("/answers")).isNotNull());
  }

  private static Stream<JsonValue> stream(JsonArray array) {
    return IntStream.range(0, array.size()).mapToObj(array::get);
  }

  private static String kind(JsonValue event) {
    return event.at("/kind").asString();
  }

  @Test
  void of_no_more_events_than_the_limit_nothing_is_cut() throws IOException {
    JsonObject written = data(page(ViewedSessions.write(home, ViewedSessions.calls(3))))
        .at("/sessions/0")
        .asObject();

    assertThat(written.has("cut")).isFalse();
    assertThat((long) written.at("/events").asArray().size())
        .isEqualTo(written.at("/lines").asLong());
  }

  @Test
  void a_result_names_the_line_of_its_call() throws IOException {
    List<ReplayEvent> events = new ArrayList<>(ViewedSessions.calls(2));
    events.add(1, events.remove(2)); // both calls, then both results
    JsonArray written =
        data(page(ViewedSessions.write(home, events))).at("/sessions/0/events").asArray();
    assertThat(written.get(4).at("/answers").asLong()).isEqualTo(3);
    assertThat(written.get(5).at("/answers").asLong()).isEqualTo(4);
    assertThat(written.get(5).at("/main").asString()).isEqualTo("output");
    assertThat(written.get(5).at("/latency").asLong()).isEqualTo(40);
    assertThat(written.get(5).at("/ok").asBoolean()).isTrue();
  }

  @Test
  void a_long_value_is_cut_and_its_size_shown() throws IOException {
    String output = "x".repeat(300_000);
    List<ReplayEvent> events = ViewedSessions.call("1", "t", "p", output, true);
    JsonArray written =
        data(page(ViewedSessions.write(home, events))).at("/sessions/0/events").asArray();
    assertThat(written.get(3).at("/json").asString()).hasSizeBetween(10_000, ViewerData.VALUE);
    assertThat(written.get(3).at("/cuts/0/0").asString()).isEqualTo("/output");
    assertThat(written.get(3).at("/cuts/0/1").asLong()).isEqualTo(300_000);
  }

  @Test
  @Tag("slow")
  void beyond_the_total_a_value_is_left_out_and_its_size_shown() throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      events.addAll(ViewedSessions.call("c" + i, "t", "p", "x".repeat(60_000), true));
    }
    String page = page(ViewedSessions.write(home, events));
    assertThat(page.length()).isLessThan((int) ViewerData.TOTAL + 2_000_000);
    JsonArray written = data(page).at("/sessions/0/events").asArray();
    assertThat(written.size()).isEqualTo(1403);
    assertThat(written.get(1401).find("/json")).isNull();
    assertThat(written.get(1401).at("/size").asLong()).isGreaterThan(60_000);
  }

  @Test
  void a_missing_blob_is_reported() throws IOException {
    ReplayEvent call = ViewedSessions.call("1", "t", "p", "o", true).get(0);
    ContentHash hash = ContentHash.sha256(new byte[] {1});
    Content content = new Content(null, hash, BlobRef.of(hash, 2_000_000), null);
    ReplayEvent result = ToolResult.of("1", "o").withOutput(content).withLatencyMillis(1L);
    Session session = ViewedSessions.write(home, List.of(call, result));
    assertThat(data(page(session)).at("/sessions/0/events/3/blob/problem").asString())
        .isEqualTo("the file is missing");
  }

  @Test
  void a_blob_that_several_results_refer_to_is_in_the_page_once() throws IOException {
    JsonArray events = data(page(ViewedSessions.withSharedBlob(home, "the kept value")))
        .at("/sessions/0/events")
        .asArray();
    assertThat(events.get(3).at("/blob/json").asString()).isEqualTo("\"the kept value\"");
    assertThat(events.get(5).at("/blob").asObject().names()).containsExactly("hash", "bytes");
    assertThat(events.get(5).at("/blob/hash")).isEqualTo(events.get(3).at("/blob/hash"));
  }

  @Test
  @Tag("slow")
  void a_blob_beyond_the_total_is_not_read() throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      events.addAll(ViewedSessions.call("c" + i, "t", "p", "x".repeat(60_000), true));
    }
    ContentHash hash = ContentHash.sha256(new byte[] {1});
    events.add(ToolCall.of("b", "t", JsonObject.EMPTY));
    events.add(ToolResult.of("b", "o")
        .withOutput(new Content(null, hash, BlobRef.of(hash, 3), null))
        .withLatencyMillis(1L));
    ViewedSessions.write(home, events);
    // reading it would say that it is not the blob that it is called
    Path blobs = Files.createDirectories(home.resolve("blobs"));
    Files.writeString(blobs.resolve(hash.toString().replace(':', '-') + ".json"), "[1]");
    JsonArray written = data(page(Session.open(home))).at("/sessions/0/events").asArray();
    assertThat(written.get(written.size() - 2).at("/blob/problem").asString())
        .isEqualTo("not in this file: the limit for embedded values is reached");
  }

  @Test
  void the_member_that_holds_the_output_is_distinguished_from_equal_ones() throws IOException {
    List<ReplayEvent> events = ViewedSessions.call("7", "t", "t", "7", true);
    JsonArray written =
        data(page(ViewedSessions.write(home, events))).at("/sessions/0/events").asArray();
    assertThat(written.get(3).at("/main").asString()).isEqualTo("output");
  }

  @Test
  void a_log_is_written_while_it_is_read_and_an_unreadable_line_fails_the_page()
      throws IOException {
    Session session = ViewedSessions.write(home, ViewedSessions.calls(2_000));
    Files.writeString(session.log(), "not JSON\n", StandardOpenOption.APPEND);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThatThrownBy(() -> HtmlViewer.render(session, out))
        .isInstanceOf(ReplayFormatException.class)
        .hasMessageContaining("line 4004");
    assertThat(out.size()).isGreaterThan(500_000);
  }

  @Test
  void a_comparison_has_its_pairs_and_what_differs() throws IOException {
    List<ReplayEvent> before = ViewedSessions.call("1", "read", "a", "same", true);
    List<ReplayEvent> after = ViewedSessions.call("1", "read", "b", "same", true);
    JsonObject data = data(page(
        ViewedSessions.write(home.resolve("a"), before),
        ViewedSessions.write(home.resolve("b"), after)));
    JsonObject divergence = data.at("/diff/divergences/0").asObject();
    assertThat(divergence.at("/kind").asString()).isEqualTo("PARAMS");
    assertThat(divergence.at("/severity").asString()).isEqualTo("moderate");
    assertThat(divergence.at("/values/0/pointer").asString()).isEqualTo("/params");
    assertThat(divergence.at("/values/0/before/json").asString()).isEqualTo("\"a\"");
    assertThat(data.at("/diff/schema").asString()).isEqualTo("replay.diff/1");
    assertThat(data.at("/diff/verdict").asString()).isEqualTo("diverged");
    assertThat(data.at("/alignment").asArray())
        .anyMatch(pair -> pair.toString().equals("[\"changed\",3,3,0]"));
  }

  @Test
  void an_image_is_in_the_page_once_and_its_text_nowhere_else() throws IOException {
    String png = TestImages.png(30, 20);
    List<ReplayEvent> events = new ArrayList<>();
    for (String id : List.of("1", "2")) {
      events.addAll(
          ViewedSessions.call(id, "look", List.of("a", png), "data:image/png;base64," + png, true));
    }
    String page = page(ViewedSessions.write(home, events));
    JsonArray written = data(page).at("/sessions/0/events").asArray();

    assertThat(page.split(Pattern.quote(png), -1)).hasSize(2);
    JsonArray image = written.get(2).at("/images/0").asArray();
    assertThat(image.get(0).asString()).isEqualTo("/params/1");
    assertThat(image.at("/1/type").asString()).isEqualTo("image/png");
    assertThat(image.at("/1/width").asLong()).isEqualTo(30);
    assertThat(image.at("/1/data").asString()).isEqualTo(png);
    assertThat(written.get(2).at("/json").asString()).contains("[\"a\",\"\"]");
    JsonArray again = written.get(5).at("/images/0").asArray();
    assertThat(again.get(0).asString()).isEqualTo("/output");
    assertThat(again.at("/1").asObject().has("data")).isFalse();
    assertThat(again.at("/1/hash")).isEqualTo(image.at("/1/hash"));
    assertThat(again.at("/1/size").asLong()).isEqualTo(png.length() + 22);
  }

  @Test
  void prompt_that_repeats_the_last_one_of_its_lane_is_embedded_as_a_change() throws IOException {
    JsonObject first = JsonObject.of("messages", List.of("a", "b"), "tools", List.of("t"), "x", 1);
    JsonObject second = JsonObject.of("messages", List.of("a", "c"), "tools", List.of("t"), "y", 2);
    List<ReplayEvent> events =
        List.of(ask("1", "lane", first), ask("2", "other", second), ask("3", "lane", second));
    JsonArray written =
        data(page(ViewedSessions.write(home, events))).at("/sessions/0/events").asArray();

    assertThat(written.get(2).at("/main").asString()).isEqualTo("prompt");
    assertThat(written.get(3).at("/main").asString()).isEqualTo("prompt");
    JsonObject changed = written.get(4).asObject();
    assertThat(changed.has("main")).isFalse();
    assertThat(changed.at("/repeats").asBoolean()).isTrue();
    assertThat(changed.at("/base").asLong()).isEqualTo(3);
    JsonObject delta =
        JsonText.parse(changed.at("/json").asString()).at("/prompt_delta").asObject();
    assertThat(new PromptDelta(delta).applyTo(first)).isEqualTo(second);
    assertThat(delta.toString()).doesNotContain("\"a\"", "\"t\"");
  }

  private static ReplayEvent ask(String id, String agent, JsonObject prompt) {
    ModelCall call = ModelCall.of(id, "m", new ModelCall.Prompt(prompt));
    return call.withMeta(call.meta().withAgent(agent));
  }

  @Test
  void costs_are_those_of_the_calls_with_a_price_and_tokens() throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    for (String model : List.of("priced", "free", "unknown")) {
      events.add(ModelCall.of(model, model, ModelCall.Prompt.of("q")));
      events.add(ModelResult.of(model, "a").withTokens(TokenCounts.of(1_000, 20)));
    }
    Session session = ViewedSessions.write(home, events);
    Prices prices = Prices.fromJson(JsonText.parse(
            "{\"priced\": {\"input\": 2.5, \"output\": 10}, \"free\": {\"input\": 0, \"output\": 0}}")
        .asObject());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HtmlViewer.render(session, ViewerOptions.defaults().withPrices(prices), out);
    JsonObject written =
        data(out.toString(StandardCharsets.UTF_8)).at("/sessions/0").asObject();

    assertThat(written.at("/events/3/cost").asString()).isEqualTo("0.0027");
    assertThat(written.at("/events/5/cost").asString()).isEqualTo("0");
    assertThat(written.at("/events/7").asObject().has("cost")).isFalse();
    assertThat(written.at("/totals/cost").asString()).isEqualTo("0.0027");
    assertThat(written.at("/totals/cost_complete").asBoolean()).isFalse();
    assertThat(data(page(session)).at("/sessions/0/totals").asObject().has("cost"))
        .isFalse();
  }
}
