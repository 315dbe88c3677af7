package dev.agentreplay.io.recording;

import dev.agentreplay.io.file.FileMessages;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.io.workspace.FileChange;
import dev.agentreplay.io.workspace.WorkspaceCapture;
import dev.agentreplay.io.workspace.WorkspaceSnapshot;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The surroundings of a session: the settings that its log states, and the files of its workspace.
 * Safe for use by several threads.
 */
final class RecordedSurroundings {

  /** Writes an event, as {@link RecordingWriter#write} does. */
  interface Output {
    WrittenEvent write(ReplayEvent event) throws IOException;
  }

  private final RecorderOptions options;
  private final @Nullable WorkspaceCapture capture;
  private final boolean degrades;

  /** The calls whose files are captured, by their ids. */
  private final Map<String, ToolCall> captured = new ConcurrentHashMap<>();

  /** Held while files are captured and written: the changes of a file are in the order of time. */
  private final ReentrantLock files = new ReentrantLock();

  /**
   * The place where the last capture failed; null if it succeeded. The next one that succeeds has
   * the changes of that one, too. Guarded by that lock.
   */
  private @Nullable String failing;

  /** Set when the files at the end were counted as lost; guarded by that lock. */
  private boolean isEndLost;

  /** Guards the settings, also while they are written. */
  private final ReentrantLock lock = new ReentrantLock();

  /** The settings that the log states, by name. */
  private JsonObject current = JsonObject.EMPTY;

  RecordedSurroundings(RecorderOptions options) {
    this.options = options;
    this.capture = options.circumstances().workspace();
    this.degrades = options.failurePolicy() == FailurePolicy.DEGRADE;
  }

  /**
   * Captures the workspace. Returns the circumstances that the log does not state yet; null if
   * there are none.
   */
  @Nullable
  Settings circumstances(Path session) throws IOException {
    Circumstances all = options.circumstances();
    if (!all.settings().values().isEmpty()) {
      all = all.withVersion("producer", options.producer());
      Long seed = options.context().seed();
      if (seed != null && !all.settings().values().has(Settings.SEED)) {
        all = all.withSeed(seed);
      }
    }
    if (capture != null) {
      WorkspaceSnapshot snapshot = capture.capture(session);
      all = all.with(Settings.WORKSPACE, snapshot.json(), null);
    }
    Settings settings = all.settings();
    return isStated(settings) ? null : settings;
  }

  /** Adds settings that the log states. */
  void found(Settings settings) {
    lock.lock();
    try {
      settings.values().forEach((name, value) -> current = current.with(name, value));
    } finally {
      lock.unlock();
    }
  }

  /** Whether the log states each of the settings. */
  private boolean isStated(Settings settings) {
    JsonObject values = settings.values();
    for (int i = 0; i < values.size(); i++) {
      if (!values.value(i).equals(current.get(values.name(i)))) {
        return false;
      }
    }
    return true;
  }

  /** Writes settings, unless the log states them. Returns the event; null if none was written. */
  @Nullable
  WrittenEvent writeIfChanged(Settings settings, Output output) throws IOException {
    lock.lock();
    try {
      return isStated(settings) ? null : write(settings, output);
    } finally {
      lock.unlock();
    }
  }

  /** Writes settings. */
  WrittenEvent write(Settings settings, Output output) throws IOException {
    lock.lock();
    try {
      WrittenEvent written = output.write(settings);
      if (written.isWritten()) {
        found(settings);
      }
      return written;
    } finally {
      lock.unlock();
    }
  }

  /** Reads a file before it changes, as {@link SessionRecorder#fileChange} specifies. */
  FileChange fileChange(Path root, String path, Output output, LossLog losses) throws IOException {
    return FileChange.of(root, path, new FileChange.Recorder() {
      @Override
      public void record(FileState state) throws IOException {
        try {
          output.write(state);
        } catch (RuntimeException e) {
          if (!degrades) {
            throw e;
          }
          losses.addFiles(state.path(), e, false);
        }
      }

      @Override
      public void failed(IOException failure) throws IOException {
        if (!degrades) {
          throw failure;
        }
        losses.addFiles(path, failure, false);
      }
    });
  }

  /** Records the files that have changed outside of tools, before a call is recorded. */
  void beforeTool(ToolCall call, Output output, LossLog losses) throws IOException {
    if (capture == null) {
      return;
    }
    files.lock();
    try {
      List<FileState> changes = capture.beforeTool(call);
      captured.put(call.id(), call);
      for (FileState file : changes) {
        output.write(file);
      }
      failing = null;
    } catch (IOException | RuntimeException e) {
      boolean hasEnded = captured.containsKey(call.id()) && e instanceof IllegalStateException;
      if (hasEnded && !degrades) {
        throw e;
      } else if (!degrades) {
        throw new IOException(
            "the workspace was not captured before call \"%s\": %s"
                .formatted(call.id(), FileMessages.of(e)),
            e);
      }
      losses.addFiles(failed("before call " + call.id()), e, false);
    } finally {
      files.unlock();
    }
  }

  /** Records the files that a tool has changed. A failure is thrown by a later call. */
  void afterTool(String callId, Output output, LossLog losses) {
    ToolCall call = captured.remove(callId);
    if (capture == null || call == null) {
      return;
    }
    files.lock();
    try {
      for (FileState file : capture.afterTool(callId)) {
        output.write(inLane(file, call.meta()));
      }
      failing = null;
    } catch (IOException | RuntimeException e) {
      losses.addFiles(failed("of call %s, %s".formatted(callId, call.name())), e, !degrades);
    } finally {
      files.unlock();
    }
  }

  /** A file that was changed by the agent of a call, unless it states its own. */
  private static FileState inLane(FileState file, Meta call) {
    Meta meta = file.meta();
    return meta.agent() != null || call.agent() == null
        ? file
        : file.withMeta(meta.withAgent(call.agent()).withParent(call.parent()));
  }

  /**
   * Records the files that have changed since the last tool. A failure is counted, and thrown by a
   * later call; then the files are not captured again.
   */
  void atEnd(Output output, LossLog losses) {
    if (capture == null) {
      return;
    }
    files.lock();
    try {
      if (!isEndLost) {
        for (FileState file : capture.atEnd()) {
          output.write(file);
        }
      }
    } catch (IOException | RuntimeException e) {
      isEndLost = true;
      losses.addFiles(failed("at the end"), e, !degrades);
    } finally {
      files.unlock();
    }
  }

  /** The changes that a failed capture has lost, beginning with the first that was lost. */
  private String failed(String now) {
    String first = failing;
    if (first == null) {
      failing = now;
      return now;
    }
    return first + ", and later";
  }

  /** Ends the capture of a call that was not recorded. */
  void forget(String callId) {
    captured.remove(callId);
  }
}
