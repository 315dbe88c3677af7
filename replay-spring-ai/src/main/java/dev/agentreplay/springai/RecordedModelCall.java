package dev.agentreplay.springai;

import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.StreamedText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;

/** A model call that is being recorded. Only its first result is. */
final class RecordedModelCall {

  private static final Failure CANCELLED =
      Failure.of(Failure.CANCELLED, "the stream was cancelled");

  private final GuardedSession session;
  private final RecordedState state;
  private final @Nullable String id;
  private final Consumer<RecordedModelCall> onResult;
  private final StreamedText pieces = new StreamedText();
  private final long startedNanos;

  /** The responses of a stream so far; Reactor emits them one after the other. */
  private final List<ChatResponse> responses = new ArrayList<>();

  private final AtomicBoolean hasResult = new AtomicBoolean();

  /**
   * Creates a call that starts now.
   *
   * @param state the invocation, at whose end the call gets its result at the latest
   * @param id the id in the log; null if the call was not recorded
   * @param onResult called when the call has a result
   */
  RecordedModelCall(
      GuardedSession session,
      RecordedState state,
      @Nullable String id,
      Consumer<RecordedModelCall> onResult) {
    this.session = session;
    this.state = state;
    this.id = id;
    this.onResult = onResult;
    this.startedNanos = session.nanoTime();
  }

  /** A call that is not recorded. */
  static RecordedModelCall none(GuardedSession session, RecordedState state) {
    RecordedModelCall call = new RecordedModelCall(session, state, null, ended -> {});
    call.hasResult.set(true);
    return call;
  }

  /** Records no result any more: the session ends, and the model has not answered. */
  void abandoned() {
    hasResult.set(true);
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(session.nanoTime() - startedNanos);
  }

  /** Records the response of a call that is not streamed. */
  void answered(@Nullable ChatResponse response) {
    long latency = millis();
    result(callId -> ModelEvents.result(callId, response, latency));
  }

  /** Adds a response of a stream. */
  void piece(ChatResponse response) {
    if (hasResult.get()) {
      return;
    }
    try {
      responses.add(response);
      pieces.add(millis(), text(response));
    } catch (Throwable e) {
      RecordingFailures.rethrowIfFatal(e);
      session.report("ModelResult", e);
    }
  }

  /** The text that a response of a stream adds to the answer. */
  static String text(ChatResponse response) {
    Generation generation = response.getResults().isEmpty() ? null : response.getResult();
    AssistantMessage message = generation == null ? null : generation.getOutput();
    String text = message == null ? null : message.getText();
    return text == null ? "" : text;
  }

  /** Records the answer that the responses of the stream form. */
  void completed() {
    long latency = millis();
    result(callId -> {
      ChatResponse whole =
          StreamedResponses.whole(responses, e -> session.report("ModelResult", e));
      return streamed(callId, whole, pieces, latency);
    });
  }

  /** The event of a streamed answer, with its pieces if they form its text. */
  static ModelResult streamed(
      String id, @Nullable ChatResponse whole, StreamedText pieces, @Nullable Long latencyMillis) {
    ModelResult result = ModelEvents.result(id, whole, latencyMillis);
    if (!pieces.finish() || whole == null || !pieces.text().equals(text(whole))) {
      return result;
    }
    Chunks chunks = pieces.chunksIn(result.answer().value());
    return result.withTiming(result.timing().withChunks(chunks));
  }

  /** Records a failure, with the part of the answer that arrived. */
  void failed(Failure error) {
    result(failure(error));
  }

  /** Records that the agent cancelled the stream. */
  void cancelled() {
    result(failure(CANCELLED));
  }

  /** Records the same as a part of the end of the session. */
  void cancelledByEnd() {
    record(failure(CANCELLED));
  }

  private Function<String, ModelResult> failure(Failure error) {
    long latency = millis();
    return callId -> ModelEvents.failed(callId, error, latency, pieces);
  }

  private void result(Function<String, ModelResult> result) {
    state.ifOpen(() -> {
      record(result);
      return null;
    });
  }

  private void record(Function<String, ModelResult> result) {
    if (hasResult.compareAndSet(false, true)) {
      onResult.accept(this);
      session.result("ModelResult", id, result);
    }
  }
}
