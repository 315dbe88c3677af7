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
 * Members that an event keeps for converting it back: in {@value #CARRIED_OVER} those of another
 * dialect, and in the member {@value #BUNDLE} of a header those of a bundle. Readers of the log
 * ignore them, so they must not contradict the event or contain members that only events may state.
 */
final class KeptAside {

  /**
   * The member that holds, for each dialect, the members that have no equivalent in the log's
   * dialect.
   */
  static final String CARRIED_OVER = "carried_over";

  /** The member of a header that keeps the members of a bundle that have no equivalent in a log. */
  static final String BUNDLE = "bundle";

  /** The events of a session in a form that is not supported. */
  static final String TIMELINE = "timeline";

  /** The members of a bundle that identify the session or contain its events. */
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

  /** The members that an event carries over for another dialect and that must not come back. */
  static Set<String> conflicts(Dialect from, Dialect to, JsonObject line, ReplayEvent event) {
    return of(to, event).isEmpty()
        ? Set.of()
        : DialectConverter.of(from, to).conflicts(line, event);
  }

  /**
   * Whether a member that was kept aside may come back to an event, judged by the members that it
   * keeps aside itself. Members are never restored twice: a nested {@value #CARRIED_OVER} may only
   * hold members for the event's own dialect.
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

  /** The members of a header's {@value #BUNDLE} that identify the session or contain its events. */
  static Set<String> conflicts(JsonObject kept) {
    Set<String> conflicts = new TreeSet<>(SESSION);
    conflicts.retainAll(kept.names());
    return conflicts;
  }

  /** The other members of a bundle that may be kept. The rest is dropped, with ledger entries. */
  static JsonObject kept(JsonObject members, ConversionLedger ledger) {
    Set<String> conflicts = conflicts(members);
    for (String name : conflicts) {
      ledger.add(Action.DROPPED, "ReplayBundle", name, null, "only the session states this");
    }
    return only(members, (name, value) -> !conflicts.contains(name));
  }

  /** A copy of an object with only the members that match. */
  static JsonObject only(JsonObject object, BiPredicate<String, JsonValue> wanted) {
    JsonObject.Builder builder = JsonObject.builder();
    object.forEach((name, value) -> {
      if (wanted.test(name, value)) {
        builder.add(name, value);
      }
    });
    return builder.build();
  }

  /** The findings for all conflicts in the members that an event of a dialect keeps aside. */
  static List<Finding> conflicts(Dialect dialect, JsonObject line, ReplayEvent event) {
    JsonObject extra = event.meta().extra();
    if (extra.isEmpty()) {
      return List.of();
    }
    List<Finding> findings = List.of();
    if (extra.get(CARRIED_OVER) instanceof JsonObject) {
      findings = new ArrayList<>();
      for (Dialect other : Dialect.values()) {
        // members carried over for the log's own dialect are never restored
        if (other != dialect) {
          add(
              conflicts(dialect, other, line, event),
              CARRIED_OVER + "." + other.id(),
              "members that the dialect " + other.id() + " would read as part of the event",
              findings);
        }
      }
    }
    if (event instanceof ReplayHeader && extra.get(BUNDLE) instanceof JsonObject kept) {
      List<Finding> all = new ArrayList<>(findings);
      add(conflicts(kept), BUNDLE, "members that describe the session itself", all);
      return all;
    }
    return findings;
  }

  private static void add(Set<String> names, String member, String why, List<Finding> findings) {
    if (!names.isEmpty()) {
      findings.add(Finding.of(
          FindingCode.CARRIED_OVER_CONFLICT,
          "%s must not hold %s, found %s"
              .formatted(member, why, Excerpt.of(String.join(", ", names)))));
    }
  }
}
