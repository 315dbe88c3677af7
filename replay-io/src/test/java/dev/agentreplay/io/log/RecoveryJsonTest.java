package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryJsonTest {

  @TempDir
  Path directory;

  @Test
  void torn_tail_is_reported_before_the_repair_and_after_it() throws IOException {
    SessionRecorder.start(directory.resolve("s"), "s").close();
    Path log = directory.resolve("s").resolve(Session.LOG_NAME);
    long whole = Files.size(log);
    Files.writeString(log, "{\"ev", StandardOpenOption.APPEND);

    JsonObject torn = RecoveryJson.render(log, LogRecovery.of(log).inspect());
    JsonObject repaired = RecoveryJson.render(log, LogRecovery.of(log).repair());

    assertThat(torn.at("/schema").asString()).isEqualTo("replay.recover/1");
    assertThat(torn.at("/state").asString()).isEqualTo("TORN_TAIL");
    assertThat(torn.at("/torn_tail/offset").asLong()).isEqualTo(whole);
    assertThat(torn.at("/torn_tail/dropped_bytes").asLong()).isEqualTo(4);
    assertThat(torn.find("/repair")).isNull();
    assertThat(repaired.at("/state").asString()).isEqualTo("OPEN");
    assertThat(repaired.find("/torn_tail")).isNull();
    assertThat(repaired.at("/repair/before").asString()).isEqualTo("TORN_TAIL");
    assertThat(repaired.at("/repair/dropped_bytes").asLong()).isEqualTo(4);
    assertThat(repaired.at("/repair/removed").asArray().size()).isEqualTo(1);
  }

  @Test
  void bytes_behind_a_fault_are_counted_in_every_file() throws IOException {
    SessionRecorder.start(directory.resolve("s"), "s").close();
    Path log = directory.resolve("s").resolve(Session.LOG_NAME);
    Files.writeString(log, "{\"ev", StandardOpenOption.APPEND);
    Files.writeString(LogSegments.file(log, 2), "{\"event");

    JsonObject corrupt = RecoveryJson.render(log, LogRecovery.of(log).inspect());
    JsonObject repaired = RecoveryJson.render(log, LogRecovery.of(log).truncate());

    assertThat(corrupt.at("/corrupt/code").asString()).isEqualTo("REPLAY_HASH_MISMATCH");
    assertThat(repaired.at("/state").asString()).isEqualTo("OPEN");
    assertThat(repaired.find("/corrupt")).isNull();
    assertThat(repaired.at("/repair/before").asString()).isEqualTo("CORRUPT");
    assertThat(repaired.at("/repair/dropped_bytes").asLong()).isEqualTo(4 + 7);
    assertThat(repaired.at("/repair/removed").asArray().size()).isEqualTo(2);
  }
}
