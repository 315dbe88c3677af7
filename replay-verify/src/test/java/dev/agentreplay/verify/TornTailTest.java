package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.report.ReportJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The place of a torn tail: the byte that is wrong, and the beginning of the line. */
class TornTailTest {

  private static final String TAIL = "{\"event\":\"ToolCall\",\"id\":";

  @TempDir
  private Path directory;

  private Path log;
  private long whole;

  @BeforeEach
  void tear() throws IOException {
    try (SessionRecorder recorder = SessionRecorder.start(directory.resolve("s"), "s")) {
      recorder.call("read", JsonObject.of("n", 1)).result("x");
      recorder.end(Status.SUCCESS, 1.0);
    }
    log = directory.resolve("s").resolve(Session.LOG_NAME);
    whole = Files.size(log);
    Files.writeString(log, Files.readString(log) + TAIL);
  }

  @Test
  void finding_has_the_byte_that_is_wrong_and_the_beginning_of_the_line() throws IOException {
    Finding torn = torn();

    assertThat(torn.position().offset()).isEqualTo(whole + TAIL.length());
    assertThat(torn.position().lineOffset()).isEqualTo(whole);
    assertThat(torn.position())
        .hasToString(
            "line 6, byte %d (the line begins at byte %d)".formatted(whole + TAIL.length(), whole));
    assertThat(ReportJson.render(
                SessionVerifier.of(VerifyPolicy.defaults()).verify(new Session(log, null)))
            .at("/findings")
            .toString())
        .contains("\"line_offset\":" + whole);
  }

  @Test
  void recovery_and_verification_name_the_same_line_and_beginning() throws IOException {
    Position recovered = ((Recovery.TornTail) LogRecovery.of(log).inspect()).position();

    assertThat(recovered.line()).isEqualTo(torn().position().line());
    assertThat(recovered.lineOffset()).isEqualTo(torn().position().lineOffset());
  }

  @Test
  void reader_refuses_the_line_with_both() {
    assertThatThrownBy(() -> {
          try (var reader = new Session(log, null).reader()) {
            while (reader.read() != null) {}
          }
        })
        .isInstanceOfSatisfying(ReplayFormatException.class, e -> assertThat(e.position())
            .isEqualTo(new Position(6, whole + TAIL.length(), whole)));
  }

  private Finding torn() throws IOException {
    return SessionVerifier.of(VerifyPolicy.defaults())
        .verify(new Session(log, null))
        .findings()
        .stream()
        .filter(finding -> finding.code() == FindingCode.TORN_TAIL)
        .findFirst()
        .orElseThrow();
  }
}
