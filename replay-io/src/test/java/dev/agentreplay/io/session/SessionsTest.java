package dev.agentreplay.io.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.log.TestLogs;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions are found at any depth, in order, and unreadable directories are reported. */
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
    assertThat(Sessions.find(root)).allMatch(place -> place instanceof SessionLocation.Found);
  }

  @Test
  void session_hides_none_below_it_wherever_that_is() throws IOException {
    create("REPLAY.jsonl");
    create("blobs/REPLAY.jsonl");
    create("snapshot/src/REPLAY.jsonl");
    create("next/REPLAY.jsonl");
    create("next/below/REPLAY.jsonl");

    assertThat(found()).containsExactly("", "blobs", "next", "next/below", "snapshot/src");
  }

  @Test
  void file_of_another_name_whose_first_line_is_an_event_is_a_session() throws IOException {
    String header = TestLogs.firstLine();
    write("a/run.jsonl", header);
    write("a/Other.JSONL", header + "torn");
    write("a/replay.jsonl", header);
    write("a/wide.jsonl", header.replaceFirst("\\{", "{\"a\":\"" + "x".repeat(1 << 19) + "\","));
    write("a/damaged.jsonl", header.replaceFirst(":", "#") + header);
    write("a/data.jsonl", "{\"x\":1}\n");
    write("a/claude.jsonl", "{\"type\":\"user\",\"message\":{}}\n");
    write("a/notes.txt", header);
    write("a/text.jsonl", "not JSON\n");
    write("a/long.jsonl", "[" + "1,".repeat(1 << 17) + "1]\n");
    write("a/nothing.jsonl", "");
    write("a/broken.jsonl.gz", "\u001f");

    assertThat(found())
        .containsExactly(
            "a/Other.JSONL", "a/damaged.jsonl", "a/replay.jsonl", "a/run.jsonl", "a/wide.jsonl");
    assertThat(Sessions.find(root)).allMatch(place -> place instanceof SessionLocation.Found);
  }

  @Test
  void session_whose_log_is_gone_is_not_passed_over() throws IOException {
    create("a/RECEIPT.json");
    create("b/REPLAY.jsonl.2");
    create("c/REPLAY.jsonl.bak");
    create("d/RECEIPT.dsse.json");
    create("e/PUBLIC_CHECKPOINT.json");

    assertThat(found()).containsExactly("a", "b", "d", "e");
    for (SessionLocation place : Sessions.find(root)) {
      assertThatThrownBy(place::open)
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContaining("directory holds no REPLAY.jsonl");
    }
  }

  @Test
  void links_are_not_followed_and_not_passed_over() throws IOException {
    create("real/one/REPLAY.jsonl");
    Files.createSymbolicLink(root.resolve("link"), root.resolve("real"));
    Files.createSymbolicLink(root.resolve("real/loop"), root);
    Files.createDirectory(root.resolve("linked"));
    Path log = Files.createSymbolicLink(
        root.resolve("linked/REPLAY.jsonl"), root.resolve("real/one/REPLAY.jsonl"));
    Files.createSymbolicLink(root.resolve("newest"), root.resolve("real/one"));
    Files.createSymbolicLink(root.resolve("log.jsonl"), root.resolve("real/one/REPLAY.jsonl"));
    Files.createSymbolicLink(root.resolve("to-nothing"), root.resolve("none"));
    Files.createSymbolicLink(root.resolve("real/itself"), root.resolve("real/itself"));
    Files.createSymbolicLink(root.resolve("real/text"), log);

    assertThat(skipped())
        .containsExactly("link", "log.jsonl", "newest", "real/itself", "real/loop");
    assertThat(found())
        .containsExactly(
            "link", "linked", "log.jsonl", "newest", "real/itself", "real/loop", "real/one");
    assertThat(Sessions.find(root.resolve("link"))).hasSize(3);
    List<SessionLocation> places = places();
    assertThatThrownBy(places.get(0)::open)
        .hasMessage(root.resolve("link") + ": skipped: a link, which is not followed");
    assertThatThrownBy(places.get(1)::open)
        .hasMessageContaining(log + ": expected a regular file, found a symbolic link");
  }

  @Test
  void directory_that_is_too_deep_is_a_place_with_its_failure() throws IOException {
    Path deep = root;
    while (deep.toString().length() < 3_900) { // of 4,096 on Linux, wherever the root is
      deep = Files.createDirectory(deep.resolve("d".repeat(100)));
    }
    Path tail = Files.createDirectories(root.resolve("tail/" + "t".repeat(200)));
    create("tail/" + "t".repeat(200) + "/REPLAY.jsonl");
    assumeTrue(canMove(root.resolve("tail"), deep.resolve("tail")), "skipped: paths have no limit");

    try {
      assertThat(places()).singleElement().satisfies(place -> {
        assertThat(failure(place)).isInstanceOf(SessionSkippedException.class);
        assertThat(place.path().toString()).endsWith(tail.getFileName().toString());
      });
    } finally {
      Files.move(deep.resolve("tail"), root.resolve("tail")); // else it cannot be deleted
    }
  }

  /** Whether a directory is where its path is too long to be opened. */
  private static boolean canMove(Path from, Path to) throws IOException {
    Files.move(from, to);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(to)) {
      Path inside = entries.iterator().next();
      Files.newDirectoryStream(inside).close();
      return false;
    } catch (IOException e) {
      return true;
    }
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
      assertThat(failure(places().get(1)))
          .isInstanceOf(SessionSkippedException.class)
          .hasCauseInstanceOf(AccessDeniedException.class)
          .hasMessage(denied + ": skipped: permission denied");
    } finally {
      Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void directory_that_is_removed_meanwhile_is_a_place_with_its_failure() throws IOException {
    create("a/REPLAY.jsonl");
    create("b/notes.txt");
    create("c/REPLAY.jsonl");
    Iterator<SessionLocation> places = Sessions.find(root).iterator();
    assertThat(places.next().path()).isEqualTo(root.resolve("a"));
    Files.delete(root.resolve("b/notes.txt"));
    Files.delete(root.resolve("b"));

    SessionLocation gone = places.next();
    assertThat(gone.path()).isEqualTo(root.resolve("b"));
    assertThatThrownBy(gone::open)
        .isInstanceOf(SessionSkippedException.class)
        .hasCauseInstanceOf(NoSuchFileException.class)
        .isSameAs(failure(gone));
    assertThat(places.next().path()).isEqualTo(root.resolve("c"));
    assertThat(places.hasNext()).isFalse();
    assertThatThrownBy(places::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void directory_is_not_looked_into_before_its_turn() throws IOException {
    create("a/REPLAY.jsonl");
    Files.createDirectory(root.resolve("b"));
    Iterator<SessionLocation> places = Sessions.find(root).iterator();
    places.next();
    create("b/REPLAY.jsonl");
    assertThat(places.next().path()).isEqualTo(root.resolve("b"));
  }

  @Test
  void path_other_than_a_directory_is_a_place_with_its_failure() throws IOException {
    create("file");
    assertThat(Sessions.find(root.resolve("none")))
        .singleElement()
        .satisfies(place -> assertThat(failure(place)).isInstanceOf(NoSuchFileException.class));
    assertThat(Sessions.find(root.resolve("file")))
        .singleElement()
        .satisfies(place -> assertThat(failure(place)).isInstanceOf(NotDirectoryException.class));
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

  private void write(String path, String text) throws IOException {
    create(path);
    Files.writeString(root.resolve(path), text);
  }

  private List<String> skipped() {
    return places().stream()
        .filter(place -> failure(place) instanceof SessionSkippedException)
        .map(place -> root.relativize(place.path()).toString())
        .toList();
  }

  private List<SessionLocation> places() {
    List<SessionLocation> places = new ArrayList<>();
    Sessions.find(root).forEach(places::add);
    return places;
  }

  private List<String> found() {
    return places().stream()
        .map(place -> root.relativize(place.path()).toString())
        .toList();
  }

  private static @Nullable IOException failure(SessionLocation place) {
    return place instanceof SessionLocation.Unreadable unreadable ? unreadable.failure() : null;
  }
}
