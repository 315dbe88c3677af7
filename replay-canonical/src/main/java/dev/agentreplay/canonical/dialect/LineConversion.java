package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One line that is converted: its source, and the lines it becomes.
 *
 * <p>A member that the source does not understand keeps its name, unless the other dialect has a
 * member of that name, and would take it for that. Then it is carried over: kept aside in the
 * member {@value KeptAside#CARRIED_OVER}, under the id of its dialect, until it is converted back.
 * Of what was kept aside only that comes back which its dialect does not read: {@link #conflicts}.
 */
final class LineConversion {

  private static final String CARRIED_OVER = KeptAside.CARRIED_OVER;

  /** How many levels deeper a member is that is carried over. */
  private static final int CARRIED_DEPTH = 3;

  /** The component of a header that every dialect states in its own way. */
  private static final String VERSION = "version";

  private static final String CONFLICT = "the event says something else itself";

  private final Dialect from;
  private final Dialect to;
  private final JsonObject source;
  private final EventKind kind;
  private final Table<? extends ReplayEvent> sourceTable;
  private final String tag;

  /** The kind that the tag names, also of an event that lacks what identifies it. */
  private final EventKind named;

  private final ConversionLedger ledger;
  private final List<JsonObject> results = new ArrayList<>();

  /** Members of the source that the ledger has already. */
  private final Set<String> explained = new HashSet<>();

  /** Members of the source that the result has no place for. */
  private final Set<String> displaced = new HashSet<>();

  /** Members of the result that the ledger has already. */
  private final Set<String> returned = new HashSet<>();

  /** Components of the result that come from another event, and that are computed. */
  private final Set<String> moved = new HashSet<>();

  private final Set<String> computed = new HashSet<>();

  /** The member that came back and that carries something over itself, for its own dialect. */
  private @Nullable JsonObject restored;

  LineConversion(
      Dialect from, Dialect to, JsonObject source, ReplayEvent event, ConversionLedger ledger) {
    this.from = from;
    this.to = to;
    this.source = source;
    this.ledger = ledger;
    this.kind = event.kind();
    this.sourceTable = from.codec().table(kind);
    String type = from.codec().tag(source);
    this.tag = type == null ? "" : type;
    this.named = kind == EventKind.UNKNOWN ? EventKind.ofTag(tag) : kind;
  }

  /** What the source calls the event. */
  String tag() {
    return tag;
  }

  /** A component is said by another event from now on. */
  void moveTo(LineConversion target, String component) {
    target.moved.add(component);
    for (Row<?, ?> row : sourceTable.rows()) {
      if (row.component().equals(component) && source.has(row.name)) {
        explained.add(row.name);
        String there = to.nameOf(target.kind, component);
        ledger.add(Action.MOVED, tag, row.name, target.tag + "." + there);
        return;
      }
    }
  }

  /** A component of the result is computed. */
  void computes(String component) {
    computed.add(component);
  }

  /** Carries over members of the source that the result cannot have. */
  void displacesWhat(ReplayEvent event) {
    displaced.addAll(present(to.displaced(event)));
  }

  private List<String> present(Set<String> names) {
    return names.stream().filter(source::has).toList();
  }

  /** Whether the source has a component that could not be read. */
  boolean misreads(String component) {
    for (Row<?, ?> row : sourceTable.rows()) {
      JsonValue value = row.component().equals(component) ? source.get(row.name) : null;
      if (value != null && value != JsonNull.NULL && row.type.read().apply(value) == null) {
        return true;
      }
    }
    return false;
  }

  /** Whether the source has a member that could not be read, and stays as it is. */
  boolean keeps(String name) {
    Row<?, ?> row = row(from, name);
    return row != null && isKept(name, row, source.get(name));
  }

  /** Makes the line of an event in the other dialect. */
  void write(ReplayEvent event, LogCanonicalization canonicalization) {
    JsonObject extra = event.meta().extra();
    JsonObject carried =
        extra.get(CARRIED_OVER) instanceof JsonObject object ? object : JsonObject.EMPTY;
    JsonObject.Builder line = JsonObject.builder();
    bringBack(carried, conflicts(event, canonicalization), line);
    JsonObject.Builder aside = JsonObject.builder();
    extra.forEach((name, value) -> {
      if (!name.equals(CARRIED_OVER) || carried.isEmpty()) {
        leftOver(name, value, line, aside);
      }
    });
    displaced.forEach(name -> carryOver(name, source.get(name), aside));
    for (Row<ReplayEvent, ?> row : table(event).sorted()) {
      JsonValue value = value(row, event, canonicalization);
      if (value != null) {
        line.addIfAbsent(row.name, value);
      }
    }
    JsonObject own = line.build();
    JsonObject carriedNow = comingBack(from, own, aside.build(), "");
    putAside(stillCarried(carried, own), carried, carriedNow, line);
    JsonObject result = canonical(line.build(), canonicalization.get());
    listCarried(carriedNow, result);
    results.add(result);
  }

  @SuppressWarnings("unchecked") // the table of a kind is the table of that event
  private Table<ReplayEvent> table(ReplayEvent event) {
    return (Table<ReplayEvent>) to.codec().table(event.kind());
  }

  /**
   * The members carried over from the other dialect that may not come back: the event has another
   * one of that name, the dialect would read it as a part of the event, or it keeps aside in its
   * turn what may not come back. What was carried over by a conversion is none of these.
   */
  Set<String> conflicts(ReplayEvent event, LogCanonicalization canonicalization) {
    JsonObject own = KeptAside.of(to, event);
    if (own.isEmpty()) {
      return Set.of();
    }
    JsonObject.Builder line = JsonObject.builder();
    event.meta().extra().forEach((name, value) -> {
      if (stays(name, value)) {
        line.addIfAbsent(name, value);
      }
    });
    for (Row<ReplayEvent, ?> row : table(event).sorted()) {
      if (!own.has(row.name) || isStated(row, event)) {
        JsonValue value = value(row, event, canonicalization);
        if (value != null) {
          line.addIfAbsent(row.name, value);
        }
      }
    }
    Set<String> conflicts = new TreeSet<>();
    own.forEach((name, value) -> {
      if (!line.addIfAbsent(name, value)) {
        conflicts.add(name);
      }
    });
    ReplayEvent read = to.codec().decode(line.build()).event();
    JsonObject notRead = read.meta().extra();
    Set<String> displacedAgain = from.displaced(read);
    own.forEach((name, value) -> {
      boolean isRead = !notRead.has(name) && !displacedAgain.contains(name);
      if (isRead || !KeptAside.mayComeBack(name, value, to, read)) {
        conflicts.add(name);
      }
    });
    return conflicts;
  }

  /** Whether the source, or an event before it, says what a row of the result does. */
  private boolean isStated(Row<ReplayEvent, ?> target, ReplayEvent event) {
    String component = target.component();
    if (target.hashed != null && target.hashed.given(event) != null) {
      return true;
    }
    if (target.given(event) == null || component.equals(VERSION)) {
      return false; // the version is that of the dialect
    }
    return moved.contains(component) || computed.contains(component) || reads(component);
  }

  /** Whether the source has a component that could be read. */
  private boolean reads(String component) {
    for (Row<?, ?> row : sourceTable.rows()) {
      JsonValue value = row.component().equals(component) ? source.get(row.name) : null;
      if (value != null && row.type.read().apply(value) != null) {
        return true;
      }
    }
    return false;
  }

  /** Puts back what was carried over when the event was converted from this dialect. */
  private void bringBack(JsonObject carried, Set<String> conflicts, JsonObject.Builder line) {
    if (carried.get(to.id()) instanceof JsonObject own) {
      explained.add(CARRIED_OVER);
      own.forEach((name, value) -> {
        if (conflicts.contains(name)) {
          ledger.add(Action.DROPPED, tag, carriedName(to, name), null, CONFLICT);
          return;
        }
        if (name.equals(CARRIED_OVER) && value instanceof JsonObject object) {
          restored = object; // beside what is still carried over
        } else {
          line.add(name, value);
        }
        returned.add(name);
        ledger.add(Action.RENAMED, tag, carriedName(to, name), name);
      });
    }
  }

  /** Of what the result is to carry over for a dialect, that which would come back there. */
  private JsonObject comingBack(Dialect dialect, JsonObject line, JsonObject aside, String prefix) {
    if (aside.isEmpty()) {
      return aside;
    }
    JsonObject kept =
        line.without(CARRIED_OVER).with(CARRIED_OVER, JsonObject.of(dialect.id(), aside));
    Set<String> conflicts =
        KeptAside.conflicts(to, dialect, kept, to.codec().decode(kept).event());
    conflicts.forEach(name -> ledger.add(Action.DROPPED, tag, prefix + name, null, CONFLICT));
    return aside.without(conflicts.toArray(String[]::new));
  }

  /** The members that stay carried over, for dialects other than that of the result. */
  private JsonObject stillCarried(JsonObject carried, JsonObject line) {
    JsonObject others =
        carried.get(to.id()) instanceof JsonObject ? carried.without(to.id()) : carried;
    for (Dialect other : Dialect.values()) {
      if (other != from && other != to && others.get(other.id()) instanceof JsonObject own) {
        JsonObject left = comingBack(other, line, own, carriedName(other, ""));
        others = left.isEmpty() && !own.isEmpty()
            ? others.without(other.id())
            : others.with(other.id(), left);
      }
    }
    return others;
  }

  /** Puts aside what is still carried over, and what is from now on. */
  private void putAside(
      JsonObject others, JsonObject carried, JsonObject now, JsonObject.Builder line) {
    // what is said to be of the source's own dialect would be taken for what is put aside now
    boolean isOwn = others.get(from.id()) instanceof JsonObject;
    JsonObject all = now.isEmpty() && !isOwn ? others : merged(others, now);
    JsonObject back = restored;
    if (all.isEmpty() && back == null) {
      return;
    }
    if (back != null) {
      JsonObject.Builder both = JsonObject.builder();
      back.forEach(both::add);
      all.forEach(both::addIfAbsent);
      all = both.build();
    }
    if (!all.equals(carried)) {
      returned.add(CARRIED_OVER);
      explained.add(CARRIED_OVER);
    }
    if (!line.addIfAbsent(CARRIED_OVER, all)) {
      ledger.add(Action.DROPPED, tag, CARRIED_OVER, null);
    }
  }

  /** Lists what is carried over from now on, as the result has it. */
  private void listCarried(JsonObject now, JsonObject result) {
    if (result.get(CARRIED_OVER) instanceof JsonObject all
        && all.get(from.id()) instanceof JsonObject written) {
      now.forEach((name, value) -> {
        Action change = LineComparison.change(value, written.get(name));
        ledger.add(change == null ? Action.RENAMED : change, tag, name, carriedName(from, name));
      });
    }
  }

  /** A member that no component of the event holds. */
  private void leftOver(
      String name, JsonValue value, JsonObject.Builder line, JsonObject.Builder aside) {
    if (displaced.contains(name)) {
      return;
    }
    if (stays(name, value) && line.addIfAbsent(name, value)) {
      return;
    }
    Row<?, ?> row = row(from, name);
    if (row == null || value != JsonNull.NULL || row.presence == Presence.IDENTITY) {
      carryOver(name, value, aside);
    }
  }

  /** Whether a member that no component of the event holds has the same name in the result. */
  private boolean stays(String name, JsonValue value) {
    Row<?, ?> row = row(from, name);
    boolean isOurs = name.equals(CARRIED_OVER);
    return row == null ? row(to, name) == null && !isOurs : isKept(name, row, value);
  }

  /**
   * Whether a member stays what it is: one that the source could not read, of a component that the
   * other dialect calls the same. A null that says nothing only stays where it says nothing.
   */
  private boolean isKept(String name, Row<?, ?> row, @Nullable JsonValue value) {
    Row<?, ?> target = row(to, name);
    if (value == null || target == null || !target.component().equals(row.component())) {
      return false;
    }
    if (named != kind) {
      return true; // nothing of it was read
    }
    if (value == JsonNull.NULL) {
      return target.presence == Presence.OPTIONAL
          || target.presence == Presence.NULLABLE
          || row.presence == target.presence;
    }
    Object component = row.type.read().apply(value);
    return component == null
        || (row.saysNothing(component) && target.type.read().apply(value) != null);
  }

  /** What a name means in a dialect; null when it means nothing. */
  private @Nullable Row<?, ?> row(Dialect dialect, String name) {
    Row<?, ?> row = dialect.codec().table(named).row(name);
    return row == null ? dialect.codec().table(kind).row(name) : row;
  }

  private void carryOver(String name, @Nullable JsonValue value, JsonObject.Builder aside) {
    explained.add(name);
    if (value == null || value.depth() + CARRIED_DEPTH > JsonValue.MAX_DEPTH) {
      ledger.add(Action.DROPPED, tag, name, null, "nested too deep to be carried over");
    } else {
      aside.addIfAbsent(name, value);
    }
  }

  /** What was carried over before, and what is now. */
  private JsonObject merged(JsonObject before, JsonObject aside) {
    if (!before.has(from.id())) {
      return before.with(from.id(), aside);
    }
    // no conversion has made that, and it is kept for the way back
    JsonObject foreign = JsonObject.of(from.id(), before.get(from.id()));
    boolean fits = foreign.depth() + CARRIED_DEPTH <= JsonValue.MAX_DEPTH;
    ledger.add(
        fits ? Action.RENAMED : Action.DROPPED,
        tag,
        CARRIED_OVER,
        fits ? carriedName(from, CARRIED_OVER) : null);
    return before.with(from.id(), fits ? aside.with(CARRIED_OVER, foreign) : aside);
  }

  private static String carriedName(Dialect dialect, String name) {
    return CARRIED_OVER + "." + dialect.id() + "." + name;
  }

  /** What the line says when it is written: a number may have other digits. */
  private static JsonObject canonical(JsonObject line, @Nullable CanonicalJson named) {
    byte[] text;
    try {
      text = (named == null ? CanonicalJson.SERDE : named).bytes(line);
    } catch (IllegalArgumentException wouldBeRounded) {
      text = CanonicalJson.SERDE.bytes(line);
    }
    return JsonText.parse(text).asObject();
  }

  private @Nullable JsonValue value(
      Row<ReplayEvent, ?> row, ReplayEvent event, LogCanonicalization hashes) {
    JsonValue stated = row.given(event);
    if (stated != null) {
      return stated;
    }
    JsonValue empty = emptyInSource(row);
    if (empty != null) {
      return empty;
    }
    if (row.hashed != null && !row.isAdditional()) {
      ContentHash hash = hashes.hash(row.hashed.given(event), null);
      return hash == null ? null : JsonString.of(hash.toString());
    }
    JsonValue fallback = misreads(row.component()) ? null : row.fallback(event);
    return fallback == null && row.presence == Presence.NULLABLE ? JsonNull.NULL : fallback;
  }

  /** The array or object without elements that the source has for a component; else null. */
  private @Nullable JsonValue emptyInSource(Row<?, ?> target) {
    for (Row<?, ?> row : sourceTable.rows()) {
      JsonValue value = row.component().equals(target.component()) ? source.get(row.name) : null;
      if (value != null
          && !explained.contains(row.name)
          && FieldType.isEmpty(value)
          && row.type.read().apply(value) != null
          && target.type.read().apply(value) != null) {
        return value;
      }
    }
    return null;
  }

  /** All lines are made: compares them with the source, and gives them away. */
  void finish(Consumer<JsonObject> lines) {
    new LineComparison(source, sourceTable, results, to.codec().table(kind), tag, ledger)
        .compare(explained, returned, moved, computed);
    results.forEach(this::check);
    results.forEach(lines);
  }

  /** What the result lacks that its dialect requires, or has wrong. */
  private void check(JsonObject result) {
    to.codec().decode(result).findings().forEach(finding -> {
      if (finding.severity() == Severity.INFO) {
        return; // as it is in the source
      }
      String member = Objects.requireNonNullElse(finding.member(), tag);
      boolean isMissing = !result.has(member);
      ledger.add(
          isMissing ? Action.MISSING : Action.INVALID,
          tag,
          member,
          null,
          isMissing ? null : finding.message());
    });
  }
}
