package dev.agentreplay.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.pack.TestPacks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What belongs to a log goes with it: all that would be packed. */
class SessionAttachmentsTest {

  private static final Map<String, String> ATTACHMENTS = Map.of(
      "PR_SUMMARY.md", "s",
      "NOTES.md", "n",
      "blobs/sha256-00.json", "b",
      "blobs/notes.txt", "t",
      "snapshot/REPLAY.jsonl", "r");

  @TempDir
  private Path root;

  private Path directory;
  private Path target;

  @BeforeEach
  void create() throws IOException {
    directory = root.resolve("session");
    target = Files.createDirectory(root.resolve("target"));
    for (Map.Entry<String, String> file : ATTACHMENTS.entrySet()) {
      write(directory, file.getKey(), file.getValue());
    }
    write(directory, "REPLAY.jsonl", "{}\n");
    write(directory, "RECEIPT.json", "{}");
    write(directory, ".replay.0123456789abcdef.tmp", "cut");
    Files.createDirectory(directory.resolve("empty"));
  }

  @Test
  void all_that_is_packed_is_copied_but_log_and_receipt() throws IOException {
    write(target, "NOTES.md", "old");
    Session.open(directory).copyAttachmentsTo(target);
    assertThat(TestPacks.tree(target)).isEqualTo(ATTACHMENTS);
  }

  @Test
  void parts_of_the_log_are_the_log_and_not_attachments() throws IOException {
    write(directory, "REPLAY.jsonl.2", "{}\n");
    write(directory, "REPLAY.jsonl.10", "{}\n");
    write(directory, "REPLAY.jsonl.md", "about it");
    write(directory, "snapshot/REPLAY.jsonl.2", "part of another");
    Session.open(directory).copyAttachmentsTo(target);
    assertThat(TestPacks.tree(target))
        .containsAllEntriesOf(ATTACHMENTS)
        .containsEntry("REPLAY.jsonl.md", "about it")
        .containsEntry("snapshot/REPLAY.jsonl.2", "part of another")
        .hasSize(ATTACHMENTS.size() + 2);
  }

  @Test
  void directory_without_blobs_gets_none() throws IOException {
    Path bare = root.resolve("bare");
    write(bare, "REPLAY.jsonl.gz", "log");
    Session.open(bare).copyAttachmentsTo(target);
    assertThat(target).isEmptyDirectory();
  }

  @Test
  void copy_inside_the_directory_does_not_copy_itself() throws IOException {
    Path inside = Files.createDirectories(directory.resolve("out/typed"));
    write(inside, "REPLAY.jsonl", "converted");
    Session.open(directory).copyAttachmentsTo(inside);
    assertThat(TestPacks.tree(inside.resolve("blobs"))).hasSize(2);
    assertThat(inside.resolve("out")).doesNotExist();
    assertThat(inside.resolve("REPLAY.jsonl")).hasContent("converted");
    Map<String, String> before = TestPacks.tree(directory);
    Session.open(directory).copyAttachmentsTo(directory);
    assertThat(TestPacks.tree(directory)).isEqualTo(before);
  }

  @Test
  void log_of_another_name_has_what_the_caller_says() throws IOException {
    Path log = directory.resolve("other.jsonl");
    Files.writeString(log, "{}\n");
    Session.open(log).copyAttachmentsTo(target);
    assertThat(target).isEmptyDirectory();
    Path summary = directory.resolve("PR_SUMMARY.md");
    new Session(log, null, null, summary, directory.resolve("blobs")).copyAttachmentsTo(target);
    assertThat(TestPacks.tree(target))
        .containsOnlyKeys("PR_SUMMARY.md", "blobs/notes.txt", "blobs/sha256-00.json");
  }

  @Test
  void link_is_refused_and_nothing_is_copied() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("snapshot/link"), root);
    assertThatThrownBy(() -> Session.open(directory).copyAttachmentsTo(target))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(link + ": expected a regular file, found a symbolic link");
    assertThat(target).isEmptyDirectory();
  }

  private static void write(Path directory, String path, String content) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
