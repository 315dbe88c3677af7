package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trace is read as a session, without an import that stays. */
class OpenTraceTest {

  private static final Path TRACE = ForeignFiles.path("claude-code/sample_session.jsonl");

  @TempDir
  private Path directory;

  @Test
  void trace_is_a_session_with_paths_below_its_name() throws IOException {
    Session session;
    try (OpenTrace trace = OpenTrace.open(TRACE)) {
      session = trace.session();
      assertThat(session.log()).hasToString(TRACE + "/" + Session.LOG_NAME);
      assertThat(session.id()).isEqualTo("test-session-id");
      assertThat(SessionVerifier.of(VerifyPolicy.defaults()).verify(session).verdict())
          .isEqualTo(Verdict.VALID);
      assertThat(trace.report().sessions().get(0).counts().toolCalls()).isEqualTo(2);
      assertThatThrownBy(() -> Files.writeString(session.log(), ""))
          .isInstanceOfAny(FileSystemException.class, UnsupportedOperationException.class);
    }
    assertThatThrownBy(session::reader).isInstanceOf(ClosedFileSystemException.class);
  }

  @Test
  void sessions_logs_and_damaged_files_are_not_traces() throws IOException {
    Path imported = directory.resolve("session");
    TraceChecks.importFile(TRACE, imported);
    Path packed = directory.resolve("session.tar.gz");
    PackedSession.pack(imported, packed);
    Path damaged = directory.resolve("damaged.gz");
    Files.write(damaged, new byte[] {0x1f, (byte) 0x8b, 1, 2, 3});
    Path other = directory.resolve("damaged.zst");
    Files.write(other, new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 0, 1, 2, 3});

    assertThat(OpenTrace.isTrace(TRACE)).isTrue();
    assertThat(OpenTrace.isTrace(imported)).isFalse();
    assertThat(OpenTrace.isTrace(imported.resolve(Session.LOG_NAME))).isFalse();
    assertThat(OpenTrace.isTrace(imported.resolve(Session.RECEIPT_NAME))).isFalse();
    assertThat(OpenTrace.isTrace(packed)).isFalse();
    assertThat(OpenTrace.isTrace(damaged)).isFalse();
    assertThat(OpenTrace.isTrace(other)).isFalse();
    assertThat(OpenTrace.isTrace(directory)).isFalse();
    assertThat(OpenTrace.isTrace(directory.resolve("missing"))).isFalse();
  }

  /** A log whose later lines look like those of a transcript is still a log. */
  @Test
  void log_that_begins_with_an_event_is_not_a_trace() throws IOException {
    Path log = directory.resolve("log.jsonl");
    Files.writeString(
        log,
        "{\"type\":\"SessionStart\",\"session_id\":\"s\"}\n"
            + "{\"type\":\"user\",\"sessionId\":\"x\",\"message\":{\"content\":\"hi\"}}\n");
    assertThat(OpenTrace.isTrace(log)).isFalse();
  }

  @Test
  void trace_without_a_turn_is_refused_and_leaves_nothing() throws IOException {
    Path summary = directory.resolve("summary.jsonl");
    Files.writeString(summary, "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"5f0c\"}\n");
    assertThat(OpenTrace.isTrace(summary)).isTrue();
    assertThatThrownBy(() -> OpenTrace.open(summary))
        .isInstanceOf(NothingRecognizedException.class)
        .hasMessageStartingWith("[IMPORT_NOTHING_RECOGNISED] summary.jsonl: ");
  }

  @Test
  void trace_is_refused_where_a_session_is_required() throws IOException {
    assertThatThrownBy(() -> OpenTrace.requireNone(TRACE))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "%s: a Claude Code transcript must be imported first: replay import %s DIR",
            TRACE, TRACE);
    TraceChecks.importFile(TRACE, directory.resolve("session"));
    OpenTrace.requireNone(directory.resolve("session"));
  }

  @Test
  void shown_files_cannot_be_written() throws IOException {
    try (OpenTrace trace = OpenTrace.open(TRACE)) {
      Path receipt = trace.session().log().resolveSibling(Session.RECEIPT_NAME);
      assertThat(Files.exists(receipt)).isTrue();
      assertThatThrownBy(
              () -> receipt.getFileSystem().provider().checkAccess(receipt, AccessMode.WRITE))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageEndingWith("the session is only read");
    }
  }
}
