package dev.agentreplay.engine.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.Expectation;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That a fork repeats its parent is verified, and each forged one is found. */
class ForkProofTest {

  private static final int TURNS = 4;

  @TempDir
  Path directory;

  private final SampleAgent agent = new SampleAgent(TURNS);
  private Session parent;
  private long line;
  private Path out;

  @BeforeEach
  void record() throws Exception {
    parent = agent.record(directory.resolve("parent"), SampleAgent.withContext());
    line = ForkPoints.of(parent).all().get(5).line();
    out = directory.resolve("fork");
    Replay.of(parent)
        .mode(ReplayMode.MOCK)
        .executors(agent.executors())
        .policy(dev.agentreplay.engine.replay.policy.ReplayPolicy.of(ReplayMode.MOCK)
            .withEffect("read_file", Effect.PURE))
        .fork(Fork.at(line).set("/output", JsonString.of("changed")))
        .directory(out)
        .run(agent);
  }

  private VerificationReport verify() throws Exception {
    return verify(parent);
  }

  private VerificationReport verify(Session of) throws Exception {
    return SessionVerifier.of(VerifyPolicy.defaults().expecting(Expectation.forkOf(of)))
        .verify(Session.open(out).withReceipt(null));
  }

  /** Changes the lines of the fork, or of its parent, so that every other check passes. */
  private void forge(Path session, UnaryOperator<List<String>> change) throws Exception {
    Path log = session.resolve(Session.LOG_NAME);
    List<String> lines = change.apply(new ArrayList<>(Files.readAllLines(log)));
    Files.writeString(log, String.join("\n", lines) + "\n");
  }

  private static String edit(String line, UnaryOperator<JsonObject> change) {
    JsonObject edited = change.apply(JsonText.parse(line).asObject());
    return new String(CanonicalJson.SERDE.bytes(edited), UTF_8);
  }

  private void forgeLine(String contains, int occurrence, UnaryOperator<JsonObject> change)
      throws Exception {
    forge(out, lines -> {
      int found = 0;
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).contains(contains) && found++ == occurrence) {
          lines.set(i, edit(lines.get(i), change));
        }
      }
      return lines;
    });
  }

  private static JsonObject withOutput(JsonObject event, JsonValue output) {
    return event
        .with("output", output)
        .with("output_hash", CanonicalJson.SERDE.hash(output).toString());
  }

  private static List<String> messages(VerificationReport report, FindingCode code) {
    return report.findings().stream()
        .filter(finding -> finding.code() == code)
        .map(Finding::message)
        .toList();
  }

  @Test
  void a_fork_is_proved() throws Exception {
    VerificationReport report = verify();

    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isIn(Verdict.VALID, Verdict.UNVERIFIED);
    assertThat(report.count(Counter.PARENT_LINES_VERIFIED)).isEqualTo(line - 1);
    assertThat(report.count(Counter.FORKED_EVENTS_VERIFIED)).isEqualTo(10);
    assertThat(report.conclusions())
        .anyMatch(conclusion ->
            conclusion.isProved() && conclusion.text().startsWith("the session is a fork: the"));
  }

  @Test
  void a_changed_output_before_the_point_is_found() throws Exception {
    forgeLine("\"ToolResult\"", 1, event -> withOutput(event, JsonString.of("forged")));

    VerificationReport report = verify();

    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(messages(report, FindingCode.FORK_PREFIX_MISMATCH))
        .containsExactly("ToolResult differs from line 10 of the parent, ToolCall read_file");
  }

  @Test
  void a_changed_output_after_the_point_is_not_of_the_parent() throws Exception {
    forgeLine("\"ToolResult\"", 3, event -> withOutput(event, JsonString.of("forged")));

    assertThat(verify().count(FindingCode.FORK_PREFIX_MISMATCH)).isZero();
  }

  @Test
  void a_changed_outcome_is_found() throws Exception {
    forgeLine("\"ToolResult\"", 0, event -> event.with("exit_code", 1));

    assertThat(messages(verify(), FindingCode.FORK_PREFIX_MISMATCH)).hasSize(1);
  }

  @Test
  void an_exchange_that_was_left_out_is_found() throws Exception {
    forge(out, lines -> {
      lines.removeIf(each -> each.contains("\"line\":9,"));
      return lines;
    });

    assertThat(messages(verify(), FindingCode.FORK_PREFIX_MISMATCH))
        .contains("line 9 of the parent is not repeated", "line 10 of the parent is not repeated");
  }

  @Test
  void an_exchange_that_was_added_is_found() throws Exception {
    forge(out, lines -> {
      int at = 4;
      lines.add(
          at,
          "{\"event\":\"ToolCall\",\"id\":\"forged\",\"params\":{},\"t\":\"2026-01-01T00:00:00Z\","
              + "\"tool\":\"rm\"}");
      return lines;
    });

    assertThat(messages(verify(), FindingCode.FORK_PREFIX_MISMATCH))
        .anyMatch(message ->
            message.startsWith("ToolCall rm is not before the point of the fork, but line "));
  }

  @Test
  void exchanges_in_a_different_order_are_found() throws Exception {
    forge(out, lines -> {
      List<String> first =
          lines.stream().filter(each -> each.contains("\"line\":3,")).toList();
      List<String> second =
          lines.stream().filter(each -> each.contains("\"line\":5,")).toList();
      List<String> swapped = new ArrayList<>(lines);
      for (int i = 0; i < 2; i++) {
        swapped.set(lines.indexOf(first.get(i)), second.get(i));
        swapped.set(lines.indexOf(second.get(i)), first.get(i));
      }
      return swapped;
    });

    assertThat(messages(verify(), FindingCode.FORK_PREFIX_MISMATCH))
        .contains("ToolCall read_file is before the result on line 4, which it followed");
  }

  @Test
  void an_exchange_that_is_repeated_twice_is_found() throws Exception {
    forge(out, lines -> {
      List<String> twice = new ArrayList<>(lines);
      int call = lines.indexOf(lines.stream()
          .filter(each -> each.contains("\"line\":5,"))
          .findFirst()
          .orElseThrow());
      twice.add(call + 2, lines.get(call));
      twice.add(call + 3, lines.get(call + 1));
      return twice;
    });

    assertThat(messages(verify(), FindingCode.FORK_PREFIX_MISMATCH))
        .contains("line 5 is repeated twice", "line 6 is repeated twice");
  }

  @Test
  void a_different_recording_is_not_the_parent() throws Exception {
    SampleAgent other = new SampleAgent(TURNS);
    other.task = "Fix the logout.";
    Session recording = other.record(directory.resolve("other"), SampleAgent.withContext());

    assertThat(messages(verify(recording), FindingCode.PARENT_MISMATCH))
        .singleElement()
        .asString()
        .contains("the tree over the first " + (line - 1) + " lines of the parent has the root");
    Session shorter = new SampleAgent(1).record(directory.resolve("shorter"));
    assertThat(messages(verify(shorter), FindingCode.PARENT_MISMATCH))
        .singleElement()
        .asString()
        .matches("the fork begins after \\d+ lines, but the parent has \\d+");
  }

  @Test
  void a_parent_that_was_changed_is_not_the_parent() throws Exception {
    forge(directory.resolve("parent"), lines -> {
      lines.set(3, lines.get(3).replace("file-1", "file-2"));
      return lines;
    });

    assertThat(messages(verify(), FindingCode.PARENT_MISMATCH))
        .singleElement()
        .asString()
        .endsWith("is invalid");
  }

  @Test
  void a_session_that_is_not_a_fork_has_no_parent() throws Exception {
    out = directory.resolve("parent");

    assertThat(messages(verify(), FindingCode.PARENT_MISMATCH))
        .containsExactly("the header states no forked_from: the session is not a fork");
  }

  @Test
  void a_malformed_origin_is_found() throws Exception {
    forgeLine(
        "\"ReplayHeader\"",
        0,
        header -> header.with(
            "forked_from", header.get("forked_from").asObject().with("tree_size", "12")));

    assertThat(messages(verify(), FindingCode.PARENT_MISMATCH))
        .containsExactly("the header states a forked_from that is not of the known form");
  }

  @Test
  void a_point_that_was_moved_is_found() throws Exception {
    JsonObject earlier = JsonText.parse(
            Files.readAllLines(out.resolve(Session.LOG_NAME)).get(0))
        .at("/forked_from")
        .asObject()
        .with("tree_size", 4);
    forgeLine("\"ReplayHeader\"", 0, header -> header.with("forked_from", earlier));

    assertThat(messages(verify(), FindingCode.PARENT_MISMATCH)).hasSize(1);
  }

  /** A recording and its fork before the last call, of an agent with two lanes and values. */
  private void fork(ReplayAgent forked) throws Exception {
    out = directory.resolve("other-fork");
    parent = TestRecordings.record(
        directory.resolve("other-parent"),
        forked,
        Executors.none().withTool("echo", TestRecordings.echo()),
        SampleAgent.withContext());
    List<ForkPoint> points = ForkPoints.of(parent).possible();
    line = points.get(points.size() - 1).line();
    Replay.of(parent).mode(ReplayMode.MOCK).fork(Fork.at(line)).directory(out).run(forked);
    assertThat(verify().findings()).isEmpty();
  }

  private static ReplayAgent parallel() {
    return scope -> {
      CountDownLatch first = new CountDownLatch(1);
      Thread one = new Thread(() -> {
        try {
          scope.execute(ToolCall.of("a", "echo", JsonObject.of("n", 1)));
        } catch (Exception e) {
          throw new IllegalStateException(e);
        } finally {
          first.countDown();
        }
      });
      one.start();
      first.await();
      scope.execute(ToolCall.of("b", "echo", JsonObject.of("n", 2)));
      scope.context().random().nextInt(1_000);
      scope.context().random().nextInt(1_000);
      scope.call("echo", JsonObject.of("n", 3));
    };
  }

  @Test
  void results_that_answer_each_others_calls_are_found() throws Exception {
    fork(parallel());
    forge(out, lines -> lines.stream()
        .map(each -> each.contains("\"ToolResult\"") && each.contains("\"line\":3,")
            ? edit(each, event -> event.with("id", "b"))
            : each.contains("\"ToolResult\"") && each.contains("\"line\":5,")
                ? edit(each, event -> event.with("id", "a"))
                : each)
        .toList());
    forge(
        out,
        lines -> { // both calls first, so that each answers the other's
          List<String> moved = new ArrayList<>(lines);
          String second = moved.remove(4);
          moved.add(3, second);
          return moved;
        });

    assertThat(messages(verify(), FindingCode.FORK_PREFIX_MISMATCH))
        .anyMatch(message -> message.contains("answers a different call"));
  }

  @Test
  void an_agent_that_is_added_to_events_is_found() throws Exception {
    fork(parallel());
    forge(out, lines -> lines.stream()
        .map(each ->
            each.contains("\"line\":3,") ? edit(each, event -> event.with("agent", "other")) : each)
        .toList());

    assertThat(messages(verify(), FindingCode.FORK_PREFIX_MISMATCH)).hasSize(2);
  }

  @Test
  void values_in_a_different_order_are_found() throws Exception {
    fork(parallel());
    forge(out, lines -> {
      List<String> swapped = new ArrayList<>(lines);
      int first = lines.indexOf(lines.stream()
          .filter(each -> each.contains("\"RecordedValue\""))
          .findFirst()
          .orElseThrow());
      swapped.set(first, edit(lines.get(first + 1), event -> event.with("ordinal", 0)));
      swapped.set(first + 1, edit(lines.get(first), event -> event.with("ordinal", 1)));
      return swapped;
    });

    assertThat(messages(verify(), FindingCode.FORK_PREFIX_MISMATCH)).isNotEmpty();
  }

  @Test
  void a_value_that_is_added_is_found() throws Exception {
    fork(parallel());
    forge(out, lines -> {
      lines.add(
          3,
          "{\"event\":\"RecordedValue\",\"ordinal\":0,\"replayed\":{\"action\":\"served\"},"
              + "\"source\":\"clock\",\"t\":\"2026-01-01T00:00:00Z\",\"value\":1}");
      return lines;
    });

    assertThat(messages(verify(), FindingCode.FORK_PREFIX_MISMATCH))
        .singleElement()
        .asString()
        .startsWith("RecordedValue clock is not before the point of the fork");
  }

  @Test
  void an_output_of_which_only_the_hash_is_left_is_found() throws Exception {
    forgeLine("\"ToolResult\"", 0, event -> event.without("output"));

    assertThat(messages(verify(), FindingCode.FORK_PREFIX_MISMATCH)).hasSize(1);
  }

  @Test
  void nothing_is_proved_of_a_fork_that_is_invalid() throws Exception {
    forgeLine("\"ModelCall\"", 0, event -> event.with("prompt", JsonObject.of("system", "other")));

    VerificationReport report = verify();

    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.conclusions())
        .noneMatch(conclusion ->
            conclusion.isProved() && conclusion.claim() == VerificationReport.Claim.FORK);
  }

  @Test
  void a_parent_that_was_truncated_after_the_point_is_found() throws Exception {
    forge(directory.resolve("parent"), lines -> lines.subList(0, (int) line + 1));
    Files.delete(directory.resolve("parent").resolve(Session.RECEIPT_NAME));

    assertThat(messages(
            verify(Session.open(directory.resolve("parent"))), FindingCode.PARENT_MISMATCH))
        .singleElement()
        .asString()
        .startsWith("the parent had ");
  }

  @Test
  void a_different_session_id_is_found() throws Exception {
    forgeLine(
        "\"ReplayHeader\"",
        0,
        header -> header.with(
            "forked_from", header.get("forked_from").asObject().with("session_id", "other")));

    assertThat(messages(verify(), FindingCode.PARENT_MISMATCH))
        .containsExactly("the parent is the session sample, but the fork states other");
  }
}
