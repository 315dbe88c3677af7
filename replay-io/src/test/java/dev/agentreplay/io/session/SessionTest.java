package dev.agentreplay.io.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locating the files of a session, and writing small files. */
class SessionTest {

  @TempDir
  private Path directory;

  @Test
  void directory_is_a_session_by_its_log() throws IOException {
    Path log = Files.writeString(directory.resolve("REPLAY.jsonl"), "x");
    assertThat(Session.open(directory)).isEqualTo(new Session(log, null));

    Path receipt = Files.writeString(directory.resolve("RECEIPT.json"), "{}");
    assertThat(Session.open(directory)).isEqualTo(new Session(log, receipt));
  }

  @Test
  void log_has_the_receipt_next_to_it_only_if_the_name_matches() throws IOException {
    Path log = Files.writeString(directory.resolve("REPLAY.jsonl"), "x");
    Path other = Files.writeString(directory.resolve("other.jsonl"), "x");
    Path receipt = Files.writeString(directory.resolve("RECEIPT.json"), "{}");

    assertThat(Session.open(log)).isEqualTo(new Session(log, receipt));
    assertThat(Session.open(other)).isEqualTo(new Session(other, null));
  }

  @Test
  void missing_path_and_directory_without_a_log_are_reported() {
    assertThatThrownBy(() -> Session.open(directory.resolve("none")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("none")
        .hasMessageContaining("no such file or directory");
    assertThatThrownBy(() -> Session.open(directory))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("directory holds no REPLAY.jsonl");
  }

  @Test
  void receipt_may_be_exchanged() throws IOException {
    Path log = Files.writeString(directory.resolve("log.jsonl"), "x");
    Path receipt = directory.resolve("r.json");
    Session session = Session.open(log).withReceipt(receipt);

    assertThat(session).isEqualTo(new Session(log, receipt));
    assertThat(session.withReceipt(null)).isEqualTo(new Session(log, null));
  }

  @Test
  void replay_hash_is_that_of_the_bytes() throws IOException {
    byte[] bytes = new byte[100_000];
    bytes[99_999] = 1;
    Path log = Files.write(directory.resolve("log.jsonl"), bytes);
    assertThat(new Session(log, null).replayHash()).isEqualTo(ContentHash.sha256(bytes));
  }

  @Test
  void receipt_is_written_whole_and_not_over_another() throws IOException {
    Path file = directory.resolve("R.json");
    SessionReceipt receipt = new ReceiptAccumulator().toSessionReceipt(null);

    ReceiptFile.create(file, receipt);

    assertThat(file).hasContent(ReceiptFile.toText(receipt));
    Files.writeString(file, "other");
    assertThatThrownBy(() -> ReceiptFile.create(file, receipt))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("other");
    ReceiptFile.replace(file, receipt);
    assertThat(file).hasContent(ReceiptFile.toText(receipt));
    assertThat(directory.toFile().list()).containsExactly("R.json");
  }

  @Test
  void receipt_that_cannot_be_moved_to_its_place_leaves_no_file() throws IOException {
    Path taken = Files.createDirectories(directory.resolve("a.json/inside")).getParent();
    SessionReceipt receipt = new ReceiptAccumulator().toSessionReceipt(null);

    assertThatThrownBy(() -> ReceiptFile.replace(taken, receipt)).isInstanceOf(IOException.class);
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(taken);
    }
  }
}
