package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.AbstractSoftAssertions;
import org.assertj.core.api.junit.jupiter.InjectSoftAssertions;
import org.assertj.core.api.junit.jupiter.SoftAssertionsExtension;
import org.assertj.core.error.AssertJMultipleFailuresError;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventConditions;
import org.junit.platform.testkit.engine.TestExecutionResultConditions;

/** Assertions that are collected: each failure once, even if a call is missing. */
class SoftAssertionsTest {

  @TempDir
  private Path directory;

  private Session agent;
  private final ReplaySoftAssertions softly = new ReplaySoftAssertions();

  /** Soft assertions that a project defines. */
  public static final class OwnSoftAssertions extends AbstractSoftAssertions
      implements ReplaySoftAssertionsProvider {}

  @BeforeEach
  void record() throws IOException {
    agent = Recordings.agent(directory.resolve("agent"));
  }

  private List<String> failures() {
    return softly.assertionErrorsCollected().stream()
        .map(error -> error.getMessage().lines().findFirst().get())
        .toList();
  }

  @Test
  void what_holds_collects_nothing() {
    ReplaySoftAssertions.assertSoftly(soft -> {
      soft.assertThat(agent).isVerified().hasToolCalls("read", "build", "write");
      soft.assertThat(agent).toolCall("tc_1").hasTool("read").hasParam("/path", "a.txt");
      soft.then(agent).toolCall("tc_2", 0).failed();
      soft.then(agent).toolCall(2).succeeded();
      soft.assertThat(1).isEqualTo(1);
    });
  }

  @Test
  void all_that_fails_is_collected_in_one_chain_as_in_several() {
    softly.assertThat(agent).hasToolCalls("read").isVerified().endsWith(Status.FAILED);
    assertThat(softly.wasSuccess()).isFalse();
    softly.then(agent).hasNoFailedToolResults();
    assertThat(failures())
        .containsExactly(
            "the tool calls differ from call 1 on",
            "the session ended with a different status",
            "1 tool call failed");
    assertThatThrownBy(softly::assertAll)
        .isInstanceOf(AssertJMultipleFailuresError.class)
        .hasMessageContaining("Multiple Failures (3 failures)");
  }

  @Test
  void assertions_on_a_call_are_collected_too() {
    softly
        .assertThat(agent)
        .toolCall("tc_1")
        .hasTool("write")
        .hasParam("/path", "a.txt")
        .hasParam("/pth", "a.txt")
        .failed();
    assertThat(failures())
        .containsExactly(
            "call \"tc_1\" of \"read\": different tool",
            "call \"tc_1\" of \"read\": no param at \"/pth\": it has \"/path\"",
            "call \"tc_1\" of \"read\": it succeeded");
  }

  @Test
  void missing_call_is_one_failure_regardless_of_the_assertions_on_it() {
    ToolCallAssert absent = softly.assertThat(agent).toolCall("tc_9");
    assertThat(softly.wasSuccess()).isFalse();
    assertThatCode(() -> absent
            .hasTool("x")
            .hasParam("/p", 1)
            .hasParams(1)
            .hasOutput(1)
            .hasOutputAt("/p", 1)
            .hasOutputMatching("x")
            .hasExitCode(0)
            .succeeded()
            .failed()
            .as("it")
            .isNotNull()
            .satisfies(call -> assertThat(call).isNotNull()))
        .doesNotThrowAnyException();
    softly.assertThat(agent).toolCall(7).succeeded();
    softly.assertThat(agent).toolCall("tc_1", 1).succeeded();
    assertThat(failures())
        .containsExactly(
            "no call has the id \"tc_9\"", "no call 7", "no call \"tc_1\" with the occurrence 1");
  }

  @Test
  void mismatch_keeps_what_the_report_is_made_of() throws IOException {
    Session recording = Recordings.record(directory.resolve("b"), recorder -> {});
    softly.assertThat(agent).matches(recording);
    assertThat(softly.assertionErrorsCollected())
        .singleElement()
        .isInstanceOfSatisfying(SessionMismatchError.class, error -> assertThat(error.recording())
            .isEqualTo(recording));
  }

  @Test
  void null_and_unreadable_sessions_are_one_failure_each() throws IOException {
    softly.assertThat((Session) null).toolCall("tc_1").succeeded();
    Path gone = directory.resolve("gone");
    try (SessionRecorder recorder = SessionRecorder.start(gone, "s")) {
      softly.then(recorder).isVerified();
      Files.delete(gone.resolve(Session.LOG_NAME));
      softly.then(recorder).isVerified().toolCall("x").succeeded();
    }
    assertThat(softly.assertionErrorsCollected())
        .extracting(Throwable::getMessage)
        .satisfiesExactly(
            message -> assertThat(message).contains("Expecting actual not to be null"),
            message -> assertThat(message).startsWith("unverified  "),
            message -> assertThat(message).startsWith("the session cannot be read: " + gone));
  }

  @Test
  void descriptions_appear() {
    softly
        .assertThat(agent)
        .as("agent")
        .endsWith(Status.FAILED)
        .toolCall("tc_1")
        .failed();
    assertThat(failures())
        .containsExactly(
            "[agent] the session ended with a different status",
            "[agent] call \"tc_1\" of \"read\": it succeeded");
  }

  @Test
  void soft_assertions_of_ones_own_collect_as_well() {
    OwnSoftAssertions own = new OwnSoftAssertions();
    own.assertThat(agent).toolCall("tc_1").hasTool("x");
    assertThat(own.assertionErrorsCollected()).hasSize(1);
  }

  @Test
  void injected_soft_assertions_fail_the_test() {
    EngineTestKit.engine("junit-jupiter")
        .selectors(DiscoverySelectors.selectClass(InjectedCase.class))
        .execute()
        .testEvents()
        .assertStatistics(statistics -> statistics.started(1).failed(1))
        .failed()
        .assertThatEvents()
        .haveExactly(
            1,
            EventConditions.finishedWithFailure(TestExecutionResultConditions.message(
                message -> message.contains("(2 failures)"))));
  }

  /** Run by the test above. */
  @ExtendWith(SoftAssertionsExtension.class)
  static class InjectedCase {

    @InjectSoftAssertions
    private ReplaySoftAssertions soft;

    @Test
    void fails(@TempDir Path directory) throws IOException {
      Session agent = Recordings.agent(directory);
      soft.assertThat(agent).hasToolCalls().toolCall("tc_9").succeeded();
    }
  }
}
