package dev.agentreplay.io.recording;

import dev.agentreplay.model.ReplayEvent;

/**
 * Removes secrets from the events of a recording, as {@link RecorderOptions#withRedactor} requests.
 * A {@link SessionRecorder} calls it once for each event that it writes, before anything of the
 * event is stored in the log, a blob or the receipt, and before hashes, previews and changes of
 * prompts are computed. It is also called for the header, the start, the settings, the gaps and the
 * values of the context; a value that was redacted is replayed as it was redacted. It is not called
 * for the checkpoints and segments of the log, and for the files of a snapshot.
 *
 * <pre>{@code
 * Redactor redactor = event ->
 *     event instanceof ToolCall call && call.tool().equals("login")
 *         ? call.withParams(Content.of(JsonObject.EMPTY))
 *         : event;
 * }</pre>
 *
 * <p>An implementation is safe for use by several threads, and returns equal events for equal ones:
 * the result of a call is paired with it by its id, which both have. It leaves out the hash, blob
 * and preview of a value that it changes, and the recorder derives them again; pieces of a streamed
 * text must add up to the text.
 */
@FunctionalInterface
public interface Redactor {

  /**
   * Returns the event to write, of the same kind.
   *
   * <p>An event for which this method throws an exception, or returns one of another kind or null,
   * is not written: with {@link FailurePolicy#FAIL} the recorder throws an
   * {@link java.io.IOException}, and with {@link FailurePolicy#DEGRADE} the event is lost.
   */
  ReplayEvent redact(ReplayEvent event);
}
