package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.batch.BatchResult;
import dev.agentreplay.verify.batch.BatchTotals;
import dev.agentreplay.verify.batch.BatchVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executes the table of attacks on batches in docs/guarantees.md. */
class BatchGuaranteesTest {

  @TempDir
  Path root;

  private Path genuine;
  private Path tampered;

  /** An attack on a directory of sessions that the attacker can write to. */
  @FunctionalInterface
  private interface Change {
    void make() throws IOException;
  }

  @BeforeEach
  void create() throws IOException {
    genuine = write("b/genuine", TestLog.small());
    tampered = write("b/tampered", TestLog.small().edit(5, "text", "evil"));
  }

  @Test
  void each_attack_on_a_batch_comes_out_as_the_document_says() throws IOException {
    Path batch = root.resolve("b");
    Map<String, Change> attacks = new LinkedHashMap<>();
    attacks.put("edit a session", () -> {});
    attacks.put("put a genuine session into the top directory", () -> copy(genuine, batch));
    attacks.put("nest it in a genuine session", () -> nest("around"));
    attacks.put("move it into `blobs/` or `snapshot/` of a genuine one", () -> nest("snapshot"));
    attacks.put(
        "rename its log to `run.jsonl`",
        () -> Files.move(tampered.resolve("REPLAY.jsonl"), tampered.resolve("run.jsonl")));
    attacks.put("replace it with a link", () -> {
      Files.move(tampered, root.resolve("elsewhere"));
      Files.createSymbolicLink(tampered, root.resolve("elsewhere"));
    });
    attacks.put("compress its log, and put a genuine one next to it", () -> {
      Files.move(tampered.resolve("REPLAY.jsonl"), tampered.resolve("REPLAY.jsonl.gz"));
      copy(genuine, tampered);
    });
    attacks.put("delete its log, and keep its receipt", () -> {
      Files.delete(tampered.resolve("REPLAY.jsonl"));
      Files.writeString(tampered.resolve("RECEIPT.json"), "{}");
    });
    attacks.put("replace it with a copy of a genuine session", () -> copy(genuine, tampered));
    attacks.put(
        "delete it, or rename its log to a name that no log has",
        () -> Files.move(tampered.resolve("REPLAY.jsonl"), tampered.resolve("REPLAY.bak")));

    Map<String, String> outcomes = new LinkedHashMap<>();
    for (Map.Entry<String, Change> attack : attacks.entrySet()) {
      clear();
      create();
      attack.getValue().make();
      outcomes.put(attack.getKey(), outcome(batch));
    }

    assertThat(outcomes).isEqualTo(documented());
  }

  private static String outcome(Path batch) {
    BatchTotals totals;
    try (Stream<BatchResult> results =
        BatchVerifier.of(VerifyPolicy.defaults()).verify(Sessions.find(batch))) {
      totals = results.reduce(BatchTotals.NONE, BatchTotals::plus, BatchTotals::plus);
    }
    boolean fails = totals.skipped() > 0
        || totals.count(Verdict.INVALID) > 0
        || totals.count(Verdict.UNREADABLE) > 0;
    return fails
        ? "detected"
        : totals.count(FindingCode.SESSION_REPEATED) > 0 ? "warning" : "not detectable";
  }

  private static Map<String, String> documented() throws IOException {
    Map<String, String> documented = new LinkedHashMap<>();
    GuaranteesDocument.read()
        .rows("Batches")
        .forEach((attack, cells) -> documented.put(attack, cells.get(0)));
    return documented;
  }

  private Path write(String name, TestLog log) throws IOException {
    Path directory = Files.createDirectories(root.resolve(name));
    log.write(directory, null);
    return directory;
  }

  private static void copy(Path session, Path directory) throws IOException {
    Files.copy(
        session.resolve("REPLAY.jsonl"),
        directory.resolve("REPLAY.jsonl"),
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Moves the tampered session into a directory of the genuine one. */
  private void nest(String name) throws IOException {
    Path inside = Files.createDirectories(genuine.resolve(name));
    Files.move(tampered, inside.resolve("tampered"));
  }

  private void clear() throws IOException {
    List<Path> all;
    try (Stream<Path> paths = Files.walk(root)) {
      all = paths.filter(path -> !path.equals(root)).toList();
    }
    for (int i = all.size() - 1; i >= 0; i--) {
      Files.delete(all.get(i));
    }
  }
}
