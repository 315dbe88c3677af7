package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentreplay.io.file.DiskFiles;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every truncation and every flipped byte of a log, against what a reader that is not ours makes of
 * it.
 */
class RecoveryOracleTest {

  private static final Path LOG = Path.of("REPLAY.jsonl");
  /** All bytes are visited with {@code -Dreplay.effort=5}. */
  private static final int STRIDE = Integer.getInteger("replay.effort", 1) < 5 ? 10 : 1;

  private static final int STEPS = 40;
  private static final int CALLS = 5;

  private static final JsonMapper STRICT = JsonMapper.builder()
      .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .build();

  /** A cache of lines that were parsed: most lines of most logs are equal. */
  private static final Map<ByteBuffer, Optional<JsonNode>> READ = new HashMap<>();

  @TempDir
  static Path directory;

  private static byte[] log;

  @BeforeAll
  static void writeLog() throws IOException {
    Path file = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p@1"))) {
      writer.emit(SessionStart.of("s"));
      for (int i = 0; i < CALLS; i++) {
        writer.emit(ToolCall.of("c" + i, "t", JsonObject.of("é", "{\"\\\n" + i, "n", i)));
        writer.emit(ToolResult.of("c" + i, JsonObject.of("ok", true)).withLatencyMillis(1L));
      }
      for (int i = 0; i < STEPS; i++) {
        writer.emit(StepComplete.of("s" + i, Status.SUCCESS, 1));
      }
      writer.emit(SessionEnd.of(Status.SUCCESS));
    }
    log = Files.readAllBytes(file);
  }

  @Test
  void every_truncation_is_what_another_reader_says_it_is() throws IOException {
    assertThat(expected(log)).isInstanceOf(Recovery.Complete.class);
    assertThat(expected(log).events()).isGreaterThanOrEqualTo(50);
    for (int length = 0; length <= log.length; length += STRIDE) {
      byte[] cut = Arrays.copyOf(log, length);
      SimulatedDisk disk = DiskFiles.of(LOG, cut);

      Recovery recovery = LogRecovery.of(disk, LOG).inspect();

      assertThat(recovery).as("cut to %d bytes", length).isEqualTo(expected(cut));
      Recovery repaired = LogRecovery.of(disk, LOG).repair().after();
      assertThat(disk.content(LOG)).hasSize((int) repaired.bytes());
      assertThat(repaired.events()).isEqualTo(recovery.events());
    }
  }

  @Test
  void every_flipped_byte_is_what_another_reader_says_it_is() throws IOException {
    int[] masks = {0x01, 0x20, 0x80};
    for (int i = 0; i < log.length; i += STRIDE) {
      byte[] flipped = log.clone();
      flipped[i] ^= (byte) masks[i % masks.length];

      Recovery recovery = LogRecovery.of(DiskFiles.of(LOG, flipped), LOG).inspect();

      assertThat(withoutPlace(recovery))
          .as("byte %d", i)
          .isEqualTo(withoutPlace(expected(flipped)));
    }
  }

  /** The result without the reason and exact place of a corrupt line, which differ by reader. */
  private static Object withoutPlace(Recovery recovery) {
    return recovery instanceof Recovery.Corrupt corrupt
        ? List.of(
            corrupt.extent(),
            corrupt.position().line(),
            corrupt.readableAfter(),
            corrupt.unreadableAfter())
        : recovery;
  }

  private static Recovery expected(byte[] bytes) {
    List<byte[]> lines = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        lines.add(Arrays.copyOfRange(bytes, from, i));
        from = i + 1;
      }
    }
    boolean tail = from < bytes.length;
    if (tail) {
      lines.add(Arrays.copyOfRange(bytes, from, bytes.length));
    }
    boolean ended = false;
    long good = 0;
    for (int i = 0; i < lines.size(); i++) {
      JsonNode event = event(lines.get(i));
      boolean last = i == lines.size() - 1;
      if (event == null) {
        Recovery.Extent extent = new Recovery.Extent(i, good, 1, good);
        if (last && tail) {
          return new Recovery.TornTail(extent, bytes.length - good, ended);
        }
        long readable = lines.subList(i + 1, lines.size()).stream()
            .filter(line -> event(line) != null)
            .count();
        return new Recovery.Corrupt(
            extent,
            extent.end(),
            FindingCode.MALFORMED_LINE,
            "",
            readable,
            lines.size() - i - 1 - readable);
      }
      good += lines.get(i).length + (last && tail ? 0 : 1);
      ended |= event.path("event").asText().equals("SessionEnd")
          && event.path("status").isTextual();
    }
    Recovery.Extent extent = new Recovery.Extent(lines.size(), good, 1, good);
    return ended ? new Recovery.Complete(extent, tail) : new Recovery.Open(extent, tail);
  }

  private static JsonNode event(byte[] line) {
    return READ.computeIfAbsent(ByteBuffer.wrap(line), RecoveryOracleTest::read).orElse(null);
  }

  private static Optional<JsonNode> read(ByteBuffer line) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(line.duplicate()).toString();
      return Optional.of(STRICT.readTree(text)).filter(JsonNode::isObject);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
