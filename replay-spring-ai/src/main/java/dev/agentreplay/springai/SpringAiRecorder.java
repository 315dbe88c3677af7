package dev.agentreplay.springai;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.agent.RecordingFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Records calls of chat clients, models and tools. Safe for use by several threads. */
public final class SpringAiRecorder implements CallDestination, AutoCloseable {

  private SpringAiRecorder() {}

  /** Creates a recorder that records each call of a chat client as a session of its own. */
  public static SpringAiRecorder into(Path sessions) {
    return into(sessions, RecorderOptions.defaults());
  }

  /** Creates a recorder that records each call of a chat client as a session of its own. */
  public static SpringAiRecorder into(Path sessions, RecorderOptions options) {
    return new SpringAiRecorder();
  }

  /** Creates a recorder that records all calls into one session, which the caller ends. */
  public static SpringAiRecorder into(SessionRecorder session) {
    return new SpringAiRecorder();
  }

  /** Creates a recorder whose sessions are started by a factory. */
  public static SpringAiRecorder of(SessionFactory factory) {
    return new SpringAiRecorder();
  }

  /** Sets the listener of all later recording failures, which replaces the system logger. */
  public SpringAiRecorder onFailure(Consumer<? super RecordingFailure> listener) {
    return this;
  }

  /** The number of recording failures so far. */
  public long failures() {
    return 0;
  }

  /** The number of sessions that were started. */
  public long sessions() {
    return 0;
  }

  /** The number of model calls that were recorded. */
  public long modelCalls() {
    return 0;
  }

  /** The number of tool calls that were recorded. */
  public long toolCalls() {
    return 0;
  }

  /** The sessions that are being recorded, in the order of their starts. */
  public List<OpenSession> openSessions() {
    return List.of();
  }

  /** Closes the open sessions, without an end. Later calls are not recorded. */
  @Override
  public void close() {}
}
