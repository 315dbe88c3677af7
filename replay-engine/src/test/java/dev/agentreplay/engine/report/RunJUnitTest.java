package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JUnit XML of a replay: a build is green only if the verdict is identical. */
class RunJUnitTest {

  private static final Pattern TOTALS =
      Pattern.compile("<testsuites [^>]*failures=\"(\\d+)\" errors=\"(\\d+)\" skipped=\"(\\d+)\"");

  @TempDir
  Path directory;

  private Session session;

  @BeforeEach
  void record() throws Exception {
    Path recorded = directory.resolve("recorded");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "s")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> "text");
      scope.run("write_file", Map.of("path", "b.txt"), () -> "text");
      recorder.end(Status.SUCCESS);
    }
    session = Session.open(recorded);
  }

  private static String xml(ReplayReport report) {
    return JUnitReport.render(report, DivergenceSeverity.MINOR);
  }

  private static String totals(String xml) {
    var totals = TOTALS.matcher(xml);
    assertThat(totals.find()).isTrue();
    assertThat(xml.split("<failure ", -1)).hasSize(Integer.parseInt(totals.group(1)) + 1);
    assertThat(xml.split("<error ", -1)).hasSize(Integer.parseInt(totals.group(2)) + 1);
    assertThat(xml.split("<skipped ", -1)).hasSize(Integer.parseInt(totals.group(3)) + 1);
    return "%s failed, %s errors, %s skipped"
        .formatted(totals.group(1), totals.group(2), totals.group(3));
  }

  private void tamper() throws IOException {
    Files.writeString(
        session.log(), Files.readString(session.log()).replace("\"text\"", "\"other\""));
  }

  @Test
  void recording_that_is_not_valid_fails_with_its_finding() throws Exception {
    tamper();

    ReplayReport report = Replay.of(session).run();
    String xml = xml(report);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(totals(xml)).isEqualTo("1 failed, 0 errors, 0 skipped");
    assertThat(xml).contains("type=\"INVALID\" message=\"the recording is invalid: ");
    assertThat(xml).contains("OUTPUT_HASH_MISMATCH: output_hash is ");
  }

  @Test
  void forced_replay_of_a_recording_that_is_not_valid_fails() throws Exception {
    tamper();

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).force(true).run(scope -> {
      scope.call("read_file", Map.of("path", "a.txt"));
      scope.call("write_file", Map.of("path", "b.txt"));
    });

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.UNVERIFIED);
    assertThat(totals(xml(report))).isEqualTo("1 failed, 1 errors, 0 skipped");
    assertThat(xml(report)).contains("<error type=\"UNVERIFIED\" message=\"the recording is ");
  }

  @Test
  void replay_that_executed_nothing_is_an_error_with_the_reason() throws Exception {
    ReplayReport report = Replay.of(session).mode(ReplayMode.MODEL_LIVE).run(scope -> {
      scope.call("read_file", Map.of("path", "a.txt"));
      scope.call("write_file", Map.of("path", "b.txt"));
    });

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.UNVERIFIED);
    assertThat(totals(xml(report))).isEqualTo("0 failed, 1 errors, 0 skipped");
    assertThat(xml(report))
        .contains("<error type=\"UNVERIFIED\" message=\"nothing was executed\">");
  }

  @Test
  void steps_that_were_not_reached_are_skipped_without_a_time() throws Exception {
    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(scope -> {
      throw new NotExecutedException(
          NotExecutedException.Reason.NOT_STARTED, "no such program", null);
    });
    String xml = xml(report);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(totals(xml)).isEqualTo("0 failed, 1 errors, 3 skipped");
    assertThat(xml)
        .contains(
            "<testcase classname=\"replay.call\" name=\"call #0 read_file\">\n"
                + "<skipped message=\"not reached\"/>",
            "<error type=\"INCOMPLETE\" message=\"the agent failed: no such program\">");
  }

  @Test
  void kinds_and_numbers_are_those_of_the_report() throws Exception {
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .run(scope -> scope.call("read_file", Map.of("path", "a.txt")));
    String xml = xml(report);

    assertThat(report.divergencesByKind()).isEqualTo(Map.of("UNREAD", 1L));
    assertThat(totals(xml)).isEqualTo("1 failed, 0 errors, 0 skipped");
    assertThat(xml)
        .contains(
            "<failure type=\"UNREAD\" message=\"write_file on line 5 was not requested (major)\">"
                + "  1. UNREAD  write_file  major, root");
  }

  @Test
  void miss_has_its_kind_and_its_message() throws Exception {
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .run(scope -> scope.call("read_file", Map.of("path", "c.txt")));

    assertThat(xml(report))
        .contains(
            "<failure type=\"MISS\" message=\"tool call read_file cannot be answered from the",
            "  1. MISS  read_file  major, root")
        .doesNotContain("type=\"PARAMS\"");
  }
}
