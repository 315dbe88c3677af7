package dev.agentreplay.io.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a session, and those that are refused in its directory. */
class SessionDirectoryTest {

  private static final byte[] SECRET = TestLogs.bytes("\"secret\"");
  private static final ContentHash HASH = ContentHash.sha256(SECRET);

  @TempDir
  private Path root;

  private Path directory;
  private Path outside;

  @BeforeEach
  void create() throws IOException {
    directory = Files.createDirectory(root.resolve("session"));
    outside = Files.write(root.resolve("outside"), SECRET);
  }

  @Test
  void session_is_all_that_its_directory_holds() throws IOException {
    Path log = Files.writeString(directory.resolve("REPLAY.jsonl"), "x");
    Path receipt = Files.writeString(directory.resolve("RECEIPT.json"), "{}");
    Path summary = Files.writeString(directory.resolve("PR_SUMMARY.md"), "# done");
    Path blobs = Files.createDirectory(directory.resolve("blobs"));
    Session whole = new Session(log, receipt, null, summary, blobs, ReaderOptions.defaults());
    assertThat(Session.open(directory)).isEqualTo(whole);
    assertThat(Session.open(log)).isEqualTo(whole);
    assertThat(whole.withReceipt(null))
        .isEqualTo(new Session(log, null, null, summary, blobs, ReaderOptions.defaults()));
  }

  @Test
  void compressed_log_is_taken_when_there_is_no_other() throws IOException {
    Path compressed = Files.writeString(directory.resolve("REPLAY.jsonl.gz"), "x");
    Path receipt = Files.writeString(directory.resolve("RECEIPT.json"), "{}");
    assertThat(Session.open(directory)).isEqualTo(new Session(compressed, receipt));
    assertThat(Session.open(compressed)).isEqualTo(new Session(compressed, receipt));
    Path log = Files.writeString(directory.resolve("REPLAY.jsonl"), "x");
    assertThatThrownBy(() -> Session.open(directory))
        .isInstanceOf(IOException.class)
        .hasMessage(directory + ": expected one log, found both REPLAY.jsonl and REPLAY.jsonl.gz");
    assertThatThrownBy(() -> Session.open(log))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected one log, found both");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"REPLAY.jsonl", "REPLAY.jsonl.gz", "RECEIPT.json", "PR_SUMMARY.md", "blobs"})
  void member_that_is_a_link_is_refused(String name) throws IOException {
    if (!name.startsWith("REPLAY")) {
      Files.writeString(directory.resolve("REPLAY.jsonl"), "x");
    }
    Path target = name.equals("blobs") ? root : outside;
    Path link = Files.createSymbolicLink(directory.resolve(name), target);
    assertThatThrownBy(() -> Session.open(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(link + ": expected a ")
        .hasMessageContaining("found a symbolic link, which is not followed");
    Files.delete(link);
    Files.createSymbolicLink(link, root.resolve("nowhere"));
    assertThatThrownBy(() -> Session.open(directory)).hasMessageContaining("a symbolic link");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"REPLAY.jsonl", "REPLAY.jsonl.gz", "RECEIPT.json", "PR_SUMMARY.md", "blobs"})
  void member_of_another_kind_is_refused(String name) throws Exception {
    if (!name.startsWith("REPLAY")) {
      Files.writeString(directory.resolve("REPLAY.jsonl"), "x");
    }
    Path member = directory.resolve(name);
    if (name.equals("blobs")) {
      Files.writeString(member, "x");
      assertThatThrownBy(() -> Session.open(directory))
          .hasMessage(member + ": expected a directory, found a regular file");
    } else {
      Files.createDirectory(member);
      assertThatThrownBy(() -> Session.open(directory))
          .hasMessage(member + ": expected a regular file, found a directory");
    }
    Files.delete(member);
    assumeTrue(TestFiles.makePipe(member), "no named pipes here");
    assertThatThrownBy(() -> Session.open(directory)).hasMessageContaining("found a special file");
  }

  @Test
  void log_that_is_named_itself_and_the_directory_may_be_links() throws IOException {
    Files.writeString(directory.resolve("REPLAY.jsonl"), "x");
    Path toDirectory = Files.createSymbolicLink(root.resolve("d"), directory);
    Path toLog = Files.createSymbolicLink(root.resolve("l"), directory.resolve("REPLAY.jsonl"));
    assertThat(Session.open(toDirectory).log()).isEqualTo(toDirectory.resolve("REPLAY.jsonl"));
    assertThat(Session.open(toLog)).isEqualTo(new Session(toLog, null));
  }

  @Test
  void blob_that_is_a_link_a_directory_or_a_pipe_is_refused() throws Exception {
    Files.writeString(directory.resolve("REPLAY.jsonl"), "x");
    Path blobs = Files.createDirectory(directory.resolve("blobs"));
    Path blob = blobs.resolve("sha256-" + HASH.hex() + ".json");
    Session session = Session.open(directory);
    Content content = new Content(null, HASH, BlobRef.of(HASH, SECRET.length), null);

    Files.createSymbolicLink(blob, outside);
    refused(session, content, blob + ": expected a regular file, found a symbolic link");
    Files.delete(blob);
    Files.createDirectory(blob);
    refused(session, content, blob + ": expected a regular file, found a directory");
    Files.delete(blob);
    assumeTrue(TestFiles.makePipe(blob), "no named pipes here");
    refused(session, content, blob + ": expected a regular file, found a special file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"REPLAY.jsonl", "REPLAY.jsonl.gz", "RECEIPT.json"})
  void recording_is_not_started_where_a_session_is(String name) throws IOException {
    Path there = Files.writeString(directory.resolve(name), "mine");
    assertThatThrownBy(() -> SessionRecorder.start(directory, "s"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageStartingWith("%s: it holds a session already (%s exists): record into another"
            .formatted(directory, name));
    assertThat(directory.toFile().list()).containsExactly(name);
    Files.delete(there);
    Files.createSymbolicLink(there, root.resolve("nowhere"));
    assertThatThrownBy(() -> SessionRecorder.start(directory, "s"))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  private static void refused(Session session, Content content, String message) {
    assertThatThrownBy(() -> session.resolve(content))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(message);
    assertThatThrownBy(() -> session.blob(HASH))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(message);
  }
}
