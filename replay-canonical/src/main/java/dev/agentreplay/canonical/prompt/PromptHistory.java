package dev.agentreplay.canonical.prompt;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The last prompts of a log, in memory: those of up to {@link PromptDelta#WINDOW} model calls,
 * which share the messages that they have in common. The caller adds every model call of the log in
 * order. Not safe for use by several threads.
 */
public final class PromptHistory {

  /** The maximum size of the prompts that are kept to write changes of them, in characters. */
  private static final long MAX_KEPT = 64L << 20;

  /** Finds the value of a prompt that is stored in a blob. */
  public interface Values {

    /** Returns the value of a content; null if it is not available. */
    @Nullable
    JsonValue find(Content content) throws IOException;
  }

  private final Values values;
  private final Deque<PastPrompt> last = new ArrayDeque<>();

  /** Creates an empty history. */
  public PromptHistory(Values values) {
    this.values = values;
  }

  /**
   * Returns an event with its prompt in full if it is a model call whose prompt is a change of an
   * earlier one that is known, otherwise the event itself. Adds the prompt of a model call, like
   * {@link #read}.
   *
   * @throws IOException if a blob cannot be read
   */
  public ReplayEvent expand(ReplayEvent event) throws IOException {
    if (event instanceof ModelCall call
        && read(call) instanceof FullPrompt.Known known
        && call.promptDelta() != null) {
      return call.inFull(known.json());
    }
    return event;
  }

  /**
   * Adds the prompt of the next model call of the log, and returns it in full. A prompt in a blob
   * is read only when a later prompt is a change of it, and is {@link FullPrompt.Unknown} here.
   *
   * @throws IOException if a blob cannot be read; the call counts as one whose prompt is missing
   */
  public FullPrompt read(ModelCall call) throws IOException {
    PastPrompt past = new PastPrompt(call.id(), call.prompt());
    try {
      return find(call, past);
    } finally {
      append(past);
    }
  }

  /**
   * Returns the prompt of a call that follows those of this history, in full, without adding it.
   *
   * @throws IOException if a blob cannot be read
   */
  public FullPrompt find(ModelCall call) throws IOException {
    return find(call, new PastPrompt(call.id(), call.prompt()));
  }

  private FullPrompt find(ModelCall call, PastPrompt past) throws IOException {
    PromptDelta delta = call.promptDelta();
    if (delta != null) {
      return derive(past, delta);
    }
    JsonObject json = past.json();
    return json == null
        ? new FullPrompt.Unknown("the log does not hold the prompt", false)
        : new FullPrompt.Known(json, true);
  }

  private FullPrompt derive(PastPrompt past, PromptDelta delta) throws IOException {
    PastPrompt base = find(delta.base());
    if (base == null) {
      return new FullPrompt.Unknown(
          "none of the last %d model calls has the id \"%s\""
              .formatted(PromptDelta.WINDOW, Excerpt.of(delta.base())),
          true);
    }
    JsonObject from = base.resolve(values);
    if (from == null) {
      return new FullPrompt.Unknown(
          "the prompt is a change of that of the call \"%s\", which the log does not hold"
              .formatted(Excerpt.of(delta.base())),
          false);
    }
    try {
      past.derive(base, delta.applyTo(from));
    } catch (IllegalArgumentException e) {
      return new FullPrompt.Unknown(
          "it does not fit the prompt of the call \"%s\": %s"
              .formatted(Excerpt.of(delta.base()), e.getMessage()),
          true);
    }
    return new FullPrompt.Known(past.known(), !base.differs());
  }

  /** Records that the last prompt that {@link #read} returned differs from its hash. */
  public void lastDiffers() {
    last.getLast().setDiffers();
  }

  /**
   * Returns the line of a model call with its prompt in full.
   *
   * @param line the line, in any dialect
   * @param prompt the prompt
   */
  public static JsonObject expandLine(JsonObject line, JsonObject prompt) {
    String name = String.valueOf(EventKind.MODEL_CALL.contentName());
    return line.without(Names.PROMPT_DELTA).with(name, prompt);
  }

  /**
   * The SHA-256 of the canonical form of the last prompt that {@link #read} returned. The messages
   * that it shares with the beginning of its base are not hashed again.
   *
   * @throws IllegalArgumentException if the canonicalization would round an integer
   */
  public ContentHash lastHash(CanonicalJson canonical) {
    return last.getLast().hash(canonical);
  }

  /**
   * Returns a call whose prompt is written as a change of an earlier one, if that is shorter,
   * otherwise the call itself. The history does not change: {@link #add} adds the call once it is
   * written.
   *
   * @throws IllegalArgumentException if the call states a hash that differs from that of its
   *     prompt, or the canonicalization would round an integer
   */
  public Shortened shorten(ModelCall call, CanonicalJson canonical) {
    PastPrompt past = new PastPrompt(call.id(), call.prompt());
    JsonObject prompt = past.json();
    PromptMatch best = null;
    for (Iterator<PastPrompt> i = last.descendingIterator(); prompt != null && i.hasNext(); ) {
      PastPrompt candidate = i.next();
      if (candidate.json() == null || find(candidate.id()) != candidate) {
        continue;
      }
      PromptMatch match = PromptMatch.of(candidate, prompt);
      best = best == null || match.added() < best.added() ? match : best;
      if (best.isClose()) {
        break;
      }
    }
    if (prompt == null || best == null || !best.isShorterThan(prompt)) {
      return new Shortened(call, past);
    }
    PromptDelta delta = best.delta();
    past.derive(best.base(), delta.applyTo(best.base().known()));
    ContentHash hash = past.hash(canonical);
    ContentHash stated = call.prompt().hash();
    if (stated != null && !stated.equals(hash)) {
      throw new IllegalArgumentException(
          "ModelCall has the prompt_hash %s, but its value has %s".formatted(stated, hash));
    }
    return new Shortened(call.asChange(delta, stated == null ? hash : stated), past);
  }

  /** Adds a call that was written. */
  public void add(Shortened written) {
    append(written.past);
    while (last.size() > 1 && last.stream().mapToLong(PastPrompt::size).sum() > MAX_KEPT) {
      last.removeFirst();
    }
  }

  /** Forgets all prompts, so that the next one is written in full. */
  public void clear() {
    last.clear();
  }

  private void append(PastPrompt prompt) {
    if (last.size() == PromptDelta.WINDOW) {
      last.removeFirst().dropBase();
    }
    last.addLast(prompt);
  }

  /** The last prompt of a call with an id; null if there is none. */
  private @Nullable PastPrompt find(String id) {
    for (Iterator<PastPrompt> i = last.descendingIterator(); i.hasNext(); ) {
      PastPrompt prompt = i.next();
      if (prompt.id().equals(id)) {
        return prompt;
      }
    }
    return null;
  }

  /** A call as it is to be written. */
  public static final class Shortened {
    private final ModelCall call;
    private final PastPrompt past;

    private Shortened(ModelCall call, PastPrompt past) {
      this.call = call;
      this.past = past;
    }

    /** The call to write. */
    public ModelCall call() {
      return call;
    }
  }
}
