package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SaltedRecordingTest {

  private static final RecorderOptions OPTIONS = RecorderOptions.defaults()
      .withWriter(WriterOptions.defaults().withClock(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)));

  @TempDir
  private Path directory;

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void every_log_has_a_salt_of_its_own(Dialect dialect) throws IOException {
    RecorderOptions options =
        OPTIONS.withWriter(OPTIONS.writer().withDialect(dialect)).withProducer("p@1");
    Set<Salt> salts = new HashSet<>();

    for (int i = 0; i < 3; i++) {
      salts.add(header(record("s" + i, options)).salt());
    }

    assertThat(salts).hasSize(3).doesNotContainNull();
  }

  @Test
  void same_run_without_a_salt_has_the_same_bytes() throws IOException {
    Path first = record("a", OPTIONS.withSalted(false));
    Path second = record("b", OPTIONS.withSalted(false));

    assertThat(header(first).salt()).isNull();
    assertThat(Files.readString(first.resolve(Session.LOG_NAME)))
        .isEqualTo(Files.readString(second.resolve(Session.LOG_NAME)))
        .doesNotContain("salt");
  }

  @Test
  void published_copy_is_not_resumed() throws IOException {
    Path session = record("s", OPTIONS);
    Files.delete(session.resolve("RECEIPT.json"));
    Path log = session.resolve("REPLAY.jsonl");
    List<String> lines = Files.readAllLines(log);
    Files.writeString(
        log,
        lines.get(0).replace("\"replay_version\"", "\"published\":{},\"replay_version\"") + "\n");
    byte[] before = Files.readAllBytes(log);

    assertThatThrownBy(() -> SessionRecorder.resume(session, OPTIONS).close())
        .isInstanceOf(ReplayFormatException.class)
        .hasMessageContaining("line 1, byte 0")
        .hasMessageContaining(
            "the log is the published copy of a session, to which no event can be")
        .hasMessageContaining("resume the session itself");
    assertThatThrownBy(() -> ReplayWriter.append(log, WriterOptions.defaults()).close())
        .isInstanceOf(ReplayFormatException.class);
    assertThat(log).hasBinaryContent(before);
  }

  @Test
  void resumed_log_keeps_its_salt() throws IOException {
    Path session = directory.resolve("s");
    SessionRecorder.start(session, SessionStart.of("s"), OPTIONS).close();
    Salt salt = header(session).salt();

    try (SessionRecorder recorder = SessionRecorder.resume(session, OPTIONS)) {
      recorder.end(Status.SUCCESS, 1.0);
    }

    assertThat(header(session).salt()).isNotNull().isEqualTo(salt);
  }

  private Path record(String name, RecorderOptions options) throws IOException {
    Path session = directory.resolve(name);
    try (SessionRecorder recorder = SessionRecorder.start(session, SessionStart.of("s"), options)) {
      recorder.end(Status.SUCCESS, 1.0);
    }
    return session;
  }

  private static ReplayHeader header(Path session) throws IOException {
    try (ReplayReader reader = Session.open(session).reader()) {
      return (ReplayHeader) reader.read().event();
    }
  }
}
