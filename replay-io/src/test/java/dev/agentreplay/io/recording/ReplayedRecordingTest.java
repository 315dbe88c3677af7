package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReplayedRecordingTest {

  private static final TreeHead HEAD = new TreeHead(7, ContentHash.sha256(new byte[0]));
  private static final ReplayOrigin ORIGIN = new ReplayOrigin("first", HEAD, ReplayOrigin.MOCK);
  private static final RecorderOptions OPTIONS = RecorderOptions.defaults();

  @TempDir
  private Path directory;

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void header_of_a_replay_states_the_replayed_session(Dialect dialect) throws IOException {
    record(OPTIONS
        .withWriter(OPTIONS.writer().withDialect(dialect))
        .withReplayOf(ORIGIN)
        .withProducer("p@1"));

    assertThat(header().replayOf()).isEqualTo(ORIGIN);
    assertThat(header().salt()).isNotNull();
  }

  @Test
  void recording_that_is_not_a_replay_states_none() throws IOException {
    assertThat(OPTIONS.replayOf()).isNull();

    record(OPTIONS.withReplayOf(ORIGIN).withReplayOf(null));

    assertThat(header().replayOf()).isNull();
    assertThat(Files.readString(directory.resolve(Session.LOG_NAME))).doesNotContain("replay_of");
  }

  @Test
  void resumed_log_keeps_its_header() throws IOException {
    SessionRecorder.start(directory, SessionStart.of("s"), OPTIONS.withReplayOf(ORIGIN))
        .close();
    ReplayHeader header = header();

    ReplayOrigin other = new ReplayOrigin("other", HEAD, ReplayOrigin.FULL);
    try (SessionRecorder recorder =
        SessionRecorder.resume(directory, OPTIONS.withReplayOf(other))) {
      recorder.end(Status.SUCCESS, 1.0);
    }

    assertThat(header()).isEqualTo(header);
    assertThat(header.replayOf()).isEqualTo(ORIGIN);
  }

  @Test
  void origin_out_of_range_is_refused_and_no_log_is_written() {
    for (ReplayOrigin wrong : new ReplayOrigin[] {
      new ReplayOrigin("first", HEAD, " "),
      new ReplayOrigin("first", new TreeHead(0, HEAD.root()), ReplayOrigin.MOCK)
    }) {
      assertThatThrownBy(() ->
              SessionRecorder.start(directory, SessionStart.of("s"), OPTIONS.withReplayOf(wrong)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("replay_of.");
      assertThat(directory.resolve(Session.LOG_NAME)).doesNotExist();
    }
  }

  @Test
  void result_whose_output_cannot_be_recorded_keeps_its_provenance() {
    Provenance served = new Provenance(Provenance.SERVED, Provenance.EXACT, 12L);
    Meta meta = served.addTo(Meta.NONE.withExtra(JsonObject.of("java_types", JsonObject.EMPTY)));

    ToolResult rest = (ToolResult) RecordedEvents.rest(
            ToolResult.of("c", "x").withMeta(meta), new IllegalArgumentException("too long"))
        .get(0);

    assertThat(rest.meta().extra().names()).containsExactly("output_unrecorded", "replayed");
    assertThat(Provenance.of(rest)).isEqualTo(served);
  }

  private void record(RecorderOptions options) throws IOException {
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      recorder.end(Status.SUCCESS, 1.0);
    }
  }

  private ReplayHeader header() throws IOException {
    try (ReplayReader reader = Session.open(directory).reader()) {
      return (ReplayHeader) reader.read().event();
    }
  }
}
