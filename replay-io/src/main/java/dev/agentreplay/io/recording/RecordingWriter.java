package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.session.BlobStore;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.FileChange;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.StreamPreviews;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes the events of a session with the rules of a recorder: a large value goes to a blob, a
 * result follows its call, there is one start, and a gap marks missing events. Safe for use by
 * several threads.
 */
final class RecordingWriter {

  private final ReplayWriter writer;
  private final BlobWriter blobs;

  /** The writer of prompts as changes of earlier ones. */
  private final SharedPrompts prompts;

  private final OpenCalls tools;
  private final OpenCalls models;
  private final RecordedSurroundings surroundings;
  private final Redaction redaction;
  private final LossLog losses;
  private final FailurePolicy policy;

  /** True once the log has the start of the session. */
  private final AtomicBoolean isStarted;

  RecordingWriter(RecordingStart start, ReplayWriter writer, LossLog losses) {
    this.writer = writer;
    this.tools = start.tools;
    this.models = start.models;
    this.surroundings = start.surroundings;
    this.redaction = start.redaction;
    this.isStarted = new AtomicBoolean(start.isStarted);
    this.losses = losses;
    this.policy = start.options.failurePolicy();
    CanonicalJson canonical = CanonicalJson.of(writer.canonicalization());
    this.blobs = new BlobWriter(
        new BlobStore(start.disk, start.directory.resolve(Session.BLOBS_NAME)),
        canonical,
        start.options.blobThreshold());
    this.prompts = new SharedPrompts(
        start.prompts, start.options.fullPrompts() ? null : canonical, blobs::isLarge);
  }

  /** Writes an event. The event may remain unwritten only if the policy allows it. */
  WrittenEvent write(ReplayEvent event) throws IOException {
    if (event instanceof ToolResult result) {
      requireStreams(result);
      return writeResult(event, tools, result.id());
    } else if (event instanceof ModelResult result) {
      return writeResult(event, models, result.id());
    } else if (event instanceof ModelCall call) {
      return writeCall(call, models, call.id(), false);
    } else if (event instanceof SessionStart) {
      return writeStart(event);
    } else if (event instanceof Settings settings) {
      return surroundings.write(settings, this::writeAny);
    }
    return writeAny(event);
  }

  /** Writes settings, unless the log states them. Returns the event; null if none was written. */
  @Nullable
  WrittenEvent writeIfChanged(Settings settings) throws IOException {
    return surroundings.writeIfChanged(settings, this::writeAny);
  }

  /** Reads a file before it changes. */
  FileChange fileChange(Path root, String path) throws IOException {
    return surroundings.fileChange(root, path, this::writeAny, losses);
  }

  /** Records the files that have changed since the last tool, before the end of the session. */
  void captureAtEnd() {
    surroundings.atEnd(this::writeAny, losses);
  }

  private WrittenEvent writeStart(ReplayEvent start) throws IOException {
    if (!isStarted.compareAndSet(false, true)) {
      throw new IllegalArgumentException("a SessionStart was recorded when the session was started:"
          + " record another session in another directory");
    }
    WrittenEvent written = null;
    try {
      written = writeAny(start);
      return written;
    } finally {
      if (written == null || written.position == null) {
        isStarted.set(false);
      }
    }
  }

  /**
   * Writes a call, whose result may be written from then on.
   *
   * @param isOpen whether the call was opened already; otherwise this method opens it
   */
  WrittenEvent writeCall(ReplayEvent call, OpenCalls calls, String id, boolean isOpen)
      throws IOException {
    if (!isOpen) {
      calls.open(id, call.meta().agent());
    }
    WrittenEvent written = null;
    try {
      if (call instanceof ToolCall tool) {
        surroundings.beforeTool(tool, this::writeAny, losses);
      }
      written = writeAny(call);
      return written;
    } finally {
      try {
        if (written == null || written.position == null) {
          surroundings.forget(id);
        }
        if (written == null) {
          calls.close(id, call.meta().agent());
        } else if (written.position != null) {
          calls.recorded(id);
        } else {
          calls.lost(id, call.meta().agent());
        }
      } catch (Error e) {
        // report the outcome of the write instead
      }
    }
  }

  /** Writes the result of a call that waits for it. */
  private WrittenEvent writeResult(ReplayEvent result, OpenCalls calls, String id)
      throws IOException {
    OpenCalls.Waiting claimed = calls.claim(id, result.meta().agent());
    if (claimed == null) {
      losses.addUnanswerable();
      return WrittenEvent.unwritten(result);
    }
    boolean answered = false;
    try {
      if (calls == tools) {
        surroundings.afterTool(id, this::writeAny, losses);
      }
      WrittenEvent written = writeAny(result);
      answered = true; // also if it was lost: its id may be used again
      return written;
    } finally {
      try {
        if (answered) {
          calls.answered(id, claimed);
        } else {
          calls.unclaim(id, claimed);
        }
      } catch (Error e) {
        // report the outcome of the write instead
      }
    }
  }

  /**
   * Writes the result of a call. With the policy to degrade, a result that is refused, or follows
   * the end of the session, is lost.
   */
  WrittenEvent writeAnswer(ReplayEvent result) throws IOException {
    try {
      return write(result);
    } catch (IllegalArgumentException | IllegalStateException refused) {
      if (policy == FailurePolicy.FAIL) {
        throw refused;
      }
      return writeUnrecorded(result, refused);
    }
  }

  /**
   * Writes a result that was refused without its pieces, if it was streamed, or else, for a tool,
   * the reason why it is not recorded; if that is refused, too, the result is lost.
   */
  private WrittenEvent writeUnrecorded(ReplayEvent result, RuntimeException refused)
      throws IOException {
    for (ReplayEvent rest : RecordedEvents.rest(result, refused)) {
      try {
        return write(rest);
      } catch (IllegalArgumentException | IllegalStateException again) {
        // the reason that counts is the first one
      }
    }
    OpenCalls calls = result instanceof ToolResult ? tools : models;
    String id = Objects.requireNonNull(result.callId());
    calls.close(id, result.meta().agent());
    losses.addResult(id, refused, false);
    return WrittenEvent.unwritten(result);
  }

  /**
   * Loses a call that was refused, and the result that follows.
   *
   * @param refused the exception, which is thrown unless the policy is to degrade
   */
  void lose(
      OpenCalls calls, String id, @Nullable String agent, String name, RuntimeException refused) {
    if (policy == FailurePolicy.FAIL) {
      calls.close(id, agent);
      throw refused;
    }
    losses.addCall(name, refused);
    calls.lost(id, agent);
  }

  /** Writes an event without its secrets; the prompt of a model as a change of an earlier one. */
  private WrittenEvent writeAny(ReplayEvent event) throws IOException {
    ReplayEvent redacted;
    try {
      redacted = redaction.apply(event);
    } catch (IOException e) {
      return lost(event, e);
    }
    return redacted instanceof ModelCall call
        ? prompts.write(call, this::writeRedacted)
        : writeRedacted(redacted);
  }

  private WrittenEvent writeRedacted(ReplayEvent event) throws IOException {
    try {
      BlobWriter.LargeEvent large = blobs.prepare(event, writer.dialect());
      if (large != null) { // store no blob of an event that is refused
        LogAppender.requireInRange(event);
        writer.check(large.event());
        large.keep();
      }
      losses.mark();
      return writer.emit(large == null ? event : large.event());
    } catch (IOException e) {
      return lost(event, e);
    }
  }

  private WrittenEvent lost(ReplayEvent event, IOException failure) throws IOException {
    if (policy == FailurePolicy.FAIL) {
      throw failure;
    }
    losses.add(failure, failure);
    WrittenEvent written = failure instanceof ReplayWriteException failed ? failed.written() : null;
    // no receipt for an end that may not survive power loss
    return written == null || event instanceof SessionEnd ? WrittenEvent.unwritten(event) : written;
  }

  /** Fails if a preview that the caller gave does not follow from the output. */
  private static void requireStreams(ToolResult result) {
    StreamPreviews given = result.outcome().streams();
    if (!given.isEmpty()) {
      StreamPreviews found = StreamPreviews.of(result.output().value());
      requireStream(Names.STDOUT_PREVIEW, given.stdout(), found.stdout());
      requireStream(Names.STDERR_PREVIEW, given.stderr(), found.stderr());
    }
  }

  private static void requireStream(String name, @Nullable String given, @Nullable String found) {
    if (given != null && found != null && !given.equals(found)) {
      throw new IllegalArgumentException("the %s is given as \"%s\", but the output has \"%s\""
          .formatted(name, Excerpt.of(given), Excerpt.of(found)));
    }
  }
}
