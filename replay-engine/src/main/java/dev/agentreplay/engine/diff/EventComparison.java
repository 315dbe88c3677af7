package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Compares single events under the rules of a comparison, as {@link SessionDiff} compares the
 * events of a pair: the behavior of the agent, without ids and times. Contents that are in blobs
 * are compared by their hashes. Safe for use by several threads, which wait for each other.
 */
public final class EventComparison {

  private final CompiledRules rules;
  private final CanonicalJson canonical;
  private final boolean strict;
  private final ReentrantLock lock = new ReentrantLock();

  private EventComparison(DiffOptions options, CanonicalJson canonical) {
    this.rules = CompiledRules.of(options.rules(), canonical, options.limits());
    this.canonical = canonical;
    this.strict = options.strict();
    rules.tellReplacements(false);
    rules.tellPlaces(false);
  }

  /** Creates a comparison with these options; hashes are those of a canonicalization. */
  public static EventComparison of(DiffOptions options, CanonicalJson canonical) {
    return new EventComparison(
        Objects.requireNonNull(options, "options"), Objects.requireNonNull(canonical, "canonical"));
  }

  /** Whether equal events have equal values: no rule depends on the values in events. */
  public boolean isExact() {
    return rules.isExact();
  }

  /** Whether events with different fingerprints may be equal, because a rule is tolerant. */
  public boolean isTolerant() {
    return rules.isTolerant();
  }

  /**
   * Returns the hash of everything that is compared in an event, after normalization; tolerances
   * and rules for similar texts do not affect it.
   */
  public ContentHash fingerprint(ReplayEvent event) {
    lock.lock();
    try {
      JsonObject view = EventView.of(event, contents(false), false);
      return CanonicalJson.comparableHash(rules.normalize(view, Side.LEFT), canonical);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the places at which two events of one kind differ under the rules; empty if they are
   * equal.
   *
   * @throws IOException if a comparator of a rule fails
   */
  public List<ValueChange> compare(ReplayEvent left, ReplayEvent right) throws IOException {
    StepKind kind = StepKind.of(left.kind());
    StepKind step = kind == null ? StepKind.OTHER : kind;
    boolean hashesOnly = left.content().lacksValue() || right.content().lacksValue();
    lock.lock();
    try {
      JsonObject leftView = EventView.of(left, contents(hashesOnly), strict);
      JsonObject rightView = EventView.of(right, contents(hashesOnly), strict);
      JsonObject before = EventView.comparable(left, leftView, rightView);
      JsonObject after = EventView.comparable(right, rightView, leftView);
      StepBuilder builder = new StepBuilder(step, StepBuilder.name(left), new Position(1, 0));
      builder.request(StepBuilder.Seen.of(left, before), canonical);
      return rules.compare(
          builder.build(0).step(), before, after, member -> EventView.kind(step, member));
    } finally {
      lock.unlock();
    }
  }

  private EventView.Contents contents(boolean hashesOnly) {
    return (view, name, content) -> {
      if (content.value() == null) {
        view.putHash(name, content.hash());
      } else if (hashesOnly) {
        view.putHash(name, CanonicalJson.comparableHash(content.value(), canonical));
      } else {
        view.put(name, content.value());
      }
    };
  }
}
