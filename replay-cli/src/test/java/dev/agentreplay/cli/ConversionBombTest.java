package dev.agentreplay.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ContentHash;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A blob that many results refer to costs no more than its limit when it is converted. */
@Tag("slow")
class ConversionBombTest {

  private static final int REFERENCES = 1_800;
  private static final int ELEMENTS = 250_000;
  private static final Duration CPU = Duration.ofSeconds(60);

  @TempDir
  Path home;

  @ParameterizedTest
  @ValueSource(strings = {"text", "array"})
  void blob_that_1800_results_refer_to_is_not_written_1800_times(String kind) throws Exception {
    String blob = kind.equals("text")
        ? '"' + "0".repeat(ELEMENTS) + '"'
        : "[" + "0,".repeat(ELEMENTS - 1) + "0]";
    Path session = session(blob);
    Path out = home.resolve("out");

    BoundedRun run = BoundedRun.of(CPU, home, "convert", session, out, "--to", "draft");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
    assertThat(run.err())
        .contains("more than the limit of 67,108,864 bytes (--max-embedded-bytes")
        .contains("a blob of %,d bytes".formatted(blob.length()));
    assertThat(out).doesNotExist();
  }

  private Path session(String blob) throws Exception {
    Path session = Files.createDirectories(home.resolve("session/blobs")).getParent();
    ContentHash hash = ContentHash.sha256(blob.getBytes(UTF_8));
    Files.writeString(session.resolve("blobs/sha256-" + hash.hex() + ".json"), blob, UTF_8);
    StringBuilder log = new StringBuilder("{\"event\":\"ReplayHeader\",\"replay_version\":1}\n");
    for (int i = 0; i < REFERENCES; i++) {
      log.append(
          "{\"event\":\"ToolCall\",\"id\":\"%1$d\",\"params\":{},\"tool\":\"t\"}\n".formatted(i));
      log.append(
          "{\"event\":\"ToolResult\",\"id\":\"%d\",\"output_hash\":\"%s\",".formatted(i, hash)
              + "\"output_ref\":{\"blob\":\"%s\",\"bytes\":%d}}\n".formatted(hash, blob.length()));
    }
    Files.writeString(session.resolve("REPLAY.jsonl"), log, UTF_8);
    return session;
  }
}
