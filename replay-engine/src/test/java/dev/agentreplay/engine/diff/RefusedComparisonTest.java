package dev.agentreplay.engine.diff;

import static dev.agentreplay.engine.diff.TestCalls.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of which a comparison says nothing, rather than that they are identical. */
class RefusedComparisonTest {

  private static final String HEADER = "{\"event\":\"ReplayHeader\",\"replay_version\":1}\n";
  private static final String START = "{\"event\":\"SessionStart\",\"session_id\":\"s\"}\n";
  private static final String END =
      "{\"confidence\":1.0,\"event\":\"SessionEnd\",\"status\":\"success\"}\n";

  @TempDir
  private Path directory;

  @Test
  void log_without_events_is_identical_to_nothing() throws IOException {
    Session empty = log("empty", "");
    Session ended = log("ended", HEADER + START + END);

    assertRefused(empty, empty, empty.log() + ": expected a log, found no events");
    assertRefused(ended, empty, empty.log() + ": expected a log, found no events");
    assertRefused(empty, ended, empty.log() + ": expected a log, found no events");
    assertThat(SessionDiff.between(ended, ended).isIdentical()).isTrue();
  }

  @Test
  void two_logs_that_end_where_their_sessions_start_are_not_identical() throws IOException {
    Session header = log("header", HEADER);
    Session started = log("started", HEADER + START);
    String problem =
        ": expected events to compare, found none after the session start in either log";

    assertRefused(header, header, header.log() + problem);
    assertRefused(started, header, started.log() + problem);
    String checkpoint = "{\"event\":\"Checkpoint\",\"tree_root\":\"sha256:%s\",\"tree_size\":2}\n";
    Session checked = log("checked", HEADER + START + checkpoint.formatted("0".repeat(64)));
    assertRefused(checked, started, checked.log() + problem);
    assertThat(SessionDiff.between(started, log("ended", HEADER + START + END)).isIdentical())
        .isFalse();
  }

  @Test
  void pattern_that_runs_away_ends_the_comparison() throws IOException {
    Session session = TestCalls.write(
        directory.resolve("calls"), List.of(call("t", JsonObject.of("x", "a".repeat(5_000)), 1)));
    DiffOptions options = DiffOptions.defaults().plus(Normalizer.pattern("bad", "(a*)*b", ""));

    assertThatThrownBy(() -> SessionDiff.between(session, session, options))
        .isInstanceOf(RunawayPatternException.class)
        .hasMessageStartingWith("normalizer \"bad\", (a*)*b, takes too long")
        .hasMessageEndingWith("at /params/x in an event of the left session")
        .extracting(e -> ((RunawayPatternException) e).pattern())
        .isEqualTo("(a*)*b");
  }

  private static void assertRefused(Session left, Session right, String message) {
    assertThatThrownBy(() -> SessionDiff.between(left, right))
        .isInstanceOf(NothingRecordedException.class)
        .hasMessage(message);
  }

  private Session log(String name, String text) throws IOException {
    return Session.open(Files.writeString(directory.resolve(name + ".jsonl"), text));
  }
}
