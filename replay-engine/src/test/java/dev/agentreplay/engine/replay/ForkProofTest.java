package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That a fork repeats its parent is verified, and each forged one is found. */
class ForkProofTest extends ForkVerification {

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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      "ModelCall"   | {"parameters":{"temperature":0.5}}
      "ModelCall"   | {"model":"gpt-6"}
      "ModelResult" | {"finish_reason":"length"}
      "ModelResult" | {"error":{"name":"Refused"}}
      "ModelResult" | {"error":{"message":"no"}}
      "ToolResult"  | {"exit_code":1}
      "ToolResult"  | {"error":{"name":"NotFound"}}
      "ToolResult"  | {"error":{"message":"no"}}
      "ToolResult"  | {"ok":false}
      """)
  void a_changed_member_is_found(String event, String changed) throws Exception {
    JsonObject members = JsonText.parse(changed).asObject();
    String name = members.names().iterator().next();
    forgeLine(event, 0, json -> json.with(name, members.get(name)));

    assertThat(messages(verify(), FindingCode.FORK_PREFIX_MISMATCH))
        .singleElement()
        .asString()
        .contains(" differs from line ");
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
}
