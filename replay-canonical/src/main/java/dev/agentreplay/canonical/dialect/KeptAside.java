package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * What an event keeps for its way back: in {@value #CARRIED_OVER} the members of another dialect,
 * and in the {@value #BUNDLE} of a header those of a bundle. A reader of the log does not look at
 * them, so they may not say what the event says, in the other form, or what only events say.
 */
final class KeptAside {

  /** The member that holds, by dialect, what has no place in another one. */
  static final String CARRIED_OVER = "carried_over";

  /** The member of a header that keeps what a log has no place for. */
  static final String BUNDLE = "bundle";

  /** The events of a bundle in a form that is not read. */
  static final String TIMELINE = "timeline";

  /** The members of a bundle that say which session it is, and what happened in it. */
  private static final List<String> SESSION =
      List.of(Names.CREATED_AT, "events", "header", "id", TIMELINE);

  private KeptAside() {}

  /** The members that an event carries over for a dialect; empty if there are none. */
  static JsonObject of(Dialect dialect, ReplayEvent event) {
    return event.meta().extra().get(CARRIED_OVER) instanceof JsonObject carried
            && carried.get(dialect.id()) instanceof JsonObject own
        ? own
        : JsonObject.EMPTY;
  }

  /** The members that an event carries over for another dialect, and that may not come back. */
  static Set<String> conflicts(Dialect from, Dialect to, JsonObject line, ReplayEvent event) {
    return of(to, event).isEmpty()
        ? Set.of()
        : DialectConverter.of(from, to).conflicts(line, event);
  }

  /**
   * Whether a member that was kept aside may come back to an event, as far as it keeps something
   * aside itself. Nothing is brought back twice: only what is of the event's own dialect stays.
   */
  static boolean mayComeBack(String name, JsonValue value, Dialect to, ReplayEvent event) {
    if (name.equals(CARRIED_OVER)) {
      return !(value instanceof JsonObject carried)
          || Stream.of(Dialect.values()).allMatch(other -> other == to || !carried.has(other.id()));
    }
    return !name.equals(BUNDLE)
        || !(event instanceof ReplayHeader)
        || !(value instanceof JsonObject kept)
        || conflicts(kept).isEmpty();
  }

  /** The members of a bundle's rest that say something about the session. */
  static Set<String> conflicts(JsonObject kept) {
    Set<String> conflicts = new TreeSet<>(SESSION);
    conflicts.retainAll(kept.names());
    return conflicts;
  }

  /** The other members of a bundle that may be kept; the rest is dropped, and listed. */
  static JsonObject kept(JsonObject members, ConversionLedger ledger) {
    Set<String> conflicts = conflicts(members);
    for (String name : conflicts) {
      ledger.add(Action.DROPPED, "ReplayBundle", name, null, "only the session says that");
    }
    return only(members, (name, value) -> !conflicts.contains(name));
  }

  /** The members of an object that are wanted. */
  static JsonObject only(JsonObject object, BiPredicate<String, JsonValue> wanted) {
    JsonObject.Builder builder = JsonObject.builder();
    object.forEach((name, value) -> {
      if (wanted.test(name, value)) {
        builder.add(name, value);
      }
    });
    return builder.build();
  }

  /** The conflicts of everything that an event of a dialect keeps aside. */
  static List<Finding> conflicts(Dialect dialect, JsonObject line, ReplayEvent event) {
    JsonObject extra = event.meta().extra();
    if (extra.isEmpty()) {
      return List.of();
    }
    List<Finding> findings = List.of();
    if (extra.get(CARRIED_OVER) instanceof JsonObject) {
      findings = new ArrayList<>();
      for (Dialect other : Dialect.values()) {
        // a log's own dialect is never brought back
        if (other != dialect) {
          add(
              conflicts(dialect, other, line, event),
              CARRIED_OVER + "." + other.id(),
              "the dialect " + other.id() + " would read as part of the event",
              findings);
        }
      }
    }
    if (event instanceof ReplayHeader && extra.get(BUNDLE) instanceof JsonObject kept) {
      List<Finding> all = new ArrayList<>(findings);
      add(conflicts(kept), BUNDLE, "a bundle has of the session itself", all);
      return all;
    }
    return findings;
  }

  private static void add(Set<String> names, String member, String why, List<Finding> findings) {
    if (!names.isEmpty()) {
      findings.add(Finding.of(
          FindingCode.CARRIED_OVER_CONFLICT,
          "%s must not have what %s, found %s"
              .formatted(member, why, Excerpt.of(String.join(", ", names)))));
    }
  }
}
