package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.LedgerEntry.Result;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.engine.replay.policy.StreamPace;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are streamed: in a replay the agent gets the recorded pieces. */
@Timeout(60)
class ReplayedStreamsTest {

  private static final List<String> PIECES = List.of("Hel", "lo ", "w\uD83D\uDE00", "rld");
  private static final String ANSWER = String.join("", PIECES);

  @TempDir
  Path directory;

  private final List<String> pieces = new ArrayList<>();
  private Consumer<String> consumer = pieces::add;

  private final ReplayAgent agent = scope -> {
    ModelResult result = scope.execute(Requests.model("gpt-5", "hi", null), consumer);
    if (result.finish().error() != null) {
      throw new IllegalStateException(result.finish().error().message());
    }
  };

  private static ModelExecutor streaming(List<String> pieces) {
    return (call, stream) -> {
      pieces.forEach(stream);
      return ModelResult.of(call.id(), String.join("", pieces));
    };
  }

  private Session record(ModelExecutor model) throws Exception {
    Session session = TestRecordings.record(
        directory.resolve("recorded"), agent, Executors.none().withModel(model));
    pieces.clear();
    return session;
  }

  private static Replay mock(Session session) {
    return Replay.of(session).mode(ReplayMode.MOCK);
  }

  @ParameterizedTest
  @EnumSource(StreamPace.class)
  void pieces_are_served_as_they_were_recorded(StreamPace pace) throws Exception {
    Session session = record(streaming(PIECES));

    ReplayReport report = mock(session).pace(pace).run(agent);

    assertThat(pieces).isEqualTo(PIECES);
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void pieces_at_once_do_not_wait_for_the_recorded_time() throws Exception {
    Session session = record(slow());

    ReplayReport report = mock(session).run(agent); // its second piece came after an hour

    assertThat(pieces).containsExactly("Hello", " you");
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void an_abort_ends_the_recorded_pace_between_two_pieces() throws Exception {
    Session session = record(slow());
    ReplayControl control = new ReplayControl();
    CountDownLatch first = new CountDownLatch(1);
    consumer = piece -> {
      pieces.add(piece);
      first.countDown();
    };
    Replay replay = mock(session).pace(StreamPace.RECORDED).control(control);
    CompletableFuture<ReplayReport> running = CompletableFuture.supplyAsync(() -> {
      try {
        return replay.run(agent);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
    first.await();

    control.abort("too slow");

    ReplayReport report = running.get();
    assertThat(pieces).containsExactly("Hello");
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete()).containsExactly("too slow");
    assertThat(report.requests()).isOne();
    assertThat(report.exchanges().unread()).isOne();
    requireClosedCounts(report);
  }

  private static ModelExecutor slow() {
    return slow(TimeUnit.HOURS.toMillis(1));
  }

  /** A model whose second piece comes after a time. */
  private static ModelExecutor slow(long millis) {
    Chunks chunks = Chunks.builder().add(0, 5).add(millis, 4).build();
    return (call, stream) ->
        ModelResult.of(call.id(), "Hello you").withTiming(Timing.of(millis).withChunks(chunks));
  }

  @Test
  void a_stream_of_a_different_thread_is_served_to_its_end() throws Exception {
    Session session = record(slow(100));
    CountDownLatch first = new CountDownLatch(1);
    consumer = piece -> {
      pieces.add(piece);
      first.countDown();
    };
    AtomicReference<Throwable> thrown = new AtomicReference<>();

    ReplayReport report = mock(session).pace(StreamPace.RECORDED).run(scope -> {
      Thread thread = new Thread(() -> {
        try {
          agent.run(scope);
        } catch (Throwable e) {
          thrown.set(e);
        }
      });
      thread.start();
      first.await();
    });

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(pieces).containsExactly("Hello", " you");
    assertThat(thrown).hasNullValue();
  }

  @Test
  void a_stream_that_failed_fails_after_the_same_pieces() throws Exception {
    consumer = pieces::add;
    Session session = TestRecordings.record(
        directory.resolve("recorded"),
        scope -> assertThatThrownBy(() -> agent.run(scope)).hasMessage("connection reset"),
        Executors.none().withModel((call, stream) -> {
          PIECES.subList(0, 2).forEach(stream);
          throw new IllegalStateException("connection reset");
        }));
    assertThat(pieces).isEqualTo(PIECES.subList(0, 2));
    pieces.clear();

    ReplayReport report = mock(session)
        .run(scope -> assertThatThrownBy(() -> agent.run(scope)).hasMessage("connection reset"));

    assertThat(pieces).isEqualTo(PIECES.subList(0, 2));
    assertThat(report.failure()).isNull();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void the_same_answer_in_different_pieces_is_identical() throws Exception {
    Session session = record(streaming(PIECES));

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MODEL_LIVE)
        .model(streaming(List.of("H", ANSWER.substring(1))))
        .run(agent);

    assertThat(pieces).containsExactly("H", ANSWER.substring(1));
    assertThat(report.divergences()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void a_different_answer_in_the_same_number_of_pieces_diverges() throws Exception {
    Session session = record(streaming(PIECES));

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MODEL_LIVE)
        .model(streaming(List.of("Hel", "lo ", "y", "ou")))
        .run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsOnlyKeys("RESPONSE");
    assertThat(report.root().message()).contains("/answer");
  }

  @Test
  void an_executed_stream_that_fails_earlier_diverges() throws Exception {
    Session session = record(streaming(PIECES));

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MODEL_LIVE)
        .model((call, stream) -> {
          stream.accept(PIECES.get(0));
          throw new IllegalStateException("connection reset");
        })
        .run(agent);

    assertThat(pieces).containsExactly(PIECES.get(0));
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.exchanges().executed()).isOne();
  }

  private static ModelExecutor answering(JsonValue answer, String... pieces) {
    return (call, stream) -> {
      List.of(pieces).forEach(stream);
      return ModelResult.of(call.id(), answer);
    };
  }

  @Test
  void the_streamed_text_is_served_also_if_a_different_one_has_its_length() throws Exception {
    JsonObject answer = JsonObject.of("id", "resp1", "text", JsonArray.of("world", "hello"));
    Session session = record(answering(answer, "he", "llo"));

    ReplayReport report = mock(session).run(agent);

    assertThat(pieces).containsExactly("he", "llo");
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void a_streamed_text_that_is_not_in_the_answer_is_not_servable() throws Exception {
    for (JsonValue answer : List.of(JsonObject.of("id", "resp1"), JsonObject.of("id", "r"))) {
      Session session = TestRecordings.record(
          directory.resolve(answer.at("/id").asString()),
          agent,
          Executors.none().withModel(answering(answer, "he", "llo")));
      pieces.clear();

      ReplayReport report = mock(session).run(agent);

      assertThat(pieces).isEmpty();
      assertThat(report.root().miss().kind()).isEqualTo(MissKind.NOT_SERVABLE);
      assertThat(report.root().message()).contains("streamed is not in the answer");
      requireClosedCounts(report);
    }
  }

  private static ModelExecutor failingAfter(int count) {
    return (call, stream) -> {
      PIECES.subList(0, count).forEach(stream);
      throw new IOException("connection reset");
    };
  }

  @Test
  void an_executed_stream_that_fails_at_the_same_place_is_identical() throws Exception {
    ReplayAgent catching =
        scope -> assertThatThrownBy(() -> agent.run(scope)).hasMessage("connection reset");
    Session session = TestRecordings.record(
        directory.resolve("recorded"), catching, Executors.none().withModel(failingAfter(2)));
    Path out = directory.resolve("replayed");
    Replay replay = Replay.of(session).mode(ReplayMode.MODEL_LIVE);

    ReplayReport same = replay.model(failingAfter(2)).directory(out).run(catching);
    ReplayReport earlier =
        Replay.of(session).mode(ReplayMode.MODEL_LIVE).model(failingAfter(1)).run(catching);

    assertThat(same.divergences()).isEmpty();
    assertThat(same.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(TestRecordings.events(Session.open(out)))
        .filteredOn(ModelResult.class::isInstance)
        .singleElement()
        .satisfies(event -> {
          ModelResult result = (ModelResult) event;
          assertThat(result.answer().value()).isEqualTo(JsonString.of("Hello "));
          assertThat(result.timing().chunks().size()).isEqualTo(2);
          assertThat(result.finish().partial()).isTrue();
        });
    assertThat(earlier.divergencesByKind()).containsOnlyKeys("RESPONSE");
  }

  @Test
  void a_time_out_of_a_stream_leaves_the_pieces_that_the_agent_got_in_the_log() throws Exception {
    Session session = record(streaming(PIECES));
    Path out = directory.resolve("replayed");
    CountDownLatch streamed = new CountDownLatch(1);

    Replay.of(session)
        .mode(ReplayMode.MODEL_LIVE)
        .directory(out)
        .timeouts(ReplayTimeouts.defaults().withStep(Duration.ofMillis(1)))
        .listener(new TimeoutAfter(() -> streamed.getCount() == 0))
        .model((call, stream) -> {
          stream.accept(PIECES.get(0));
          streamed.countDown();
          new CountDownLatch(1).await();
          throw new AssertionError("unreachable");
        })
        .run(agent);

    assertThat(pieces).containsExactly(PIECES.get(0));
    assertThat(TestRecordings.events(Session.open(out)))
        .filteredOn(ModelResult.class::isInstance)
        .singleElement()
        .satisfies(
            event -> assertThat(event.content().value()).isEqualTo(JsonString.of(PIECES.get(0))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Hello there", "HELLO w\uD83D\uDE00rld"})
  void a_model_that_streams_a_different_text_than_its_answer_has_failed(String streamed)
      throws Exception {
    Session session = record(streaming(PIECES));
    ModelExecutor contradicting = (call, stream) -> {
      stream.accept(streamed);
      return ModelResult.of(call.id(), ANSWER);
    };

    ReplayReport report =
        Replay.of(session).mode(ReplayMode.MODEL_LIVE).model(contradicting).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.root().kind()).isEqualTo("OUTCOME");
    assertThat(report.failure()).hasMessageContaining("streamed a different text than its answer");
  }

  @Test
  void an_exception_of_the_agent_at_a_piece_leaves_the_exchange_served() throws Exception {
    Session session = record(streaming(PIECES));
    List<Result> results = new ArrayList<>();
    consumer = piece -> {
      throw new IllegalStateException("of the agent");
    };

    ReplayReport report = mock(session)
        .listener(new ReplayListener() {
          @Override
          public void exchange(LedgerEntry entry) {
            results.add(entry.result());
          }
        })
        .run(agent);

    assertThat(results).containsExactly(Result.SERVED);
    assertThat(report.failure()).hasMessage("of the agent");
    assertThat(report.isIdentical()).isFalse();
    requireClosedCounts(report);
  }

  /** Cuts the stream at a piece. */
  private void cutAt(int piece) {
    consumer = next -> {
      pieces.add(next);
      if (pieces.size() == piece) {
        throw new IllegalStateException("of the agent");
      }
    };
  }

  private final ReplayAgent cutting =
      scope -> assertThatThrownBy(() -> agent.run(scope)).hasStackTraceContaining("of the agent");

  @Test
  void a_stream_that_the_agent_cuts_is_recorded_as_the_part_that_it_got() throws Exception {
    Session session = record(streaming(PIECES));
    cutAt(2);
    Path out = directory.resolve("replayed");

    ReplayReport report = mock(session).directory(out).run(cutting);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.root().kind()).isEqualTo("OUTCOME");
    assertThat(report.exchanges().served()).isOne();
    assertThat(TestRecordings.events(Session.open(out)))
        .filteredOn(ModelResult.class::isInstance)
        .singleElement()
        .satisfies(event -> {
          ModelResult result = (ModelResult) event;
          assertThat(result.answer().value()).isEqualTo(JsonString.of("Hello "));
          assertThat(result.timing().chunks().size()).isEqualTo(2);
          assertThat(result.finish().partial()).isTrue();
          assertThat(result.finish().error().message()).isEqualTo("of the agent");
        });
    requireClosedCounts(report);
  }

  private static ModelExecutor wrapping() {
    return (call, stream) -> {
      try {
        return streaming(PIECES).call(call, stream);
      } catch (IllegalStateException e) {
        throw new IOException("the stream was closed", e);
      }
    };
  }

  static Stream<ModelExecutor> streamsThatAreCut() {
    return Stream.of(streaming(PIECES), wrapping());
  }

  @ParameterizedTest
  @MethodSource("streamsThatAreCut")
  void a_stream_that_the_agent_cuts_at_the_same_place_is_identical(ModelExecutor model)
      throws Exception {
    cutAt(2);
    Session session = TestRecordings.record(
        directory.resolve("recorded"), cutting, Executors.none().withModel(model));
    pieces.clear();
    ReplayReport same = mock(session).run(cutting);
    pieces.clear();
    ReplayReport live =
        Replay.of(session).mode(ReplayMode.MODEL_LIVE).model(model).run(cutting);
    pieces.clear();
    cutAt(1);
    ReplayReport earlier = mock(session).run(cutting);

    assertThat(same.divergences()).isEmpty();
    assertThat(same.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(live.divergences()).isEmpty();
    assertThat(live.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(earlier.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
  }

  @Test
  void a_stream_that_failed_and_is_cut_at_its_last_piece_diverges() throws Exception {
    Session session = TestRecordings.record(
        directory.resolve("recorded"),
        scope -> assertThatThrownBy(() -> agent.run(scope)).hasMessage("connection reset"),
        Executors.none().withModel(failingAfter(2)));
    pieces.clear();
    cutAt(2);

    ReplayReport report = mock(session).run(cutting);

    assertThat(report.divergencesByKind()).containsOnlyKeys("OUTCOME");
  }

  @Test
  void an_interrupt_at_a_piece_leaves_the_exchange_served() throws Exception {
    Session session = record(slow());
    consumer = piece -> Thread.currentThread().interrupt();

    ReplayReport report = mock(session).pace(StreamPace.RECORDED).run(agent);

    assertThat(report.failure()).isInstanceOf(InterruptedException.class);
    assertThat(report.exchanges().served()).isOne();
    assertThat(report.isIdentical()).isFalse();
    requireClosedCounts(report);
  }

  @Test
  void the_pieces_of_a_replay_are_in_its_log() throws Exception {
    Session session = record(streaming(PIECES));
    Path out = directory.resolve("replayed");

    mock(session).directory(out).run(agent);

    assertThat(TestRecordings.events(Session.open(out)))
        .filteredOn(ModelResult.class::isInstance)
        .map(event -> ((ModelResult) event).timing().chunks().size())
        .containsExactly(PIECES.size());
  }
}
