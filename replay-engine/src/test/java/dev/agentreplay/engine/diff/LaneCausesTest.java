package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.engine.diff.Divergence.Cause;
import dev.agentreplay.engine.diff.Divergence.Link;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Root causes in sessions of several agents: a lane follows from itself and from what started it.
 */
class LaneCausesTest {

  private static final Cause ROOT = TestResults.cause(Role.ROOT, null, null, 0);
  private static final Cause INDEPENDENT = TestResults.cause(Role.INDEPENDENT, null, null, 0);

  @TempDir
  private Path directory;

  /** A log of several agents, each of which makes calls with ids of its own. */
  private static final class Lanes {
    private final TestLog log = new TestLog();
    private @Nullable String agent;
    private @Nullable String parent;
    private int ids;

    /** The agent of the following events; null for the main agent. */
    Lanes of(@Nullable String newAgent, @Nullable String newParent) {
      agent = newAgent;
      parent = newParent;
      return this;
    }

    Lanes call(String id, Object params, Object output) {
      return start(id, params).result(id, output);
    }

    /** A call whose result comes later. */
    Lanes start(String id, Object params) {
      log.add(ToolCall.of(id, "tool", JsonValue.of(params)).withMeta(meta()));
      return this;
    }

    Lanes result(String id, Object output) {
      log.add(ToolResult.of(id, output).withLatencyMillis(1L).withMeta(meta()));
      return this;
    }

    /** A call in the lane of the agent b, which a call started. */
    Lanes sub(String newParent, Object params, Object output) {
      return of("b", newParent).call(params, output).of(null, null);
    }

    Lanes call(Object params) {
      return call(params, "done");
    }

    private Lanes call(Object params, Object output) {
      return call(agent + "-" + ids++, params, output);
    }

    Lanes ask(String prompt) {
      String id = agent + "-" + ids++;
      log.add(ModelCall.of(id, "m", Prompt.of(prompt)).withMeta(meta()));
      log.add(ModelResult.of(id, "yes").withLatencyMillis(1L).withMeta(meta()));
      return this;
    }

    private Meta meta() {
      return Meta.NONE.withAgent(agent).withParent(parent);
    }
  }

  private List<Cause> causes(Lanes left, Lanes right) throws IOException {
    return diff(left, right).divergences().stream().map(Divergence::cause).toList();
  }

  private SessionDiff diff(Lanes left, Lanes right) throws IOException {
    return SessionDiff.between(
        left.log.write(directory.resolve("left")), right.log.write(directory.resolve("right")));
  }

  private static Cause root(int followers) {
    return TestResults.cause(Role.ROOT, null, null, followers);
  }

  private static Cause follows(int from, Link link) {
    return TestResults.cause(Role.DOWNSTREAM, from, link, 0);
  }

  @Test
  void divergence_of_a_lane_does_not_follow_from_an_earlier_one_of_a_different_lane()
      throws IOException {
    assertThat(causes(
            new Lanes().of("a", null).call("one").of("b", null).call("two").ask("three"),
            new Lanes().of("a", null).call("four").of("b", null).call("five").ask("six")))
        .containsExactly(
            root(0), TestResults.cause(Role.INDEPENDENT, null, null, 1), follows(1, Link.PROMPT));
    assertThat(causes(
            new Lanes().of("a", null).call("one").of("b", null).ask("two"),
            new Lanes().of("a", null).call("three").of("b", null).ask("four")))
        .containsExactly(ROOT, INDEPENDENT);
  }

  @Test
  void matched_calls_of_a_different_lane_do_not_end_what_follows() throws IOException {
    assertThat(causes(
            new Lanes()
                .of("a", null)
                .call("one")
                .of("b", null)
                .call(7)
                .of("a", null)
                .call("two"),
            new Lanes()
                .of("a", null)
                .call("four")
                .of("b", null)
                .call(7)
                .of("a", null)
                .call("six")))
        .containsExactly(root(1), follows(0, Link.ADJACENT));
  }

  @Test
  void lane_that_a_call_started_follows_from_what_was_before_the_call() throws IOException {
    assertThat(causes(
            new Lanes().call("one").call("spawn", 7, "ok").of("b", "spawn").ask("two"),
            new Lanes().call("three").call("spawn", 7, "ok").of("b", "spawn").ask("four")))
        .containsExactly(root(1), follows(0, Link.PROMPT));
    assertThat(causes(
            new Lanes().call("one").call("spawn", 7, "ok").of("b", "spawn").call("two"),
            new Lanes().call("three").call("spawn", 7, "ok").of("b", "spawn").call("four")))
        .as("the sessions have met at the call")
        .containsExactly(ROOT, INDEPENDENT);
  }

  @Test
  void lane_that_a_call_started_does_not_follow_from_what_was_after_the_call() throws IOException {
    assertThat(causes(
            new Lanes().call("spawn", 7, "ok").call("one").of("b", "spawn").ask("two"),
            new Lanes().call("spawn", 7, "ok").call("three").of("b", "spawn").ask("four")))
        .containsExactly(ROOT, INDEPENDENT);
  }

  @Test
  void lane_follows_from_a_different_call_that_started_it() throws IOException {
    assertThat(causes(
            new Lanes().call("spawn", "one", "ok").of("b", "spawn").call("two"),
            new Lanes().call("spawn", "three", "ok").of("b", "spawn").call("four")))
        .containsExactly(root(1), follows(0, Link.ADJACENT));
    assertThat(causes(
            new Lanes().call(7),
            new Lanes().call(7).call("spawn", "three", "ok").of("b", "spawn").call("four")))
        .containsExactly(root(1), follows(0, Link.ADJACENT));
  }

  @Test
  void lane_does_not_follow_from_the_result_of_the_call_that_started_it() throws IOException {
    assertThat(causes(
            new Lanes().call("spawn", 7, "one").of("b", "spawn").ask("two"),
            new Lanes().call("spawn", 7, "three").of("b", "spawn").ask("four")))
        .containsExactly(ROOT, INDEPENDENT);
  }

  @Test
  void result_of_a_call_follows_from_the_lane_that_it_started() throws IOException {
    SessionDiff diff = diff(
        new Lanes().start("ask", 7).sub("ask", 8, "one").result("ask", "found one"),
        new Lanes().start("ask", 7).sub("ask", 8, "two").result("ask", "found two"));

    assertThat(diff.divergences())
        .extracting(Divergence::cause)
        .containsExactly(follows(1, Link.LANE), root(1));
    assertThat(diff.cause()).isEqualTo(diff.divergences().get(1));
    assertThat(diff.summary().divergencesByRole())
        .containsOnly(entry(Role.ROOT, 1), entry(Role.DOWNSTREAM, 1));
  }

  @Test
  void call_with_a_long_id_starts_a_lane() throws IOException {
    String id = "ask".repeat(30);
    assertThat(causes(
            new Lanes().start(id, 7).sub(id, 8, "one").result(id, "two"),
            new Lanes().start(id, 7).sub(id, 8, "six").result(id, "ten")))
        .containsExactly(follows(1, Link.LANE), root(1));
  }

  @Test
  void result_of_a_call_follows_from_the_last_divergence_of_the_lane_before_it()
      throws IOException {
    assertThat(causes(
            new Lanes()
                .start("ask", 7)
                .sub("ask", 8, "one")
                .sub("ask", 9, "two")
                .result("ask", "three")
                .sub("ask", 10, "four"),
            new Lanes()
                .start("ask", 7)
                .sub("ask", 8, "five")
                .sub("ask", 9, "six")
                .result("ask", "seven")
                .sub("ask", 10, "eight")))
        .containsExactly(
            follows(2, Link.LANE),
            ROOT,
            TestResults.cause(Role.INDEPENDENT, null, null, 1),
            INDEPENDENT);
  }

  @Test
  void result_of_a_call_does_not_follow_from_a_later_result_in_the_lane_that_it_started()
      throws IOException {
    assertThat(causes(
            new Lanes()
                .start("ask", 7)
                .of("b", "ask")
                .start("slow", 8)
                .of(null, null)
                .result("ask", "one")
                .of("b", "ask")
                .result("slow", "two"),
            new Lanes()
                .start("ask", 7)
                .of("b", "ask")
                .start("slow", 8)
                .of(null, null)
                .result("ask", "six")
                .of("b", "ask")
                .result("slow", "ten")))
        .containsExactly(ROOT, INDEPENDENT);
  }

  @Test
  void result_of_a_call_does_not_follow_from_a_lane_that_a_different_call_started()
      throws IOException {
    assertThat(causes(
            new Lanes()
                .start("ask", 7)
                .start("again", 8)
                .sub("ask", 9, "same")
                .sub("again", 10, "one")
                .result("ask", "two"),
            new Lanes()
                .start("ask", 7)
                .start("again", 8)
                .sub("ask", 9, "same")
                .sub("again", 10, "six")
                .result("ask", "ten")))
        .containsExactly(ROOT, INDEPENDENT);
  }

  @Test
  void call_with_different_params_does_not_follow_from_the_lane_that_it_started()
      throws IOException {
    assertThat(causes(
            new Lanes().start("ask", 7).sub("ask", 9, "one").result("ask", "two"),
            new Lanes().start("ask", 8).sub("ask", 9, "six").result("ask", "ten")))
        .containsExactly(ROOT, INDEPENDENT);
  }

  @Test
  void result_follows_from_the_lane_of_an_agent_that_the_agent_of_its_lane_asked()
      throws IOException {
    assertThat(causes(nested("one", "two", "three"), nested("four", "five", "six")))
        .containsExactly(
            follows(1, Link.LANE), TestResults.cause(Role.DOWNSTREAM, 2, Link.LANE, 1), root(2));
  }

  /** A sub-agent of a sub-agent makes a call, and both answer. */
  private static Lanes nested(String outer, String inner, String found) {
    return new Lanes()
        .start("ask", 7)
        .of("b", "ask")
        .start("ask-b", 8)
        .of("c", "ask-b")
        .call("search", 9, found)
        .of("b", "ask")
        .result("ask-b", inner)
        .of(null, null)
        .result("ask", outer);
  }

  @Test
  void what_follows_from_a_result_that_follows_from_a_lane_is_a_follower_of_the_lane()
      throws IOException {
    assertThat(causes(
            new Lanes()
                .start("ask", 7)
                .sub("ask", 8, "one")
                .result("ask", "two")
                .ask("three"),
            new Lanes()
                .start("ask", 7)
                .sub("ask", 8, "four")
                .result("ask", "five")
                .ask("six")))
        .containsExactly(
            TestResults.cause(Role.DOWNSTREAM, 1, Link.LANE, 1), root(2), follows(0, Link.PROMPT));
  }

  @Test
  void words_do_not_pass_from_a_result_to_the_lane_that_it_is_of() throws IOException {
    assertThat(causes(
            new Lanes().start("ask", 7).sub("ask", "colour", "ok").result("ask", "colour"),
            new Lanes().start("ask", 7).sub("ask", "color", "ok").result("ask", "color")))
        .containsExactly(follows(1, Link.LANE), root(1));
  }

  @Test
  void result_of_a_call_does_not_follow_from_what_follows_from_it() throws IOException {
    assertThat(causes(
            new Lanes()
                .start("ask", 7)
                .result("ask", "one")
                .call("write", "one", "ok")
                .sub("ask", "one", "ok"),
            new Lanes()
                .start("ask", 7)
                .sub("ask", "two", "ok")
                .result("ask", "two")
                .call("write", "two", "ok")))
        .containsExactly(
            root(2), TestResults.cause(Role.DOWNSTREAM, 0, Link.VALUE, 1), follows(1, Link.VALUE));
  }

  @Test
  void value_that_passes_from_lane_to_lane_is_followed() throws IOException {
    assertThat(causes(
            new Lanes().of("a", null).call("c", 7, "I-17").of("b", null).call("I-17"),
            new Lanes().of("a", null).call("c", 7, "I-18").of("b", null).call("I-18")))
        .containsExactly(root(1), follows(0, Link.VALUE));
  }

  @Test
  void lane_with_a_different_id_in_each_session_is_one_lane() throws IOException {
    assertThat(causes(
            new Lanes().call(7).of("b", null).call("one").call(8).call("two"),
            new Lanes().call(7).of("c", null).call("three").call("five").call(8).call("four")))
        .containsExactly(root(1), follows(0, Link.ADJACENT), INDEPENDENT);
  }

  @Test
  void settings_and_plan_of_the_session_are_before_all_lanes() throws IOException {
    assertThat(List.of(
            causes(asking(settings(0), "one"), asking(settings(1), "two")),
            causes(asking(plan("p"), "one"), asking(plan("q"), "two"))))
        .containsOnly(List.of(root(2), follows(0, Link.PROMPT), follows(0, Link.PROMPT)));
  }

  private static Settings settings(int temperature) {
    return Settings.of(Map.of("temperature", new Setting(JsonValue.of(temperature), null)));
  }

  private static PlanStart plan(String text) {
    return PlanStart.of(ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8)), 1);
  }

  /** Two agents that ask after an event of the session. */
  private static Lanes asking(ReplayEvent event, String prompt) {
    Lanes lanes = new Lanes();
    lanes.log.add(SessionStart.of("s")).add(event);
    return lanes.of("a", null).ask(prompt + "-a").of("b", null).ask(prompt + "-b");
  }

  @Test
  void start_of_the_session_is_before_and_its_end_after_all_lanes() throws IOException {
    Lanes left = new Lanes();
    Lanes right = new Lanes();
    left.log.add(SessionStart.of("s").withTask(SessionStart.Task.of("one")));
    right.log.add(SessionStart.of("s").withTask(SessionStart.Task.of("two")));
    for (String agent : List.of("a", "b")) {
      left.of(agent, null).ask("three" + agent);
      right.of(agent, null).ask("four" + agent);
    }
    left.log.add(SessionEnd.of(Status.SUCCESS));
    right.log.add(SessionEnd.of(Status.FAILED));
    assertThat(causes(left, right))
        .extracting(Cause::divergence, Cause::link)
        .containsExactly(
            tuple(null, null), tuple(0, Link.PROMPT), tuple(0, Link.PROMPT), tuple(2, Link.END));
  }
}
