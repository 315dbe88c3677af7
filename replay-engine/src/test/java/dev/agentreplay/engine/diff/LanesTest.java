package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.report.DiffJson;
import dev.agentreplay.engine.report.JUnitReport;
import dev.agentreplay.engine.report.MarkdownReport;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNumber;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of several agents are compared lane by lane. */
class LanesTest {

  private static final List<String> AGENTS = List.of("one", "two", "three");
  private static final int CALLS = 6;

  @TempDir
  private Path directory;

  private int files;

  /** The events of one call of an agent, which all agents make with equal tools and parameters. */
  private static List<ReplayEvent> call(String agent, int number, Object output) {
    Meta meta = Meta.NONE.withAgent(agent);
    String id = "c" + number % 2; // reused within a lane, and in all lanes at the same time
    return List.of(
        ToolCall.of(id, "tool", JsonNumber.of(number)).withMeta(meta),
        ToolResult.of(id, output).withLatencyMillis(1L).withMeta(meta));
  }

  private static List<ReplayEvent> lane(String agent) {
    List<ReplayEvent> events = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      events.addAll(call(agent, i, agent + i));
    }
    return events;
  }

  /** The lanes one after the other. */
  private static List<List<ReplayEvent>> lanes() {
    List<List<ReplayEvent>> lanes = new ArrayList<>();
    AGENTS.forEach(agent -> lanes.add(lane(agent)));
    return lanes;
  }

  /** The events of all lanes, each in its order. */
  private static List<ReplayEvent> interleaved(List<List<ReplayEvent>> lanes, long seed) {
    List<Integer> turns = new ArrayList<>();
    for (int lane = 0; lane < lanes.size(); lane++) {
      turns.addAll(Collections.nCopies(lanes.get(lane).size(), lane));
    }
    Collections.shuffle(turns, new Random(seed));
    int[] next = new int[lanes.size()];
    return turns.stream().map(lane -> lanes.get(lane).get(next[lane]++)).toList();
  }

  private Session write(List<ReplayEvent> events) throws IOException {
    Path file = directory.resolve(files++ + ".jsonl");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("test@1"))) {
      for (ReplayEvent event : events) {
        writer.emit(event);
      }
    }
    return new Session(file, null);
  }

  private SessionDiff diff(List<ReplayEvent> left, List<ReplayEvent> right) throws IOException {
    return SessionDiff.between(write(left), write(right));
  }

  @RepeatedTest(20)
  void interleaving_is_not_significant(RepetitionInfo run) throws IOException {
    SessionDiff diff = diff(
        interleaved(lanes(), run.getCurrentRepetition()),
        interleaved(lanes(), -run.getCurrentRepetition()));

    assertThat(diff.isIdentical()).isTrue();
    assertThat(diff.divergences()).isEmpty();
    assertThat(diff.first()).isNull();
    assertThat(diff.summary().calls().matched()).isEqualTo(AGENTS.size() * CALLS);
  }

  @RepeatedTest(20)
  void different_output_is_one_divergence_of_its_lane(RepetitionInfo run) throws IOException {
    List<List<ReplayEvent>> changed = lanes();
    changed.get(1).set(7, call("two", 3, "other").get(1));
    List<ReplayEvent> left = interleaved(lanes(), run.getCurrentRepetition());

    SessionDiff diff = diff(left, interleaved(changed, -run.getCurrentRepetition()));

    assertThat(diff.divergences()).singleElement().satisfies(divergence -> {
      assertThat(divergence.kind()).isEqualTo(DivergenceKind.OUTPUT);
      assertThat(divergence.step().agent()).isEqualTo("two");
      assertThat(divergence.left().call()).isEqualTo(callsBefore(left, "two", 3));
    });
    assertThat(diff.first().call()).isEqualTo(callsBefore(left, "two", 3));
    assertThat(TextReport.render(diff)).contains("OUTPUT  [two] tool");
    assertThat(MarkdownReport.render(diff))
        .contains(
            "| 1 | OUTPUT | moderate | root | `[two] tool` |",
            "\nChange: `[two]` `tool` returned a different output (rule:");
    assertThat(JUnitReport.render(diff))
        .contains(
            "name=\"call #0 [%s] tool\"".formatted(left.get(0).meta().agent()),
            "message=\"[two] tool returned a different output (moderate)\">");
    assertThat(DiffJson.render(diff).at("/divergences/0/left/agent").asString()).isEqualTo("two");
  }

  /** The number of calls before a call of an agent. */
  private static int callsBefore(List<ReplayEvent> events, String agent, int number) {
    int calls = 0;
    for (ReplayEvent event : events) {
      if (event instanceof ToolCall call) {
        if (agent.equals(call.meta().agent())
            && Objects.equals(call.params().value(), JsonNumber.of(number))) {
          return calls;
        }
        calls++;
      }
    }
    throw new AssertionError("no such call");
  }

  @Test
  void lane_that_one_session_lacks_is_missing_or_added() throws IOException {
    List<List<ReplayEvent>> fewer = lanes().subList(0, 2);
    List<ReplayEvent> all = interleaved(lanes(), 1);

    SessionDiff missing = diff(all, interleaved(fewer, 2));
    SessionDiff added = diff(interleaved(fewer, 2), all);

    assertThat(missing.divergences()).hasSize(CALLS).allSatisfy(divergence -> {
      assertThat(divergence.kind()).isEqualTo(DivergenceKind.MISSING);
      assertThat(divergence.step().agent()).isEqualTo("three");
    });
    assertThat(missing.first().call()).isEqualTo(callsBefore(all, "three", 0));
    assertThat(added.divergences()).hasSize(CALLS).allSatisfy(divergence -> {
      assertThat(divergence.kind()).isEqualTo(DivergenceKind.ADDED);
      assertThat(divergence.step().agent()).isEqualTo("three");
    });
    assertThat(added.divergences().stream().map(d -> d.right().line()).toList()).isSorted();
  }

  @RepeatedTest(20)
  void pairs_are_in_the_order_of_the_left_log_and_of_each_lane(RepetitionInfo run)
      throws IOException {
    List<List<ReplayEvent>> changed = lanes();
    changed.get(0).addAll(4, call("one", 77, "added"));
    changed.get(2).subList(2, 4).clear();
    changed.add(lane("four"));

    SessionDiff diff = diff(
        interleaved(lanes(), run.getCurrentRepetition()),
        interleaved(changed, -run.getCurrentRepetition()));

    assertThat(lines(diff, null, true)).isSorted();
    for (String agent : List.of("one", "two", "three", "four")) {
      assertThat(lines(diff, agent, true)).isSorted();
      assertThat(lines(diff, agent, false)).isSorted();
    }
    assertThat(diff.summary().calls().missing()).isEqualTo(1);
    assertThat(diff.summary().calls().added()).isEqualTo(1 + CALLS);
    assertThat(diff.summary().calls().changed()).isZero();
  }

  private static List<Long> lines(SessionDiff diff, String agent, boolean isLeft) {
    return diff.alignment().stream()
        .map(pair -> isLeft ? pair.left() : pair.right())
        .filter(step -> step != null && (agent == null || agent.equals(step.agent())))
        .map(Step::line)
        .toList();
  }

  @Test
  void single_lane_is_compared_whatever_its_agent_is() throws IOException {
    List<ReplayEvent> renamed = lane("one").stream()
        .<ReplayEvent>map(event -> event.withMeta(event.meta().withAgent("main")))
        .toList();
    List<ReplayEvent> unnamed = lane("one").stream()
        .<ReplayEvent>map(event -> event.withMeta(event.meta().withAgent(null)))
        .toList();

    assertThat(JUnitReport.render(diff(lane("one"), renamed)))
        .contains("name=\"call #0 tool\"")
        .doesNotContain("[one]");
    assertThat(diff(lane("one"), renamed).divergences()).isEmpty();
    assertThat(diff(lane("one"), unnamed).divergences()).isEmpty();
    assertThat(diff(lane("one"), unnamed).summary().identities()).isEqualTo(CALLS);
  }
}
