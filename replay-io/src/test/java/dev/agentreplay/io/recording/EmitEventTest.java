package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of a writer in a flight recording (JFR). */
class EmitEventTest {

  private static final String NAME = "dev.agentreplay.Emit";
  private static final String SECRET = "only-in-the-log";

  @TempDir
  private Path directory;

  @Test
  void a_slow_event_is_seen_when_asked_for_and_nothing_of_its_content() throws IOException {
    List<RecordedEvent> seen;
    try (Recording recording = new Recording()) {
      recording.enable(NAME).withoutThreshold();
      seen = emitUnder(recording);
    }
    assertThat(seen).hasSize(1);
    RecordedEvent event = seen.get(0);
    assertThat(event.getString("kind")).isEqualTo("ToolCall");
    assertThat(event.getInt("bytes")).isEqualTo(Files.readAllLines(log()).get(1).length() + 1);
    assertThat(event.getBoolean("forced")).isFalse();
    assertThat(event.getDuration().toNanos()).isPositive();
    assertThat(event.toString()).doesNotContain(SECRET);
  }

  @Test
  void nothing_is_seen_unless_asked_for() throws IOException {
    try (Recording recording = new Recording()) {
      assertThat(emitUnder(recording)).isEmpty();
    }
  }

  private List<RecordedEvent> emitUnder(Recording recording) throws IOException {
    recording.start();
    try (ReplayWriter writer = ReplayWriter.create(log(), ReplayHeader.of("p"))) {
      writer.emit(ToolCall.of("a", "t", JsonObject.of("text", SECRET)));
    }
    recording.stop();
    Path dump = directory.resolve("dump.jfr");
    recording.dump(dump);
    return RecordingFile.readAllEvents(dump).stream()
        .filter(event -> event.getEventType().getName().equals(NAME))
        .toList();
  }

  private Path log() {
    return directory.resolve("log");
  }
}
