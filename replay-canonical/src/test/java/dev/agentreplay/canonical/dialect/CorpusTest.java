package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec.DecodedReceipt;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All sessions of the corpus, if it is next to the project. */
class CorpusTest {

  @ParameterizedTest
  @CsvSource({"tau-bench, EVENT, 60", "openagents-stream, TYPE, 12", "draft-002, DRAFT, 10"})
  void every_log_is_read_without_findings_and_written_back(
      String set, Dialect dialect, int sessions) throws IOException {
    List<Path> directories = directories(set);

    assertThat(directories).hasSize(sessions);
    for (Path directory : directories) {
      RecordedSessionsTest.assertReadAndWrittenBack(read(directory, "REPLAY.jsonl"), dialect);
    }
  }

  @ParameterizedTest
  @CsvSource({"tau-bench, 60", "openagents-stream, 12"})
  void every_receipt_is_read_without_findings_and_written_back(String set, int sessions)
      throws IOException {
    List<Path> directories = directories(set);

    assertThat(directories).hasSize(sessions);
    for (Path directory : directories) {
      String text = read(directory, "RECEIPT.json");
      JsonObject object = Lines.object(text);
      DecodedReceipt decoded = Objects.requireNonNull(ReceiptCodec.decode(object));

      assertThat(decoded.findings()).as("%s", directory).isEmpty();
      assertThat(JsonText.pretty(ReceiptCodec.encode(decoded.receipt()))).isEqualTo(text);
      if (decoded.receipt() instanceof TrajectoryReceipt receipt) {
        assertThat(ReceiptCodec.digest(object)).isEqualTo(receipt.digest());
      }
    }
  }

  private static List<Path> directories(String set) throws IOException {
    String shared = System.getProperty("replay.shared");
    Path corpus = Path.of(shared == null ? "" : shared, "corpus", set);
    boolean there = shared != null && Files.isDirectory(corpus);
    Assumptions.assumeTrue(
        there,
        () -> shared == null
            ? "skipped: the system property replay.shared does not say where the corpus is"
            : "skipped: there is no corpus at " + corpus);
    try (Stream<Path> sessions = Files.list(corpus)) {
      return sessions.sorted().toList();
    }
  }

  private static String read(Path directory, String file) throws IOException {
    return Files.readString(directory.resolve(file), StandardCharsets.UTF_8);
  }
}
