package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.prompt.FullPrompt;
import dev.agentreplay.canonical.prompt.PromptHistory;
import dev.agentreplay.canonical.prompt.PromptHistory.Shortened;
import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes the prompts of model calls as changes of earlier ones. One model call is written at a
 * time, so that the order of the calls in the log is the one in which their prompts were compared.
 * Safe for use by several threads.
 */
final class SharedPrompts {

  /** Writes a model call. */
  interface Write {
    WrittenEvent write(ModelCall call) throws IOException;
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final PromptHistory history;

  /** The canonicalization of the log; null if every prompt is written in full. */
  private final @Nullable CanonicalJson canonical;

  /** Whether a change of a prompt is too large for the log. */
  private final Predicate<JsonObject> isLarge;

  SharedPrompts(
      PromptHistory history, @Nullable CanonicalJson canonical, Predicate<JsonObject> isLarge) {
    this.history = history;
    this.canonical = canonical;
    this.isLarge = isLarge;
  }

  /** Creates the history of a session, which reads prompts from its blobs. */
  static PromptHistory history(Path directory) {
    Session session = new Session(
        directory.resolve(Session.LOG_NAME),
        null,
        null,
        null,
        directory.resolve(Session.BLOBS_NAME),
        ReaderOptions.defaults());
    return new PromptHistory(session::resolve);
  }

  /**
   * Writes a call, with its prompt as a change of an earlier one if that is shorter.
   *
   * @throws IllegalArgumentException if the prompt is given as a change that does not fit the calls
   *     before it, or has another hash than stated
   */
  WrittenEvent write(ModelCall call, Write write) throws IOException {
    lock.lock();
    boolean isKnown = false;
    try {
      ModelCall full = full(call);
      Shortened shortened =
          canonical == null ? history.inFull(full) : history.shorten(full, canonical);
      ModelCall event = shortened.call();
      PromptDelta delta = event.promptDelta();
      if (delta != null && isLarge.test(delta.json())) {
        event = full; // its prompt goes to a blob
      }
      WrittenEvent written = write.write(event);
      if (written.isWritten()) {
        history.add(shortened, (ModelCall) written.event());
        isKnown = true;
      }
      return written;
    } catch (IllegalArgumentException refused) {
      isKnown = true; // nothing was written
      throw refused;
    } finally {
      if (!isKnown) {
        history.clear(); // the call may be in the log or not
      }
      lock.unlock();
    }
  }

  private ModelCall full(ModelCall call) throws IOException {
    if (call.promptDelta() == null) {
      return call;
    }
    FullPrompt prompt = history.find(call);
    if (prompt instanceof FullPrompt.Known known) {
      return call.inFull(known.json());
    }
    throw new IllegalArgumentException("prompt_delta of the call \"%s\": %s"
        .formatted(call.id(), ((FullPrompt.Unknown) prompt).reason()));
  }
}
