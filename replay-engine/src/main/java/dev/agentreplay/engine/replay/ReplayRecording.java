package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.io.file.TemporaryDirectory;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.recording.WrittenEvent;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The session that a replay records: what the agent did, with the provenance of each event. Safe
 * for use by several threads.
 */
final class ReplayRecording implements Closeable {

  private static final String SUFFIX = "-replay";

  private final Path directory;
  private final @Nullable TemporaryDirectory temporary;
  private final SessionRecorder recorder;

  /** The ids of the calls without a result. */
  private final Set<String> open = ConcurrentHashMap.newKeySet();

  /** The kinds of events that the agent has stated. */
  private final Set<EventKind> stated = ConcurrentHashMap.newKeySet();

  private final AtomicReference<@Nullable SessionEnd> end = new AtomicReference<>();

  private ReplayRecording(
      Path directory, @Nullable TemporaryDirectory temporary, SessionRecorder recorder) {
    this.directory = directory;
    this.temporary = temporary;
    this.recorder = recorder;
  }

  /**
   * Creates the session of a replay.
   *
   * @param given the directory; null for a temporary one
   * @param origin the recording, as the header states it; null if it has no tree head
   * @throws java.nio.file.FileAlreadyExistsException if the directory contains a session
   */
  static ReplayRecording create(
      @Nullable Path given,
      RecordingFacts facts,
      WriterOptions writer,
      RecorderOptions options,
      @Nullable ReplayOrigin origin)
      throws IOException {
    if (given != null && Files.exists(given.resolve(Replay.LEDGER_NAME))) {
      throw new FileAlreadyExistsException(given.resolve(Replay.LEDGER_NAME).toString());
    }
    TemporaryDirectory temporary = null;
    Path directory = given;
    if (directory == null) {
      // without a hook: what ends the JVM may wait for the report of an aborted replay
      temporary = TemporaryDirectory.createWithoutExitHook();
      directory = temporary.path();
    }
    try {
      SessionStart start = facts.start == null ? SessionStart.of("") : facts.start;
      String id = facts.sessionIdOr("session") + SUFFIX;
      Meta meta = new Meta(null, id, start.meta().extra());
      SessionRecorder recorder = SessionRecorder.start(
          directory, start.withMeta(meta), options.withWriter(writer).withReplayOf(origin));
      ReplayRecording recording = new ReplayRecording(directory, temporary, recorder);
      recording.copy(facts);
      return recording;
    } catch (IOException | RuntimeException | Error e) {
      if (temporary != null) {
        temporary.close();
      }
      throw e;
    }
  }

  private void copy(RecordingFacts facts) throws IOException {
    for (Settings settings : facts.preamble) {
      Meta meta = new Meta(null, null, settings.meta().extra());
      recorder.emit(settings.withMeta(meta));
    }
  }

  Path directory() {
    return directory;
  }

  /** The directory; null if it is deleted at the end. */
  @Nullable
  Path keptDirectory() {
    return temporary == null ? directory : null;
  }

  /** The lane of an agent. */
  Lane lane(String id, @Nullable String parent) {
    return new Lane(id, recorder.agent(id, parent));
  }

  /**
   * Records a call.
   *
   * @return its id in the log, which is generated if the call has none, or one that is in use
   */
  String call(Lane lane, ReplayEvent call, Provenance provenance) throws IOException {
    String id = call.callId() == null ? "" : call.callId();
    boolean isTool = call instanceof ToolCall;
    boolean isNew = id.isBlank() || !open.add(key(isTool, id));
    if (isNew) {
      id = isTool ? recorder.newCallId() : recorder.newModelCallId();
      open.add(key(isTool, id));
    }
    Meta meta = meta(call, provenance);
    ReplayEvent recorded =
        isNew ? Requests.withNewId(call, id, meta) : Requests.withId(call, id, meta);
    try {
      record(lane, recorded);
    } catch (IllegalArgumentException refused) {
      open.remove(key(isTool, id));
      throw refused;
    }
    return id;
  }

  private void record(Lane lane, ReplayEvent call) throws IOException {
    if (call instanceof ToolCall tool) {
      if (lane.recorder() == null) {
        recorder.call(tool);
      } else {
        lane.recorder().call(tool);
      }
    } else if (lane.recorder() == null) {
      recorder.modelCall((ModelCall) call);
    } else {
      lane.recorder().modelCall((ModelCall) call);
    }
  }

  private static String key(boolean isTool, String id) {
    return isTool ? "t" + id : "m" + id;
  }

  private static Meta meta(ReplayEvent event, Provenance provenance) {
    return provenance.addTo(new Meta(null, null, event.meta().extra()));
  }

  /**
   * Records the result of a call.
   *
   * @return the offset of its line in the log, in bytes
   * @throws IllegalArgumentException if a recorder does not take it; the call may be answered again
   */
  long result(Lane lane, ReplayEvent result, Provenance provenance) throws IOException {
    WrittenEvent written = emit(lane, result.withMeta(meta(result, provenance)));
    open.remove(key(result instanceof ToolResult, String.valueOf(result.callId())));
    return written.position().offset();
  }

  /**
   * Records the result of a call that was served from the recording. Of what a foreign writer has
   * recorded, and a recorder does not take, pieces, token counts and details of the outcome are
   * left out.
   *
   * @return the offset of its line in the log, in bytes
   */
  long served(Lane lane, ReplayEvent result, Provenance provenance) throws IOException {
    try {
      return result(lane, result, provenance);
    } catch (IllegalArgumentException refused) {
      return result(lane, plain(result), provenance);
    }
  }

  /** A result without its pieces and details of its outcome, and with a latency. */
  private static ReplayEvent plain(ReplayEvent result) {
    Long latency = result.latencyMillis();
    Timing timing = Timing.of(latency == null || latency < 0 ? 0 : latency);
    if (result instanceof ToolResult tool) {
      Outcome outcome = tool.outcome();
      return tool.withTiming(timing)
          .withStepUtility(null)
          .withOutcome(Outcome.of(outcome.ok(), outcome.exitCode(), outcome.error()));
    }
    return ((ModelResult) result).withTiming(timing).withTokens(ModelResult.TokenCounts.NONE);
  }

  /**
   * Records a nondeterministic value.
   *
   * @return the offset of its line in the log, in bytes
   */
  long value(@Nullable String agent, RecordedValue value, Provenance provenance)
      throws IOException {
    return recorder
        .emit(value.withMeta(provenance.addTo(Meta.NONE.withAgent(agent))))
        .position()
        .offset();
  }

  /**
   * Records an event that the agent states.
   *
   * @return the offset of its line in the log, in bytes; 0 if the log has these settings already
   */
  long state(Lane lane, ReplayEvent event) throws IOException {
    stated.add(event.kind()); // also if the recorder refuses it
    WrittenEvent written =
        event instanceof Settings settings ? recorder.settings(settings) : emit(lane, event);
    return written == null ? 0 : written.position().offset();
  }

  private WrittenEvent emit(Lane lane, ReplayEvent event) throws IOException {
    return lane.recorder() == null ? recorder.emit(event) : lane.recorder().emit(event);
  }

  /** States the end of the session, which is recorded when the replay ends. */
  void end(SessionEnd given) {
    if (!end.compareAndSet(null, given)) {
      throw new IllegalStateException("the agent has stated the end of the session already");
    }
    stated.add(EventKind.SESSION_END);
  }

  @Nullable
  SessionEnd statedEnd() {
    return end.get();
  }

  /** Whether the agent has stated events of a kind of steps. */
  boolean states(StepKind kind) {
    return stated.stream().anyMatch(event -> StepKind.of(event) == kind);
  }

  /**
   * Ends recording.
   *
   * @param last the end; null to leave the log open
   */
  void finish(@Nullable SessionEnd last) throws IOException {
    try (recorder) {
      if (last != null) {
        Meta meta = new Meta(null, null, last.meta().extra());
        recorder.end(new SessionEnd(
            last.status(),
            last.confidence(),
            null,
            null,
            last.summary(),
            last.errorMessage(),
            meta));
      }
    }
  }

  Session session() throws IOException {
    return Session.open(directory);
  }

  /** Ends recording, and deletes a temporary directory. */
  @Override
  public void close() throws IOException {
    try (recorder) {
      // the log stays open if it was not finished
    } finally {
      if (temporary != null) {
        temporary.close();
      }
    }
  }
}
