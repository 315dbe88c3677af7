package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.testkit.TestSessions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every byte of a recorded session, flipped: it is noticed. */
@Tag("slow")
class MutationTest {

  private static final SessionVerifier VERIFIER = SessionVerifier.of(VerifyPolicy.defaults());

  @TempDir
  private Path directory;

  @Test
  void any_byte_of_a_log_whose_receipt_has_its_hash() throws IOException {
    Session session = Session.open(TestSessions.bundled("sessions/task-19_trial-2"));
    assertThat(Files.readString(session.receipt())).contains("\"replay_hash\"");
    byte[] log = Files.readAllBytes(session.log());
    for (int i = 0; i < log.length; i++) {
      assertThat(verify(log, i, 1 << i % 8, session.receipt()))
          .as("byte %d", i)
          .isIn(Verdict.INVALID, Verdict.UNREADABLE);
    }
  }

  @ParameterizedTest
  @CsvSource({"20251223-154703, 1", "20251223-125618, 5"})
  void any_byte_of_an_event_of_a_log_whose_receipt_has_a_trajectory_hash(String name, int step)
      throws IOException {
    Session session = Session.open(TestSessions.bundled("sessions/" + name));
    byte[] log = Files.readAllBytes(session.log());
    int header = indexOf(log, '\n', 0) + 1;
    for (int i = header; i < log.length; i += step) {
      assertThat(verify(log, i, 0x01, session.receipt()))
          .as("byte %d", i)
          .isIn(Verdict.INVALID, Verdict.UNREADABLE);
    }
  }

  @ParameterizedTest
  @CsvSource({"task-18_trial-3, 1", "task-19_trial-2, 1", "20251223-125618, 5"})
  void any_byte_of_parameters_and_outputs_of_a_log_without_a_receipt(String name, int step)
      throws IOException {
    Session session = Session.open(TestSessions.bundled("sessions/" + name));
    byte[] log = Files.readAllBytes(session.log());
    int checked = 0;
    int from = 0;
    try (ReplayReader reader = ReplayReader.of(new ByteArrayInputStream(log), name)) {
      for (ReplayLine line : reader) {
        String member = line.event() instanceof ToolCall
            ? "\"params\":"
            : line.event() instanceof ToolResult ? "\"output\":" : null;
        if (member != null) {
          String text = new String(line.bytes(), StandardCharsets.UTF_8);
          int start = bytes(text.substring(0, text.indexOf(member) + member.length()));
          int end = bytes(text.substring(0, text.indexOf("_hash\":") - 7));
          for (int i = from + start; i < from + end - 1; i += step) {
            assertThat(verify(log, i, 0x01, null))
                .as("byte %d in line %d", i, line.position().line())
                .isIn(Verdict.INVALID, Verdict.UNREADABLE);
            checked++;
          }
        }
        from += line.bytes().length + 1;
      }
    }
    assertThat(checked).isGreaterThan(300);
  }

  private Verdict verify(byte[] log, int index, int bit, Path receipt) throws IOException {
    byte[] flipped = Arrays.copyOf(log, log.length);
    flipped[index] ^= (byte) bit;
    Path file = Files.write(directory.resolve("log"), flipped);
    return VERIFIER.verify(new Session(file, receipt)).verdict();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static int indexOf(byte[] bytes, char wanted, int from) {
    int i = from;
    while (bytes[i] != wanted) {
      i++;
    }
    return i;
  }
}
