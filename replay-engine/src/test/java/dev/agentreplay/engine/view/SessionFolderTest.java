package dev.agentreplay.engine.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.ParallelSessions;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.SessionSkippedException;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.Status;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many sessions at once are read as each is alone. */
@Timeout(60)
class SessionFolderTest {

  @TempDir
  Path temp;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void entries_are_those_of_each_session_in_the_order_of_discovery(int threads) throws IOException {
    List<SessionLocation> places = new ArrayList<>();
    for (int round = 0; round < 20; round++) {
      Sessions.find(TestSessions.bundled("sessions")).forEach(places::add);
      places.add(SessionLocation.of(temp.resolve("missing")));
    }
    assertThat(places).hasSizeGreaterThan(100);

    List<FolderEntry<SessionSummary>> entries =
        all(SessionFolder.of(places).withThreads(threads).summaries());

    assertThat(entries).extracting(FolderEntry::path).isEqualTo(paths(places));
    for (int i = 0; i < places.size(); i++) {
      assertThat(described(entries.get(i))).isEqualTo(alone(places.get(i)));
    }
  }

  @Test
  void a_session_that_cannot_be_read_has_an_entry_with_the_reason() throws Exception {
    record("a", Status.SUCCESS);
    Files.createDirectory(temp.resolve("b"));
    Files.writeString(temp.resolve("b/REPLAY.jsonl"), "{\"event\":\"ReplayHeader\"\n");
    record("c", Status.FAILED);
    Files.createSymbolicLink(temp.resolve("d"), temp.resolve("a"));

    List<FolderEntry<SessionSummary>> entries = all(SessionFolder.at(temp).summaries());

    assertThat(entries)
        .extracting(entry -> temp.relativize(entry.path()).toString())
        .containsExactly("a", "b", "c", "d");
    assertThat(summary(entries.get(0)).status()).isEqualTo(Status.SUCCESS);
    assertThat(unreadable(entries.get(1)).isSkipped()).isFalse();
    assertThat(unreadable(entries.get(1)).failure()).hasMessageContaining("line 1");
    assertThat(summary(entries.get(2)).failed()).isTrue();
    assertThat(unreadable(entries.get(3)).isSkipped()).isTrue();
    assertThat(unreadable(entries.get(3)).failure()).isInstanceOf(SessionSkippedException.class);
  }

  @Test
  void an_empty_directory_has_no_entries() {
    assertThat(all(SessionFolder.at(temp).summaries())).isEmpty();
  }

  @Test
  void sessions_are_read_by_several_threads_at_once() throws Exception {
    record("a", Status.SUCCESS);
    record("b", Status.SUCCESS);
    CountDownLatch both = new CountDownLatch(2);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();

    List<FolderEntry<String>> entries =
        all(SessionFolder.at(temp).withThreads(2).read(session -> {
          both.countDown();
          threads.add(Thread.currentThread());
          await(both); // ends only if the other one is read at the same time
          return session.log().getParent().getFileName().toString();
        }));

    assertThat(entries)
        .extracting(entry -> ((FolderEntry.Loaded<String>) entry).value())
        .containsExactly("a", "b");
    assertThat(threads).hasSize(2).noneMatch(Thread::isAlive);
  }

  @Test
  void sessions_are_begun_as_entries_are_taken_and_closing_stops() {
    AtomicInteger found = new AtomicInteger();
    Path session = TestSessions.bundled("sessions");
    SessionLocation place = Sessions.find(session).iterator().next();
    Iterable<SessionLocation> endless = () -> new Iterator<>() {
      @Override
      public boolean hasNext() {
        return true;
      }

      @Override
      public SessionLocation next() {
        found.incrementAndGet();
        return place;
      }
    };

    try (Stream<FolderEntry<SessionSummary>> entries =
        SessionFolder.of(endless).withThreads(2).summaries()) {
      assertThat(found).hasValue(0);
      entries.iterator().next();
    }

    assertThat(found.get()).isBetween(1, 2 * ParallelSessions.LOOK_AHEAD);
  }

  @Test
  void a_defect_of_a_reading_is_thrown() throws Exception {
    record("a", Status.SUCCESS);
    try (Stream<FolderEntry<String>> entries = SessionFolder.at(temp).read(session -> {
      throw new IllegalStateException("defect");
    })) {
      assertThatThrownBy(entries::toList)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("defect");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 257})
  void the_number_of_threads_has_a_range(int threads) {
    assertThatThrownBy(() -> SessionFolder.at(temp).withThreads(threads))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("from 1 to 256: " + threads);
  }

  private void record(String name, Status status) throws Exception {
    try (SessionRecorder session = SessionRecorder.start(temp.resolve(name), name)) {
      session.call("read", Map.of("path", name)).result("text");
      session.end(status, 1.0);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static <T> List<FolderEntry<T>> all(Stream<FolderEntry<T>> entries) {
    try (entries) {
      return entries.toList();
    }
  }

  private static List<Path> paths(List<SessionLocation> places) {
    return places.stream().map(SessionLocation::path).toList();
  }

  private static String alone(SessionLocation place) {
    try (var open = place.open()) {
      return described(SessionSummary.read(open.session()));
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String described(FolderEntry<SessionSummary> entry) {
    return entry instanceof FolderEntry.Loaded<SessionSummary> read
        ? described(read.value())
        : String.valueOf(unreadable(entry).failure().getMessage());
  }

  private static String described(SessionSummary summary) {
    return "%s %s %s".formatted(summary, summary.sessionId(), summary.totals());
  }

  private static SessionSummary summary(FolderEntry<SessionSummary> entry) {
    return ((FolderEntry.Loaded<SessionSummary>) entry).value();
  }

  private static <T> FolderEntry.Failed<T> unreadable(FolderEntry<T> entry) {
    return (FolderEntry.Failed<T>) entry;
  }
}
