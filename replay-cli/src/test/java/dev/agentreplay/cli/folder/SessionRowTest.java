package dev.agentreplay.cli.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.SessionSummary;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The part of a summary that a list keeps. */
class SessionRowTest {

  @TempDir
  private Path home;

  @Test
  void long_task_is_not_cut_within_a_character() throws IOException {
    Path log = home.resolve("REPLAY.jsonl");
    String begin = "x".repeat(199);
    Files.writeString(
        log,
        """
        {"event":"ReplayHeader","replay_version":1}
        {"event":"SessionStart","session_id":"s","task":"%s\uD83D\uDE00 more"}
        """
            .formatted(begin));

    SessionSummary summary = SessionSummary.read(Session.open(home));

    assertThat(SessionRow.of(home, summary, Prices.NONE).task()).isEqualTo(begin);
  }
}
