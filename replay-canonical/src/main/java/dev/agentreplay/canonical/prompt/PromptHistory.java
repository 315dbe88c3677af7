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
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last prompts of a log, in memory, which share the messages that they have in common: the last
 * prompt of each id, of up to {@link PromptDelta#MAX_CALLS} ids, up to a total size as written of
 * {@link PromptDelta#MAX_SIZE}. The caller adds every model call of the log in order. Not safe for
 * use by several threads.
 */
public final class PromptHistory {

  /** The number of last prompts that are tried as the base of a change. */
  private static final int TRIED = 32;

  /** The number of levels of JSON around a value in a change, and around the change in a line. */
  private static final int LEVELS = 6;

  /** Finds the value of a prompt that is stored in a blob. */
  public interface Values {

    /** Returns the value of a content; null if it is not available. */
    @Nullable
    JsonValue find(Content content) throws IOException;
  }

  private final Values values;

  /** The last prompt of each id, the oldest first. */
  private final LinkedHashMap<String, PastPrompt> last = new LinkedHashMap<>();

  /** The prompt that was read last. */
  private @Nullable PastPrompt newest;

  private long size;

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
    PastPrompt past = new PastPrompt(call);
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
    return find(call, new PastPrompt(call));
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
    PastPrompt base = last.get(delta.base());
    if (base == null) {
      return new FullPrompt.Unknown(
          "none of the last model calls has the id \"%s\"".formatted(Excerpt.of(delta.base())),
          true);
    }
    JsonObject from = base.resolve(values);
    if (from == null && base.isOther()) {
      return new FullPrompt.Unknown(
          "the prompt of the call \"%s\" is not an object".formatted(Excerpt.of(delta.base())),
          true);
    } else if (from == null) {
      return new FullPrompt.Unknown(
          "the prompt is a change of that of the call \"%s\", which the log does not hold"
              .formatted(Excerpt.of(delta.base())),
          false);
    }
    try {
      JsonObject prompt = delta.applyTo(from);
      if (prompt.depth() >= JsonValue.MAX_DEPTH) {
        throw new IllegalArgumentException(
            "it would be nested deeper than " + (JsonValue.MAX_DEPTH - 1));
      }
      past.derive(base, prompt);
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
    newest().setDiffers();
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
    return newest().hash(canonical);
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
    JsonObject prompt = call.prompt().value() instanceof JsonObject object ? object : null;
    PromptMatch best = prompt == null ? null : best(call, prompt);
    if (prompt == null || best == null) {
      return inFull(call);
    }
    PromptDelta delta = best.delta();
    JsonObject same = delta.applyTo(best.base().known()); // shares its messages with the base
    PromptDigest digest = best.base().digestOf(same, canonical);
    ContentHash hash = digest.hash();
    ContentHash stated = call.prompt().hash();
    if (stated != null && !stated.equals(hash)) {
      throw new IllegalArgumentException(
          "ModelCall has the prompt_hash %s, but its value has %s".formatted(stated, hash));
    }
    return new Shortened(call.asChange(delta, hash), same, digest);
  }

  /** Returns a call that is to be written with its prompt in full. */
  public Shortened inFull(ModelCall call) {
    return new Shortened(call, call.prompt().value(), null);
  }

  /** The change of an earlier prompt with the least that is new; null if none is shorter. */
  private @Nullable PromptMatch best(ModelCall call, JsonObject prompt) {
    long limit = PromptDelta.size(prompt);
    if (prompt.depth() + LEVELS > JsonValue.MAX_DEPTH || limit > PromptDelta.MAX_SIZE) {
      return null;
    }
    List<PastPrompt> tried = new ArrayList<>();
    for (PastPrompt past : last.values()) {
      if (past.json() != null) {
        tried.add(past);
      }
    }
    Collections.reverse(tried);
    PromptMatch best = null;
    String agent = call.meta().agent();
    for (PastPrompt past : tried) { // the last one of the same agent is usually the best
      if (agent != null && agent.equals(past.agent())) {
        best = PromptMatch.of(past, prompt, limit);
        break;
      }
    }
    for (PastPrompt past : tried.subList(0, Math.min(TRIED, tried.size()))) {
      PromptMatch match = PromptMatch.of(past, prompt, best == null ? limit : best.added());
      best = match == null ? best : match;
    }
    return best == null || PromptDelta.size(best.delta().json()) >= limit ? null : best;
  }

  /**
   * Adds a call that was written.
   *
   * @param written the call as it was written, in full, as a change or with its prompt in a blob
   */
  public void add(Shortened shortened, ModelCall written) {
    PastPrompt past = new PastPrompt(written);
    past.know(shortened.full, shortened.digest);
    append(past);
  }

  /** Forgets all prompts, so that the next one is written in full. */
  public void clear() {
    last.clear();
    size = 0;
  }

  private PastPrompt newest() {
    return Objects.requireNonNull(newest);
  }

  private void append(PastPrompt prompt) {
    newest = prompt;
    remove(prompt.id());
    last.put(prompt.id(), prompt);
    size += prompt.writtenSize();
    while (last.size() > PromptDelta.MAX_CALLS || size > PromptDelta.MAX_SIZE) {
      remove(last.keySet().iterator().next());
    }
  }

  private void remove(String id) {
    PastPrompt removed = last.remove(id);
    if (removed != null) {
      size -= removed.writtenSize();
      removed.dropBase();
    }
  }

  /** A call as it is to be written. */
  public static final class Shortened {
    private final ModelCall call;
    private final @Nullable JsonValue full;
    private final @Nullable PromptDigest digest;

    private Shortened(ModelCall call, @Nullable JsonValue full, @Nullable PromptDigest digest) {
      this.call = call;
      this.full = full;
      this.digest = digest;
    }

    /** The call to write. */
    public ModelCall call() {
      return call;
    }
  }
}
