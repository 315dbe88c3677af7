package dev.agentreplay.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions are found wherever they are, in order, and what cannot be looked into is said. */
class SessionsTest {

  @TempDir
  Path root;

  @Test
  void sessions_are_found_at_any_depth_in_the_order_of_their_names() throws IOException {
    create("b/REPLAY.jsonl");
    create("a/z/REPLAY.jsonl.gz");
    create("a/B/REPLAY.jsonl");
    create("a/10/1/2/3/REPLAY.jsonl");
    create("a/9/REPLAY.jsonl");
    create("c/notes.txt");

    assertThat(found()).containsExactly("a/10/1/2/3", "a/9", "a/B", "a/z", "b");
    assertThat(Sessions.find(root)).allMatch(place -> place.failure() == null);
  }

  @Test
  void directory_itself_comes_first_and_what_belongs_to_a_session_is_none() throws IOException {
    create("REPLAY.jsonl");
    create("blobs/REPLAY.jsonl");
    create("snapshot/src/REPLAY.jsonl");
    create("next/REPLAY.jsonl");
    create("other/blobs/REPLAY.jsonl");

    assertThat(found()).containsExactly("", "next", "other/blobs");
  }

  @Test
  void session_whose_log_is_gone_is_not_passed_over() throws IOException {
    create("a/RECEIPT.json");
    create("b/REPLAY.jsonl.2");
    create("c/REPLAY.jsonl.bak");
    create("d/RECEIPT.dsse.json");

    assertThat(found()).containsExactly("a", "b", "d");
    for (SessionPlace place : Sessions.find(root)) {
      assertThatThrownBy(place::open)
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContaining("directory holds no REPLAY.jsonl");
    }
  }

  @Test
  void links_are_not_followed_save_to_a_session_and_not_passed_over() throws IOException {
    create("real/one/REPLAY.jsonl");
    Files.createSymbolicLink(root.resolve("link"), root.resolve("real"));
    Files.createSymbolicLink(root.resolve("real/loop"), root);
    Files.createDirectory(root.resolve("linked"));
    Path log = Files.createSymbolicLink(
        root.resolve("linked/REPLAY.jsonl"), root.resolve("real/one/REPLAY.jsonl"));

    Files.createSymbolicLink(root.resolve("newest"), root.resolve("real/one"));

    assertThat(found()).containsExactly("link", "linked", "newest", "real/loop", "real/one");
    assertThat(Sessions.find(root.resolve("link"))).hasSize(2);
    Iterator<SessionPlace> places = Sessions.find(root).iterator();
    assertThatThrownBy(places.next()::open)
        .hasMessageContaining("link: a link to a directory is not followed");
    assertThatThrownBy(places.next()::open)
        .hasMessageContaining(log + ": expected a regular file, found a symbolic link");
    assertThat(places.next().open().log()).isEqualTo(root.resolve("newest/REPLAY.jsonl"));
  }

  @Test
  void directory_that_cannot_be_listed_is_a_place_with_its_failure() throws IOException {
    create("a/REPLAY.jsonl");
    create("m/REPLAY.jsonl");
    create("z/REPLAY.jsonl");
    Path denied = root.resolve("m");
    Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString("---------"));
    try {
      assumeTrue(!Files.isReadable(denied), "skipped: this user may read everything");
      assertThat(found()).containsExactly("a", "m", "z");
      assertThat(places().get(1).failure()).isInstanceOf(AccessDeniedException.class);
    } finally {
      Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void directory_that_is_removed_meanwhile_is_a_place_with_its_failure() throws IOException {
    create("a/REPLAY.jsonl");
    create("b/notes.txt");
    create("c/REPLAY.jsonl");
    Iterator<SessionPlace> places = Sessions.find(root).iterator();
    assertThat(places.next().path()).isEqualTo(root.resolve("a"));
    Files.delete(root.resolve("b/notes.txt"));
    Files.delete(root.resolve("b"));

    SessionPlace gone = places.next();
    assertThat(gone.path()).isEqualTo(root.resolve("b"));
    assertThatThrownBy(gone::open).isInstanceOf(NoSuchFileException.class).isSameAs(gone.failure());
    assertThat(places.next().path()).isEqualTo(root.resolve("c"));
    assertThat(places.hasNext()).isFalse();
    assertThatThrownBy(places::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void directory_is_not_looked_into_before_its_turn() throws IOException {
    create("a/REPLAY.jsonl");
    Files.createDirectory(root.resolve("b"));
    Iterator<SessionPlace> places = Sessions.find(root).iterator();
    places.next();
    create("b/REPLAY.jsonl");
    assertThat(places.next().path()).isEqualTo(root.resolve("b"));
  }

  @Test
  void what_is_no_directory_is_a_place_with_its_failure() throws IOException {
    create("file");
    assertThat(Sessions.find(root.resolve("none")))
        .singleElement()
        .satisfies(place -> assertThat(place.failure()).isInstanceOf(NoSuchFileException.class));
    assertThat(Sessions.find(root.resolve("file")))
        .singleElement()
        .satisfies(place -> assertThat(place.failure()).isInstanceOf(NotDirectoryException.class));
  }

  @Test
  void directory_without_sessions_holds_none() throws IOException {
    create("notes/notes.txt");
    assertThat(Sessions.find(root)).isEmpty();
    assertThat(Sessions.isSession(root)).isFalse();
    create("REPLAY.jsonl.gz");
    assertThat(Sessions.isSession(root)).isTrue();
  }

  private void create(String path) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "");
  }

  private List<SessionPlace> places() {
    List<SessionPlace> places = new ArrayList<>();
    Sessions.find(root).forEach(places::add);
    return places;
  }

  private List<String> found() {
    return places().stream()
        .map(place -> root.relativize(place.path()).toString())
        .toList();
  }
}
