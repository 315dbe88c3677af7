package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.diff.FileContent.Form;
import dev.agentreplay.engine.diff.ValueChange.FileContents;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contents of files whose states differ, as far as snapshots have them. */
class FileContentsTest {

  @TempDir
  Path home;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A session in which a file gets a content; a content of null deletes the file. */
  private Session session(String name, byte @Nullable [] content, boolean isStored)
      throws IOException {
    Path directory = home.resolve(name);
    byte[] before = bytes("before");
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
      recorder.emit(
          content == null
              ? FileState.deleted("a.txt", ContentHash.sha256(before))
              : FileState.changed(
                  "a.txt",
                  ContentHash.sha256(before),
                  ContentHash.sha256(content),
                  content.length));
      recorder.end(Status.SUCCESS, 1.0);
    }
    if (isStored && content != null) {
      store(directory, ContentHash.sha256(content), content);
    }
    return Session.open(directory);
  }

  private static void store(Path directory, ContentHash hash, byte[] content) throws IOException {
    Path file = SnapshotFiles.in(directory.resolve(Session.SNAPSHOT_NAME)).path(hash);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  private @Nullable FileContents contents(Session left, Session right) throws IOException {
    SessionDiff diff = SessionDiff.between(left, right);
    assertThat(diff.divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.FILE_STATE);
    return contents(diff.divergences().get(0));
  }

  private static @Nullable FileContents contents(Divergence divergence) {
    return divergence.values().stream()
        .filter(value -> value.pointer().equals("/hash_after"))
        .map(ValueChange::detail)
        .map(FileContents.class::cast)
        .toList()
        .get(0);
  }

  private List<Form> forms(byte @Nullable [] left, byte @Nullable [] right) throws IOException {
    FileContents contents = contents(session("a", left, true), session("b", right, true));
    return Stream.of(contents.sides().left(), contents.sides().right())
        .map(content -> content == null ? null : content.form())
        .toList();
  }

  @Test
  void texts_that_differ_in_one_byte_are_kept_as_they_are() throws IOException {
    FileContents contents =
        contents(session("a", bytes("a\r\nb"), true), session("b", bytes("a\nb"), true));

    assertThat(contents.areTexts()).isTrue();
    assertThat(contents.sides().left().text()).isEqualTo("a\r\nb");
    assertThat(contents.sides().right().text()).isEqualTo("a\nb");
    assertThat(contents.sides().left().bytes()).isEqualTo(4);
  }

  @Test
  void bytes_that_are_not_text_are_binary() throws IOException {
    assertThat(forms(new byte[] {'a', 0}, bytes("a"))).containsExactly(Form.BINARY, Form.TEXT);
  }

  @Test
  void bytes_that_are_not_utf8_are_binary() throws IOException {
    assertThat(forms(new byte[] {(byte) 0xc0, (byte) 0x80}, new byte[] {(byte) 0xff}))
        .containsExactly(Form.BINARY, Form.BINARY);
  }

  @Test
  void content_over_the_limit_is_not_read() throws IOException {
    byte[] most = new byte[FileContent.MAX_BYTES];
    Arrays.fill(most, (byte) 'a');
    assertThat(forms(most, Arrays.copyOf(bytes("b"), FileContent.MAX_BYTES + 1)))
        .containsExactly(Form.TEXT, Form.LARGE);
  }

  @Test
  void file_that_one_session_deleted_has_one_content() throws IOException {
    assertThat(forms(bytes("x"), null)).containsExactly(Form.TEXT, null);
  }

  @Test
  void content_without_bytes_as_of_a_directory_is_known_although_it_is_not_stored()
      throws IOException {
    FileContents contents =
        contents(session("a", bytes("x"), true), session("b", bytes(""), false));

    assertThat(contents.areTexts()).isTrue();
    assertThat(contents.sides().right().text()).isEmpty();
  }

  @Test
  void content_that_one_session_has_not_stored_is_missing() throws IOException {
    FileContents contents =
        contents(session("a", bytes("x"), true), session("b", bytes("y"), false));

    assertThat(contents.areTexts()).isFalse();
    assertThat(contents.sides().right().form()).isEqualTo(Form.MISSING);
  }

  @Test
  void content_is_found_in_the_other_session() throws IOException {
    Session left = session("a", bytes("x"), true);
    store(home.resolve("a"), ContentHash.sha256(bytes("y")), bytes("y"));

    assertThat(contents(left, session("b", bytes("y"), false)).areTexts()).isTrue();
  }

  @Test
  void states_without_stored_contents_have_no_detail() throws IOException {
    assertThat(contents(session("a", bytes("x"), false), session("b", bytes("y"), false)))
        .isNull();
  }

  @Test
  void content_with_a_different_hash_is_an_error() throws IOException {
    Session left = session("a", bytes("x"), false);
    Session right = session("b", bytes("y"), true);
    store(home.resolve("a"), ContentHash.sha256(bytes("x")), bytes("forged"));

    assertThatThrownBy(() -> SessionDiff.between(left, right))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the bytes have the hash " + ContentHash.sha256(bytes("forged")));
  }

  @Test
  void contents_beyond_the_memory_of_a_comparison_are_omitted() throws IOException {
    FileState before = FileState.created("a", ContentHash.sha256(bytes("xx")), 2);
    FileState after = FileState.created("a", ContentHash.sha256(bytes("yy")), 2);
    Session left = session("a", bytes("xx"), true);
    Session right = session("b", bytes("yy"), true);
    SessionDiff diff = SessionDiff.between(left, right);
    List<ValueChange> values = diff.divergences().get(0).values().stream()
        .map(value -> (ValueChange) new Results.ValueChangeData(
            value.kind(), value.pointer(), value.pointer(), value.sides(), null, null, null))
        .toList();

    List<ValueChange> described = new StoredFiles(left, right, 2).describe(before, after, values);
    FileContents contents = (FileContents) described.get(described.size() - 1).detail();
    assertThat(contents.sides().left().form()).isEqualTo(Form.TEXT);
    assertThat(contents.sides().right().form()).isEqualTo(Form.OMITTED);
  }

  @Test
  void divergence_that_is_not_listed_reads_no_contents() throws IOException {
    Session left = session("a", bytes("x"), false);
    Session right = session("b", bytes("y"), false);
    store(home.resolve("a"), ContentHash.sha256(bytes("x")), bytes("forged"));

    SessionDiff diff =
        SessionDiff.between(left, right, DiffOptions.defaults().withMaxDivergences(0));
    assertThat(diff.summary().divergences()).isEqualTo(1);
  }
}
