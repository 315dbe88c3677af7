package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.context.ContextClock;
import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The context of a recorder, and recordings that are the same in each run. */
class RecordedContextTest {

  private static final RecorderOptions OPTIONS =
      RecorderOptions.defaults().withContext(ContextOptions.deterministic());

  @TempDir
  private Path directory;

  @Test
  void nothing_is_recorded_by_default() throws IOException {
    Instant before = Instant.now();
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      assertThat(session.context().clock().instant()).isBetween(before, Instant.now());
      assertThat(session.context().lane("worker").version("part", 0, 2)).isEqualTo(2);
    }
    assertThat(values(directory)).isEmpty();
  }

  @Test
  void system_values_can_be_recorded_as_well() throws IOException {
    ContextOptions recorded = ContextOptions.defaults().withRecords(true);
    String id;
    try (SessionRecorder session =
        start(directory, RecorderOptions.defaults().withContext(recorded))) {
      id = session.context().ulid();
      session.context().random().nextInt();
    }
    assertThat(values(directory))
        .extracting(RecordedValue::source)
        .containsExactly(RecordedValue.ID, RecordedValue.RANDOM);
    assertThat(values(directory).get(0).value().asString()).isEqualTo(id);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void two_runs_make_the_same_bytes(Dialect dialect) throws Exception {
    RecorderOptions options = OPTIONS.withWriter(WriterOptions.defaults()
        .withDialect(dialect)
        .withEvidence(TamperEvidenceOptions.defaults().withCheckpointInterval(10)));
    Path first = record("first", options.withBlobThreshold(100));
    Path second = record("second", options.withBlobThreshold(100));

    for (String name : List.of(Session.LOG_NAME, Session.RECEIPT_NAME)) {
      assertThat(second.resolve(name)).hasSameBinaryContentAs(first.resolve(name));
    }
    assertThat(Files.readString(first.resolve(Session.LOG_NAME)))
        .contains("2024-01-01T00:00:00")
        .doesNotContain("\"" + Instant.now().toString().substring(0, 4));
  }

  @Test
  void seed_makes_the_bytes_differ() throws Exception {
    Path first = record("first", OPTIONS);
    Path second =
        record("second", OPTIONS.withContext(ContextOptions.deterministic().withSeed(43L)));

    assertThat(Files.readString(second.resolve(Session.LOG_NAME)))
        .isNotEqualTo(Files.readString(first.resolve(Session.LOG_NAME)));
  }

  @Test
  void recorded_integers_of_64_bits_are_kept_with_every_canonicalization() throws Exception {
    for (Canonicalization canonicalization : Canonicalization.values()) {
      Path session = directory.resolve(canonicalization.id());
      long number;
      try (SessionRecorder recorder =
          start(session, OPTIONS.withCanonicalization(canonicalization))) {
        number = recorder.context().random().nextLong();
      }
      assertThat(values(session).get(0).value().asString()).isEqualTo(Long.toString(number));
    }
  }

  /** The agent draws from two lanes in turn, as two sub-agents on one thread do. */
  @Test
  void two_runs_with_two_lanes_make_the_same_bytes() throws Exception {
    for (String run : List.of("first", "second")) {
      try (SessionRecorder session = start(directory.resolve(run), OPTIONS)) {
        DeterministicContext left = session.context().lane("left");
        DeterministicContext right = session.context().lane("right");
        for (int i = 0; i < 5; i++) {
          session.run("t", Map.of("id", left.ulid()), () -> right.random().nextInt());
          left.clock().instant();
          assertThat(right.uuidV4()).isNotEqualTo(left.uuidV4());
        }
        session.end(Status.SUCCESS, 1.0);
      }
    }
    for (String name : List.of(Session.LOG_NAME, Session.RECEIPT_NAME)) {
      assertThat(directory.resolve("second").resolve(name))
          .hasSameBinaryContentAs(directory.resolve("first").resolve(name));
    }
  }

  @Test
  void times_of_events_do_not_consume_steps_of_the_agent() throws Exception {
    try (SessionRecorder session = start(directory, OPTIONS)) {
      Instant first = session.context().clock().instant();
      session.run("t", Map.of(), () -> "out");
      assertThat(session.context().clock().instant()).isEqualTo(first.plusSeconds(1));
    }
    List<ReplayEvent> events = events(directory);
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.get(i).meta().time().instant())
          .isEqualTo(ContextClock.DEFAULT_START.plusMillis(i));
    }
    assertThat(((ToolResult) events.get(4)).latencyMillis()).isZero();
  }

  @Test
  void latencies_are_zero_unless_the_clock_is_that_of_the_system() {
    LongSupplier nanoTime = new RecordingStart(LocalDisk.INSTANCE, directory, OPTIONS).nanoTime();
    assertThat(LongStream.generate(nanoTime).limit(3)).containsOnly(0L);
    LongSupplier live =
        new RecordingStart(LocalDisk.INSTANCE, directory, RecorderOptions.defaults()).nanoTime();
    long before = System.nanoTime();
    assertThat(live.getAsLong() - before).isNotNegative();
  }

  @Test
  void frozen_clock_is_also_that_of_events() throws Exception {
    Instant noon = Instant.parse("2026-01-13T12:00:00Z");
    ContextOptions frozen = ContextOptions.deterministic().withClock(ContextClock.frozen(noon));
    try (SessionRecorder session = start(directory, OPTIONS.withContext(frozen))) {
      session.run("t", Map.of(), () -> session.context().clock().instant());
    }
    assertThat(events(directory))
        .extracting(event -> event.meta().time().instant())
        .containsOnly(noon);
  }

  @Test
  void clock_of_the_writer_is_kept_if_it_has_one() throws Exception {
    Instant noon = Instant.parse("2026-01-13T12:00:00Z");
    WriterOptions fixed = WriterOptions.defaults().withClock(Clock.fixed(noon, ZoneOffset.UTC));
    try (SessionRecorder session = start(directory, OPTIONS.withWriter(fixed))) {
      assertThat(session.context().clock().instant()).isEqualTo(ContextClock.DEFAULT_START);
    }
    assertThat(events(directory))
        .extracting(event -> event.meta().time().instant())
        .containsOnly(noon);
  }

  @Test
  void resumed_session_continues_every_sequence() throws Exception {
    Path whole = directory.resolve("whole");
    Path crashed = directory.resolve("crashed");
    List<Object> expected = new ArrayList<>();
    try (SessionRecorder session = start(whole, OPTIONS)) {
      for (int i = 0; i < 6; i++) {
        expected.addAll(step(session, i));
      }
      session.end(Status.SUCCESS, 1.0);
    }
    List<Object> found = new ArrayList<>();
    try (SessionRecorder session = start(crashed, OPTIONS)) {
      for (int i = 0; i < 3; i++) {
        found.addAll(step(session, i));
      }
    }
    try (SessionRecorder session = SessionRecorder.resume(crashed, OPTIONS)) {
      for (int i = 3; i < 6; i++) {
        found.addAll(step(session, i));
      }
      session.end(Status.SUCCESS, 1.0);
    }

    assertThat(found).isEqualTo(expected);
    for (String name : List.of(Session.LOG_NAME, Session.RECEIPT_NAME)) {
      assertThat(crashed.resolve(name)).hasSameBinaryContentAs(whole.resolve(name));
    }
  }

  @Test
  void version_of_a_resumed_session_is_that_of_its_beginning() throws Exception {
    try (SessionRecorder session = start(directory, OPTIONS)) {
      assertThat(session.context().version("part", 0, 1)).isEqualTo(1);
    }
    try (SessionRecorder session = SessionRecorder.resume(directory, OPTIONS)) {
      assertThat(session.context().version("part", 0, 2)).isEqualTo(1);
      assertThat(session.context().version("other", 0, 2)).isEqualTo(2);
    }
    assertThat(values(directory))
        .extracting(RecordedValue::source)
        .containsExactly("version:part", "version:other");
  }

  @Test
  void values_end_with_the_session() throws Exception {
    try (SessionRecorder session = start(directory, OPTIONS)) {
      session.end(Status.SUCCESS, 1.0);
      assertThatThrownBy(() -> session.context().ulid())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has ended");
    }
  }

  private static List<Object> step(SessionRecorder session, int number) throws Exception {
    DeterministicContext context = session.context();
    List<Object> values = List.of(
        context.clock().instant(),
        context.random().nextGaussian(),
        context.ulid(),
        context.shuffle(List.of(1, 2, 3, 4)),
        context.version("part", 0, number));
    session.run("t", Map.of("n", number), values::size);
    return values;
  }

  /** A small agent with model, tools, failures, blobs and values of its context. */
  private Path record(String name, RecorderOptions options) throws Exception {
    Path target = directory.resolve(name);
    Path files = Files.createDirectories(directory.resolve("files"));
    Files.write(files.resolve("b.txt"), new byte[0]);
    Files.write(files.resolve("a.txt"), new byte[0]);
    try (SessionRecorder session = start(target, options)) {
      DeterministicContext context = session.context();
      PendingModelCall asked = session.modelCall(
          "model",
          "It is " + context.clock().instant(),
          Map.of("seed", context.random().nextInt()));
      asked.answer("long answer ".repeat(20));
      for (String file : context.shuffle(context.listDirectory(files))) {
        session.run("read", Map.of("file", file, "id", context.uuidV4()), () -> file.repeat(30));
      }
      assertThatThrownBy(() -> session.run("fail", Map.of(), () -> {
            context.delay(0, Duration.ofMillis(50), Duration.ofSeconds(1));
            throw new IOException("failed at " + context.nanoTime());
          }))
          .hasMessage("failed at 0");
      session.call("unanswered", Map.of("glob", context.glob(files, "*.txt")));
      context.version("part", 0, 1);
      session.end(Status.SUCCESS, context.random().nextDouble());
    }
    return target;
  }

  private static SessionRecorder start(Path directory, RecorderOptions options) throws IOException {
    return SessionRecorder.start(directory, SessionStart.of("s"), options);
  }

  private static List<RecordedValue> values(Path directory) throws IOException {
    return events(directory).stream()
        .filter(RecordedValue.class::isInstance)
        .map(RecordedValue.class::cast)
        .toList();
  }

  static List<ReplayEvent> events(Path directory) throws IOException {
    try (ReplayReader reader = Session.open(directory).reader()) {
      List<ReplayEvent> events = new ArrayList<>();
      reader.forEach(line -> events.add(line.event()));
      return events;
    }
  }
}
