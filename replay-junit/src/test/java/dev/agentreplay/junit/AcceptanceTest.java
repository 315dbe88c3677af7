package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.ReplaySettings.Unused;
import dev.agentreplay.junit.ReplaySettings.Update;
import dev.agentreplay.junit.accepted.RecordingAcceptance;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Accepting sessions that are offered as recordings. */
class AcceptanceTest {

  @TempDir
  private Path root;

  private final List<String> notes = Collections.synchronizedList(new ArrayList<>());
  private Path place;
  private Path received;
  private Session actual;
  private String test;

  @BeforeEach
  void record(TestInfo info) throws IOException {
    test = info.getTestMethod().orElseThrow().getName();
    place = root.resolve("recordings/greets");
    received = root.resolve("recordings/greets.received");
    actual = session("actual", "hello");
    Files.writeString(root.resolve("pom.xml"), "");
  }

  private Session session(String name, String... outputs) throws IOException {
    return Session.open(TestRun.record(root.resolve("target/replay").resolve(name), outputs));
  }

  private @Nullable String offer(Update update, boolean ci, Session session) throws IOException {
    ReplaySettings settings = new ReplaySettings(
        root,
        root.resolve("recordings"),
        root.resolve("target/replay"),
        update,
        Unused.NONE,
        RecordingAcceptance.Handling.REPORT,
        ci);
    return new Acceptance(TestCommand.current(settings), notes::add)
        .offer(session, RecordingsFolder.planned(place), DiffOptions.defaults());
  }

  private @Nullable String offer(Update update) throws IOException {
    return offer(update, false, actual);
  }

  private String accepting(String update) {
    return "to accept it: mvn test \"-Dtest=%s#%s\" \"-Dsurefire.failIfNoSpecifiedTests=false\" "
            .formatted(getClass().getName(), test)
        + "\"-Dreplay.recordings=%s\" \"-Dreplay.update=%s\""
            .formatted(root.resolve("recordings"), update);
  }

  private static void same(Path one, Path other) throws IOException {
    assertThat(TestRun.files(one)).isEqualTo(TestRun.files(other));
    for (String file : TestRun.files(one)) {
      assertThat(one.resolve(file)).hasSameBinaryContentAs(other.resolve(file));
    }
  }

  private Path directory() {
    return actual.log().getParent();
  }

  @Test
  void missing_recording_is_received_with_the_command_to_accept_it() throws Exception {
    assertThat(offer(Update.NONE))
        .isEqualTo("the received session is in %s%n%s".formatted(received, accepting("missing")));
    same(received, directory());
    assertThat(place).doesNotExist();
    assertThat(notes).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ALL")
  void different_recording_is_kept_and_the_session_received(Update update) throws Exception {
    TestRun.record(place, "good day");
    String before = Files.readString(place.resolve("REPLAY.jsonl"));
    assertThat(offer(update)).contains(accepting("all"));
    same(received, directory());
    assertThat(place.resolve("REPLAY.jsonl")).hasContent(before);
    assertThat(notes).isEmpty();
  }

  @Test
  void session_received_before_is_replaced() throws Exception {
    offer(Update.NONE);
    assertThat(TestRun.files(received)).contains("RECEIPT.json");
    Files.delete(directory().resolve("RECEIPT.json"));
    Files.writeString(directory().resolve("PR_SUMMARY.md"), "this one has");
    actual = Session.open(directory());
    offer(Update.NONE);
    same(received, directory());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void missing_recording_is_written(Update update) throws Exception {
    assertThat(offer(Update.NONE)).isNotNull();
    assertThat(offer(update)).isNull();
    same(place, directory());
    assertThat(received).doesNotExist();
    assertThat(notes).containsExactly("replay: recorded " + place);
  }

  @Test
  void different_recording_is_replaced_and_nothing_of_it_deleted() throws Exception {
    TestRun.record(place, "good day");
    Files.writeString(place.resolve("RECEIPT.dsse.json"), "stale envelope");
    Files.writeString(place.resolve("RECEIPT.dsse.json.replaced"), "older");
    Files.writeString(place.resolve("PUBLIC_CHECKPOINT.json"), "stale checkpoint");
    Files.writeString(place.resolve("REPLAY.jsonl.2"), "stale segment");
    Files.writeString(place.resolve("NOTES.md"), "mine");
    Files.writeString(place.resolve("PR_SUMMARY.md"), "mine too");
    String blob = "sha256-%064d.json".formatted(0);
    Files.writeString(Files.createDirectories(place.resolve("blobs")).resolve(blob), "stale blob");
    assertThat(offer(Update.ALL)).isNull();
    assertThat(TestRun.files(place))
        .containsExactly(
            "NOTES.md",
            "PR_SUMMARY.md",
            "PUBLIC_CHECKPOINT.json.replaced",
            "RECEIPT.dsse.json.replaced",
            "RECEIPT.dsse.json.replaced.2",
            "RECEIPT.json",
            "REPLAY.jsonl",
            "REPLAY.jsonl.2.replaced",
            "blobs/" + blob + ".replaced");
    assertThat(place.resolve("RECEIPT.dsse.json.replaced")).hasContent("older");
    assertThat(place.resolve("RECEIPT.dsse.json.replaced.2")).hasContent("stale envelope");
    assertThat(place.resolve("REPLAY.jsonl")).hasSameBinaryContentAs(actual.log());
    assertThat(Session.open(place).id()).isEqualTo("actual");
    assertThat(notes).containsExactly("replay: replaced " + place);
  }

  @Test
  void compressed_recording_is_replaced_by_a_plain_one() throws Exception {
    Files.createDirectories(place);
    Path log = place.resolve("REPLAY.jsonl.gz");
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(log))) {
      Files.copy(session("other", "good day").log(), out);
    }
    assertThat(offer(Update.ALL)).isNull();
    assertThat(TestRun.files(place))
        .containsExactly("RECEIPT.json", "REPLAY.jsonl", "REPLAY.jsonl.gz.replaced");
  }

  @Test
  void recording_with_blobs_and_several_segments_is_the_same_byte_for_byte() throws Exception {
    Path large = root.resolve("target/replay/large");
    RecorderOptions options = RecorderOptions.defaults();
    try (SessionRecorder recorder = SessionRecorder.start(
        large,
        SessionStart.of("large"),
        options.withBlobThreshold(8).withWriter(options.writer().withMaxSegmentBytes(600)))) {
      for (int i = 0; i < 10; i++) {
        recorder.call("read", JsonObject.of()).result(JsonObject.of("text", "number " + i));
      }
    }
    actual = Session.open(large);
    assertThat(actual.segments()).hasSizeGreaterThan(2);
    assertThat(offer(Update.MISSING)).isNull();
    same(place, large);
  }

  @Test
  void session_that_is_still_recorded_is_taken_as_it_is_now() throws Exception {
    Path open = root.resolve("target/replay/open");
    try (SessionRecorder recorder = SessionRecorder.start(open, "open")) {
      recorder.call("read", JsonObject.of());
      actual = Session.open(open);
      assertThat(offer(Update.MISSING)).isNull();
      assertThat(TestRun.files(place)).containsExactly("REPLAY.jsonl");
      assertThat(place.resolve("REPLAY.jsonl")).hasSameBinaryContentAs(actual.log());
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothing_is_written_on_a_build_server(Update update) throws Exception {
    List<String> before = TestRun.files(root);
    String lines = offer(update, true, actual);
    assertThat(lines)
        .endsWith("nothing is written to %s, because the environment variable CI is set%n"
                .formatted(place)
            + "the session of this run is in %s%nto accept it, run the test where CI is not set"
                .formatted(directory()));
    assertThat(lines.startsWith("replay.update=" + ReplaySettings.name(update) + " is refused; "))
        .isEqualTo(update != Update.NONE);
    assertThat(TestRun.files(root)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void second_test_that_writes_another_recording_fails(Update update) throws Exception {
    assertThat(offer(update)).isNull();
    Session other = session("other", "good day");
    assertThat(offer(update, false, other))
        .isEqualTo(
            ("%s#second_test_that_writes_another_recording_fails already recorded a different"
                    + " session as %s in this run; the received session is in %s")
                .formatted(getClass().getName(), place, received));
    assertThat(Session.open(place).id()).isEqualTo("actual");
    same(received, other.log().getParent());
  }

  @Test
  void second_test_that_writes_the_same_recording_passes() throws Exception {
    assertThat(offer(Update.ALL)).isNull();
    assertThat(offer(Update.ALL, false, session("again", "hello"))).isNull();
    assertThat(Session.open(place).id()).isEqualTo("actual");
    assertThat(notes).hasSize(1);
  }

  @Test
  void of_many_tests_at_once_one_writes_the_recording() throws Exception {
    int threads = 8;
    CyclicBarrier barrier = new CyclicBarrier(threads);
    List<Session> sessions = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      sessions.add(session("parallel-" + i, "hello " + i));
    }
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    List<Boolean> taken = new ArrayList<>();
    try {
      List<Callable<Boolean>> offers = sessions.stream()
          .<Callable<Boolean>>map(session -> () -> {
            barrier.await();
            return offer(Update.ALL, false, session) == null;
          })
          .toList();
      for (Future<Boolean> each : executor.invokeAll(offers)) {
        taken.add(each.get());
      }
    } finally {
      executor.shutdown();
    }
    assertThat(taken).containsOnlyOnce(true);
    same(place, sessions.get(taken.indexOf(true)).log().getParent());
  }

  @Test
  void place_of_a_recording_is_its_directory_unless_that_has_no_name() {
    Path top = root.getRoot();
    assertThat(Acceptance.place(RecordingsFolder.planned(place))).isEqualTo(place);
    assertThat(Acceptance.place(RecordingsFolder.planned(top)))
        .isEqualTo(top.resolve(Session.LOG_NAME));
  }

  @Test
  void recording_that_is_one_log_is_written_as_one() throws Exception {
    place = root.resolve("recordings/one.jsonl");
    assertThat(offer(Update.NONE)).contains("the received session is in " + place + ".received");
    assertThat(offer(Update.MISSING)).isNull();
    assertThat(TestRun.files(place.getParent())).containsExactly("one.jsonl");
    assertThat(place).hasSameBinaryContentAs(actual.log());
  }

  @Test
  void recording_that_is_one_log_cannot_hold_blobs() throws Exception {
    place = root.resolve("recordings/one.jsonl");
    Files.createDirectory(directory().resolve("blobs"));
    actual = Session.open(directory());
    assertThat(offer(Update.MISSING))
        .startsWith(place + " cannot be replaced: the session has several files")
        .endsWith("the received session is in " + place + ".received");
    assertThat(place).doesNotExist();
  }

  @Test
  void unknown_file_in_the_received_session_is_not_deleted() throws Exception {
    Files.createDirectories(received);
    Path mine = Files.writeString(received.resolve("NOTES.md"), "mine");
    assertThatThrownBy(() -> offer(Update.ALL))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(mine.toString());
    assertThat(mine).hasContent("mine");
    assertThat(place).doesNotExist();
  }

  @Test
  void disk_that_takes_no_log_leaves_the_recording_missing_and_the_session_received()
      throws Exception {
    Files.createDirectories(place.resolve("REPLAY.jsonl/in its place"));
    assertThatThrownBy(() -> offer(Update.ALL)).isInstanceOf(IOException.class);
    assertThat(received.resolve("REPLAY.jsonl")).hasSameBinaryContentAs(actual.log());
  }
}
