package dev.agentreplay.engine.lines;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.prompt.FullPrompt;
import dev.agentreplay.canonical.prompt.PromptHistory;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prompts of a session that are changes of earlier ones: expands them while the log is read,
 * and again for single lines, for which it knows the lines of their bases.
 */
public final class PromptBases {

  /** Reads a line again. */
  public interface Lines {
    /** Returns the line at a position. */
    ReplayLine read(Position position) throws IOException;
  }

  /** The maximum number of prompts that are kept while lines are read again. */
  private static final int KEPT = 32;

  private final Session session;
  private final PromptHistory history;

  /** The position of the last model call with each id, of those that may be a base. */
  private final Map<String, Position> last = new LinkedHashMap<>();

  /** The position of the base of a line, by the number of the line. */
  private final Map<Long, Position> bases = new HashMap<>();

  /** The prompts of the lines that were expanded last, by the number of the line. */
  private final Map<Long, JsonObject> expanded = new LinkedHashMap<>();

  private @Nullable JsonObject lastExpanded;

  /** Creates the prompts of a session of which nothing was read so far. */
  public PromptBases(Session session) {
    this.session = session;
    this.history = new PromptHistory(session::resolve);
  }

  /** Returns the next line of the log, with its prompt in full if it is known. */
  public ReplayLine expand(ReplayLine line) {
    if (!(line.event() instanceof ModelCall call)) {
      return line;
    }
    FullPrompt prompt = read(call);
    PromptDelta delta = call.promptDelta();
    JsonObject full = prompt instanceof FullPrompt.Known known ? known.json() : null;
    if (delta != null && full != null) {
      bases.put(line.position().line(), last.get(delta.base()));
    }
    last.remove(call.id());
    last.put(call.id(), line.position());
    if (last.size() > PromptDelta.MAX_CALLS) {
      last.remove(last.keySet().iterator().next());
    }
    if (delta == null || full == null) {
      return line;
    }
    lastExpanded = full;
    return line.withFullPrompt(full);
  }

  /** A prompt whose blob is damaged is compared by its hash, like one whose blob is missing. */
  private FullPrompt read(ModelCall call) {
    try {
      return history.read(call);
    } catch (IOException e) {
      return new FullPrompt.Unknown(String.valueOf(e.getMessage()), false);
    }
  }

  /** Whether a value is the prompt that was expanded last. */
  @SuppressWarnings("ReferenceEquality") // an equal value is as well hashed by itself
  public boolean isLast(JsonValue value) {
    return value == lastExpanded;
  }

  /** The hash by which the prompt that was expanded last is compared. */
  public ContentHash lastHash(CanonicalJson canonical) {
    try {
      return history.lastHash(canonical);
    } catch (IllegalArgumentException wouldBeRounded) {
      return history.lastHash(CanonicalJson.SERDE);
    }
  }

  /**
   * Returns a line that was read again, with its prompt in full if it is known. Fast for lines in
   * ascending order.
   *
   * @param lines reads the lines of its bases; fast in ascending order, too
   */
  public ReplayLine expandAgain(ReplayLine line, Lines lines) throws IOException {
    long number = line.position().line();
    if (!bases.containsKey(number)) {
      return line;
    }
    Deque<Position> chain = new ArrayDeque<>();
    JsonObject prompt = null;
    for (Position at = bases.get(number); at != null && prompt == null; ) {
      prompt = expanded.get(at.line());
      if (prompt == null) {
        chain.push(at);
        at = bases.get(at.line());
      }
    }
    for (Position at : chain) {
      prompt = keep(at.line(), prompt(lines.read(at), prompt));
    }
    return line.withFullPrompt(keep(number, prompt(line, prompt)));
  }

  private JsonObject keep(long line, JsonObject prompt) {
    expanded.put(line, prompt);
    if (expanded.size() > KEPT) {
      expanded.remove(expanded.keySet().iterator().next());
    }
    return prompt;
  }

  private JsonObject prompt(ReplayLine line, @Nullable JsonObject base) throws IOException {
    if (line.event() instanceof ModelCall call) {
      PromptDelta delta = call.promptDelta();
      JsonValue prompt = delta == null
          ? session.resolve(call.prompt())
          : base == null ? null : delta.applyTo(base);
      if (prompt instanceof JsonObject object) {
        return object;
      }
    }
    throw new IOException("%s: %s: the log or its blobs changed after it was read"
        .formatted(session.log(), line.position()));
  }
}
