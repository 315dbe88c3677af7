package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.canonical.dialect.ConversionLedger.Entry;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of one line. Each resulting event is written from the members that come back from
 * {@value KeptAside#CARRIED_OVER}, the members that stay unchanged, and the components of the
 * event; the remaining members are carried over. The ledger entries are collected on the way and by
 * comparing the results with the source.
 *
 * <p>A member unknown to the source dialect keeps its name unless the target dialect has a member
 * of that name and would read it. In that case the member is carried over: it is kept in the member
 * {@value KeptAside#CARRIED_OVER}, under the id of its dialect, until it is converted back. A
 * carried-over member comes back only if its dialect does not read it as part of the event: see
 * {@link #conflicts}.
 */
final class LineConversion {

  private static final String CARRIED_OVER = KeptAside.CARRIED_OVER;

  /** The nesting depth that carrying a member over adds. */
  private static final int CARRIED_DEPTH = 3;

  private static final String CONFLICT = "conflicts with the event";

  /**
   * The components that move between an event of the line and another event.
   *
   * @param in the components that come from the other event
   * @param out the ledger entries of the members of the line that move to the other event
   */
  record Moves(Set<String> in, List<Entry> out) {
    static final Moves NONE = new Moves(Set.of(), List.of());
  }

  /**
   * One of the lines that a line is converted to.
   *
   * @param explained the members of the source that already have a ledger entry
   * @param returned the members of the line that already have a ledger entry
   */
  record Result(JsonObject line, Set<String> explained, Set<String> returned) {}

  private final SourceLine source;
  private final Dialect from;
  private final Dialect to;
  private final Moves moves;
  private final Set<String> computed;
  private final Set<String> movedAway;
  private final LogCanonicalization canonicalization;
  private final List<Entry> entries = new ArrayList<>();

  /**
   * Creates the conversion of one line.
   *
   * @param moves the components that move between this event and another event
   * @param computed the components of the events that were computed
   */
  LineConversion(
      SourceLine source, Moves moves, Set<String> computed, LogCanonicalization canonicalization) {
    this.source = source;
    this.from = source.from;
    this.to = source.to;
    this.moves = moves;
    this.computed = computed;
    this.canonicalization = canonicalization;
    this.movedAway =
        moves.out.stream().map(Entry::field).filter(Objects::nonNull).collect(Collectors.toSet());
    entries.addAll(moves.out);
  }

  /** Returns the lines of the events that the line is converted to. */
  List<JsonObject> convert(List<ReplayEvent> events) {
    List<Result> results = events.stream().map(this::write).toList();
    entries.addAll(new LineComparison(source, results, moves.in, computed).compare());
    List<JsonObject> lines = results.stream().map(Result::line).toList();
    lines.forEach(this::check);
    return lines;
  }

  /** The ledger entries of the converted line. */
  List<Entry> entries() {
    return entries;
  }

  private Result write(ReplayEvent event) {
    JsonObject carried = object(event.meta().extra().get(CARRIED_OVER));
    JsonObject extra =
        carried.isEmpty() ? event.meta().extra() : event.meta().extra().without(CARRIED_OVER);
    JsonObject back = comingBack(object(carried.get(to.id())), conflicts(event));
    JsonObject aside = source.aside(extra, back);
    Set<String> elsewhere = union(aside.names(), movedAway);
    boolean restores = back.get(CARRIED_OVER) instanceof JsonObject;
    JsonObject.Builder line = builder(restores ? back.without(CARRIED_OVER) : back);
    source.staying(extra).forEach(line::addIfAbsent);
    addComponents(event, elsewhere, row -> true, line);

    JsonObject own = line.build();
    JsonObject kept = fitting(from, own, shallow(aside), "");
    JsonObject.Builder all = builder(restores ? object(back.get(CARRIED_OVER)) : JsonObject.EMPTY);
    merged(stillCarried(carried, own), kept).forEach(all::addIfAbsent);
    JsonObject carriedNow = all.build();
    boolean carries = restores || !carriedNow.isEmpty();
    if (carries && !line.addIfAbsent(CARRIED_OVER, carriedNow)) {
      list(Action.DROPPED, CARRIED_OVER, null, null);
    }
    JsonObject result = canonical(line.build(), canonicalization.get());
    listCarried(kept, result);

    boolean changes = carries && !carriedNow.equals(carried);
    boolean explains = changes || carried.get(to.id()) instanceof JsonObject;
    Set<String> carrying = Set.of(CARRIED_OVER);
    return new Result(
        result,
        union(elsewhere, explains ? carrying : Set.of()),
        union(back.names(), changes ? carrying : Set.of()));
  }

  private static JsonObject object(@Nullable JsonValue value) {
    return value instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  private static JsonObject.Builder builder(JsonObject object) {
    JsonObject.Builder builder = JsonObject.builder();
    object.forEach(builder::add);
    return builder;
  }

  private static Set<String> union(Collection<String> names, Collection<String> others) {
    Set<String> all = new HashSet<>(names);
    all.addAll(others);
    return all;
  }

  /** The members carried over from the target dialect, without those in conflict. */
  private JsonObject comingBack(JsonObject own, Set<String> conflicts) {
    return KeptAside.only(own, (name, value) -> {
      boolean isInConflict = conflicts.contains(name);
      list(
          isInConflict ? Action.DROPPED : Action.RENAMED,
          carriedName(to, name),
          isInConflict ? null : name,
          isInConflict ? CONFLICT : null);
      return !isInConflict;
    });
  }

  /**
   * The members carried over from the target dialect that must not come back: the event has a
   * member of that name, the dialect would read the member as part of the event, or the member
   * itself keeps members aside that must not come back. A conversion never carries over such a
   * member.
   */
  Set<String> conflicts(ReplayEvent event) {
    JsonObject own = KeptAside.of(to, event);
    if (own.isEmpty()) {
      return Set.of();
    }
    JsonObject.Builder line = JsonObject.builder();
    event.meta().extra().forEach((name, value) -> {
      if (source.stays(name, value)) {
        line.add(name, value);
      }
    });
    addComponents(event, movedAway, row -> !own.has(row.name) || isStated(row, event), line);
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

  /**
   * Whether the source, or an earlier event, states the component that a row of the result writes.
   */
  private boolean isStated(Row<ReplayEvent, ?> target, ReplayEvent event) {
    String component = target.component();
    if (target.hashed != null && target.hashed.given(event) != null) {
      return true;
    }
    if (target.given(event) == null || component.equals("version")) {
      return false; // the version is that of the target dialect
    }
    return moves.in.contains(component) || computed.contains(component) || source.reads(component);
  }

  /** Adds the members of an event's components that match and that the line does not have yet. */
  private void addComponents(
      ReplayEvent event,
      Set<String> elsewhere,
      Predicate<Row<ReplayEvent, ?>> wanted,
      JsonObject.Builder line) {
    @SuppressWarnings("unchecked") // the table of a kind is the table of that type of event
    Table<ReplayEvent> table = (Table<ReplayEvent>) to.codec().table(event.kind());
    for (Row<ReplayEvent, ?> row : table.sorted()) {
      JsonValue value = wanted.test(row) ? value(row, event, elsewhere) : null;
      if (value != null) {
        line.addIfAbsent(row.name, value);
      }
    }
  }

  private @Nullable JsonValue value(
      Row<ReplayEvent, ?> row, ReplayEvent event, Set<String> elsewhere) {
    JsonValue stated = row.given(event);
    if (stated != null) {
      return stated;
    }
    JsonValue empty = source.empty(row, elsewhere);
    if (empty != null) {
      return empty;
    }
    if (row.hashed != null && !row.isAdditional()) {
      ContentHash hash = canonicalization.hash(row.hashed.given(event), null);
      return hash == null ? null : JsonString.of(hash.toString());
    }
    JsonValue fallback = source.misreads(row.component()) ? null : row.fallback(event);
    return fallback == null && row.presence == Presence.NULLABLE ? JsonNull.NULL : fallback;
  }

  /** The members to carry over that are not nested too deep. */
  private JsonObject shallow(JsonObject aside) {
    return KeptAside.only(aside, (name, value) -> {
      boolean fits = value.depth() + CARRIED_DEPTH <= JsonValue.MAX_DEPTH;
      if (!fits) {
        list(Action.DROPPED, name, null, "nested too deep to be carried over");
      }
      return fits;
    });
  }

  /** Of the members that the result is to carry over for a dialect, those that may come back. */
  private JsonObject fitting(Dialect dialect, JsonObject line, JsonObject aside, String prefix) {
    if (aside.isEmpty()) {
      return aside;
    }
    JsonObject kept =
        line.without(CARRIED_OVER).with(CARRIED_OVER, JsonObject.of(dialect.id(), aside));
    Set<String> conflicts =
        KeptAside.conflicts(to, dialect, kept, to.codec().decode(kept).event());
    conflicts.forEach(name -> list(Action.DROPPED, prefix + name, null, CONFLICT));
    return KeptAside.only(aside, (name, value) -> !conflicts.contains(name));
  }

  /** The members that remain carried over for dialects other than the target. */
  private JsonObject stillCarried(JsonObject carried, JsonObject line) {
    JsonObject others =
        carried.get(to.id()) instanceof JsonObject ? carried.without(to.id()) : carried;
    for (Dialect other : Dialect.values()) {
      if (other != from && other != to && others.get(other.id()) instanceof JsonObject own) {
        JsonObject left = fitting(other, line, own, carriedName(other, ""));
        others = left.isEmpty() && !own.isEmpty()
            ? others.without(other.id())
            : others.with(other.id(), left);
      }
    }
    return others;
  }

  /** The members carried over before, combined with those carried over by this conversion. */
  private JsonObject merged(JsonObject before, JsonObject kept) {
    JsonValue own = before.get(from.id());
    if (kept.isEmpty() && !(own instanceof JsonObject)) {
      return before;
    }
    if (own == null) {
      return before.with(from.id(), kept);
    }
    // no conversion writes such a value, and it would be read as members that are carried over now
    JsonObject foreign = JsonObject.of(from.id(), own);
    boolean fits = foreign.depth() + CARRIED_DEPTH <= JsonValue.MAX_DEPTH;
    list(
        fits ? Action.RENAMED : Action.DROPPED,
        CARRIED_OVER,
        fits ? carriedName(from, CARRIED_OVER) : null,
        null);
    return before.with(from.id(), fits ? kept.with(CARRIED_OVER, foreign) : kept);
  }

  /** Adds the ledger entries of newly carried-over members, as the result contains them. */
  private void listCarried(JsonObject kept, JsonObject result) {
    if (object(result.get(CARRIED_OVER)).get(from.id()) instanceof JsonObject written) {
      kept.forEach((name, value) -> {
        Action change = LineComparison.change(value, written.get(name));
        list(change == null ? Action.RENAMED : change, name, carriedName(from, name), null);
      });
    }
  }

  private static String carriedName(Dialect dialect, String name) {
    return CARRIED_OVER + "." + dialect.id() + "." + name;
  }

  /** The line as a reader of the written line sees it; numbers may have different digits. */
  private static JsonObject canonical(JsonObject line, @Nullable CanonicalJson named) {
    byte[] text;
    try {
      text = (named == null ? CanonicalJson.SERDE : named).bytes(line);
    } catch (IllegalArgumentException wouldBeRounded) {
      text = CanonicalJson.SERDE.bytes(line);
    }
    return JsonText.parse(text).asObject();
  }

  /** Adds ledger entries for required members that the result lacks and for invalid ones. */
  private void check(JsonObject result) {
    to.codec().decode(result).findings().forEach(finding -> {
      if (finding.severity() == Severity.INFO) {
        return; // unchanged from the source
      }
      String member = Objects.requireNonNullElse(finding.member(), source.tag);
      boolean isMissing = !result.has(member);
      list(
          isMissing ? Action.MISSING : Action.INVALID,
          member,
          null,
          isMissing ? null : finding.message());
    });
  }

  private void list(Action action, String field, @Nullable String name, @Nullable String note) {
    entries.add(new Entry(action, source.tag, field, name, note, 1));
  }
}
