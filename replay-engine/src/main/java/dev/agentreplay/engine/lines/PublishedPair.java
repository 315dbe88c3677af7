package dev.agentreplay.engine.lines;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.engine.published.PublishedCopy;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Two sessions of which at least one is a published copy: reduces their lines to what both show.
 */
public final class PublishedPair {

  /** One of the sessions. */
  private record Side(
      Session session,
      @Nullable Dialect foundDialect,
      @Nullable PublishedCopy copy,
      @Nullable ShownMembers shown,
      Map<EventKind, Set<String>> requiredNames) {

    static Side of(Session session) throws IOException {
      try (ReplayReader reader = session.reader()) {
        ReplayLine first = reader.read();
        PublishedCopy copy = first == null ? null : PublishedCopy.of(first.json());
        ShownMembers shown = copy == null ? null : ShownMembers.read(session, copy);
        return new Side(session, reader.dialect(), copy, shown, new EnumMap<>(EventKind.class));
      }
    }

    Dialect dialect() {
      return Objects.requireNonNull(foundDialect, "a log with lines has a dialect");
    }

    /** The names of the members without which a line is not an event of its kind. */
    Set<String> required(ReplayLine line) {
      EventKind kind = line.event().kind();
      return requiredNames.computeIfAbsent(kind, key -> {
        Set<String> required = new HashSet<>();
        for (String name : line.json().names()) {
          if (decode(line.json().without(name), dialect()).kind() != kind) {
            required.add(name);
          }
        }
        return required;
      });
    }

    boolean shows(EventKind kind, String compared) {
      return shown == null || shown.shows(kind, compared);
    }

    @Nullable
    Opening opening(ReplayLine line) throws IOException {
      return copy == null ? null : ShownMembers.opening(session, copy, line);
    }

    /**
     * The members of a line that are compared with a different one: of an original with the prompt
     * in full, and a value that is in a blob, if the other line has or names them.
     */
    JsonObject compared(ReplayLine line, ReplayLine other, @Nullable Opening ofOther)
        throws IOException {
      String content = line.event().kind().contentName();
      boolean hasContent = content != null
          && (other.json().has(content)
              || (ofOther instanceof Opening.Members members
                  && members.members().containsKey(content)));
      if (copy != null || content == null || !hasContent) {
        return recorded(line);
      }
      JsonValue inBlob = line.event().content().blob() == null
          ? null
          : session.resolve(line.event().content());
      return inBlob == null
          ? line.json()
          : line.json().without(content + "_ref").with(content, inBlob);
    }

    /** The members of a line as the log has them, without those that publication adds. */
    JsonObject recorded(ReplayLine line) {
      JsonObject json = line.isExpanded() ? JsonText.parse(line.bytes()).asObject() : line.json();
      return copy == null ? json : copy.shown(json, line.position().line() == 1);
    }
  }

  private final Side left;
  private final Side right;

  private PublishedPair(Side left, Side right) {
    this.left = left;
    this.right = right;
  }

  /** Reads which values the sessions withhold; null if neither is a published copy. */
  public static @Nullable PublishedPair find(Session left, Session right) throws IOException {
    Side one = Side.of(left);
    Side other = Side.of(right);
    return one.copy == null && other.copy == null ? null : new PublishedPair(one, other);
  }

  private Side side(boolean isLeft) {
    return isLeft ? left : right;
  }

  /** The policy of a session; null if it is not a published copy. */
  public @Nullable String policy(boolean isLeft) {
    PublishedCopy copy = side(isLeft).copy;
    return copy == null ? null : copy.policy();
  }

  /** Whether the prompts of a session can be expanded: none of a published copy can. */
  public boolean isOriginal(boolean isLeft) {
    return side(isLeft).copy == null;
  }

  /** Whether a session replaces the ids of agents. */
  public boolean areAgentsReplaced() {
    return (left.shown != null && left.shown.areAgentsReplaced())
        || (right.shown != null && right.shown.areAgentsReplaced());
  }

  /** Whether a session withholds ids of agents. */
  public boolean areAgentsWithheld() {
    return (left.shown != null && left.shown.areAgentsWithheld())
        || (right.shown != null && right.shown.areAgentsWithheld());
  }

  /**
   * Whether a line states nothing but circumstances of the run; false if a session hides names of
   * settings, which may be others.
   */
  public boolean isCircumstances(boolean isLeft, ReplayLine line) throws IOException {
    boolean isUnclear = (left.shown != null && left.shown.areSettingsUnclear())
        || (right.shown != null && right.shown.areSettingsUnclear());
    if (line.event().kind() != EventKind.SETTINGS || isUnclear) {
      return false;
    }
    Set<String> names = new HashSet<>();
    if (line.json().get("values") instanceof JsonObject values) {
      names.addAll(values.names());
    }
    if (side(isLeft).opening(line) instanceof Opening.Members members
        && members.members().get("values") instanceof Opening.Members values) {
      names.addAll(values.members().keySet());
    }
    return Settings.CIRCUMSTANCES.containsAll(names);
  }

  /** The event as the session shows it. */
  public ReplayEvent shown(boolean isLeft, ReplayLine line) {
    Side side = side(isLeft);
    return side.copy == null ? line.event() : decode(side.recorded(line), side.dialect());
  }

  /**
   * The event of the members that both sessions show in all events of the kind, by which the events
   * of the two are distinguished.
   */
  public ReplayEvent comparable(boolean isLeft, ReplayLine line) {
    Dialect dialect = side(isLeft).dialect();
    EventKind kind = line.event().kind();
    Substitutes substitutes = new Substitutes();
    JsonObject.Builder members = JsonObject.builder();
    side(isLeft).recorded(line).forEach((name, value) -> {
      String compared = MemberNames.compared(dialect, kind, name);
      boolean isTag = compared.equals(MemberNames.TAG) && kind != EventKind.UNKNOWN;
      if (isTag || (left.shows(kind, compared) && right.shows(kind, compared))) {
        members.add(name, value);
      } else {
        substitutes.add(name, value);
      }
    });
    return decode(
        substitutes.addTo(members.build(), Map.of(), side(isLeft).required(line)), dialect);
  }

  private static ReplayEvent decode(JsonObject line, Dialect dialect) {
    return dialect.decode(line).event();
  }

  /** Two lines reduced to what both show. */
  public record Shared(SharedLine left, SharedLine right, List<Unshared> unshared) {

    /** Two lines of originals, of which everything is compared. */
    public static Shared of(ReplayLine left, ReplayLine right) {
      return new Shared(SharedLine.of(left), SharedLine.of(right), List.of());
    }
  }

  /** A line without a partner. */
  public SharedLine alone(boolean isLeft, ReplayLine line) {
    Side side = side(isLeft);
    JsonObject recorded = side.recorded(line);
    return new SharedLine(
        line.position().line(), recorded, recorded, decode(recorded, side.dialect()), null);
  }

  /**
   * Reduces two lines to what both show.
   *
   * @param isStrict whether ids and times are compared
   */
  public Shared reduce(ReplayLine ofLeft, ReplayLine ofRight, boolean isStrict) throws IOException {
    Dialect leftDialect = left.dialect();
    Dialect rightDialect = right.dialect();
    boolean isOneDialect = leftDialect == rightDialect;
    Opening leftOpening = left.opening(ofLeft);
    Opening rightOpening = right.opening(ofRight);
    LineMask.Side one =
        new LineMask.Side(left.compared(ofLeft, ofRight, rightOpening), leftOpening, left.copy);
    LineMask.Side other =
        new LineMask.Side(right.compared(ofRight, ofLeft, leftOpening), rightOpening, right.copy);
    EventKind kind = ofLeft.event().kind();
    // both have the names of the compared form, if the logs have different ones
    if (!isOneDialect) {
      one = one.renamed(leftDialect, kind);
      other = other.renamed(rightDialect, ofRight.event().kind());
    }
    Contents contents = new Contents(kind, new LineMask(one, other, isOneDialect).result());
    contents.dropIncomparable(left.copy, right.copy);
    Substitutes substitutes = substitutes(one.line(), other.line(), contents);
    Map<List<String>, Unshared> places = new LinkedHashMap<>();
    for (Unshared value : contents.unshared()) {
      List<String> tokens = new ArrayList<>(value.pointer().tokens());
      if (isOneDialect) {
        tokens.set(0, MemberNames.compared(leftDialect, kind, tokens.get(0)));
      }
      List<String> place = MemberNames.place(kind, tokens, isStrict);
      if (place != null) {
        places.putIfAbsent(place, value.at(new JsonPointer(place)));
      }
    }
    return new Shared(
        line(ofLeft, left, contents.left(), substitutes, isOneDialect),
        line(ofRight, right, contents.right(), substitutes, isOneDialect),
        List.copyOf(places.values()));
  }

  /** Substitutes for the members that were removed from both lines. */
  private static Substitutes substitutes(JsonObject one, JsonObject other, Contents rest) {
    Substitutes substitutes = new Substitutes();
    for (JsonObject line : List.of(one, other)) {
      line.forEach((name, value) -> {
        if (!rest.left().has(name) && !rest.right().has(name)) {
          substitutes.add(name, value);
        }
      });
    }
    return substitutes;
  }

  private static SharedLine line(
      ReplayLine line, Side side, JsonObject rest, Substitutes substitutes, boolean isOneDialect) {
    Dialect dialect = side.dialect();
    Map<String, String> names =
        isOneDialect ? Map.of() : MemberNames.recorded(dialect, line.event().kind());
    JsonObject own = substitutes.addTo(renamed(rest, names), names, side.required(line));
    JsonValue delta = own.get(Names.PROMPT_DELTA);
    return new SharedLine(
        line.position().line(),
        side.recorded(line),
        own,
        decode(delta == null ? own : own.without(Names.PROMPT_DELTA), dialect),
        delta instanceof JsonObject change ? change.without("base") : delta);
  }

  private static JsonObject renamed(JsonObject line, Map<String, String> names) {
    if (names.isEmpty()) {
      return line;
    }
    JsonObject.Builder renamed = JsonObject.builder();
    line.forEach((name, value) -> renamed.addIfAbsent(names.getOrDefault(name, name), value));
    return renamed.build();
  }
}
