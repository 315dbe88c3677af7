package dev.agentreplay.engine.lines;

import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.engine.published.PublishedCopy;
import dev.agentreplay.engine.published.WithheldValue;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reduces two lines to the values that both show: removes those that a published copy withholds, or
 * shows a replacement of, from both.
 */
final class LineMask {

  /**
   * One of two lines.
   *
   * @param line its members, without those that publication adds
   * @param opening its opening; null if it has none
   * @param copy the copy that it is of; null if it is of an original
   */
  record Side(JsonObject line, @Nullable Opening opening, @Nullable PublishedCopy copy) {

    /** This line with the names of the compared form of an event. */
    Side renamed(Dialect dialect, EventKind kind) {
      JsonObject.Builder named = JsonObject.builder();
      line.forEach(
          (name, value) -> named.addIfAbsent(MemberNames.compared(dialect, kind, name), value));
      if (!(opening instanceof Opening.Members members)) {
        return new Side(named.build(), opening, copy);
      }
      Map<String, Opening> openings = new HashMap<>();
      members
          .members()
          .forEach((name, member) ->
              openings.putIfAbsent(MemberNames.compared(dialect, kind, name), member));
      return new Side(
          named.build(), new Opening.Members(members.blinding(), openings, members.others()), copy);
    }

    private boolean hidesWithoutOpening() {
      return copy != null && !copy.hasOpenings();
    }
  }

  /** The rest of two values. */
  private record Rest(@Nullable JsonValue left, @Nullable JsonValue right) {}

  private static final Rest NOTHING = new Rest(null, null);

  private final Side left;
  private final Side right;

  /** Whether both lines have the same names and forms of values. */
  private final boolean isOneDialect;

  private final List<Unshared> unshared = new ArrayList<>();

  LineMask(Side left, Side right, boolean isOneDialect) {
    this.left = left;
    this.right = right;
    this.isOneDialect = isOneDialect;
  }

  /** The lines that are left, and the values that are not shared. */
  record Result(JsonObject left, JsonObject right, List<Unshared> unshared) {}

  /** Reduces the lines. */
  Result result() {
    Rest rest = members(left.line, left.opening, right.line, right.opening, JsonPointer.ROOT);
    return new Result(object(rest.left()), object(rest.right()), unshared);
  }

  private static JsonObject object(@Nullable JsonValue line) {
    return line instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  private Rest rest(
      @Nullable JsonValue l,
      @Nullable Opening lo,
      @Nullable JsonValue r,
      @Nullable Opening ro,
      JsonPointer at) {
    Opening.Withheld ofLeft = withheld(l, lo);
    Opening.Withheld ofRight = withheld(r, ro);
    if (ofLeft != null || ofRight != null) {
      add(at, l, reason(left, ofLeft), r, reason(right, ofRight));
      return NOTHING;
    } else if (isWhole(left, lo) && isWhole(right, ro)) {
      return new Rest(l, r);
    } else if (l instanceof JsonObject one && r instanceof JsonObject other) {
      return members(one, lo, other, ro, at);
    } else if (l instanceof JsonArray one && r instanceof JsonArray other) {
      return elements(one, lo, other, ro, at);
    } else if (!isOneDialect && l != null && r != null) {
      // a value that the dialects write in different forms
      add(at, l, reason(left, lo), r, reason(right, ro));
      return NOTHING;
    }
    return new Rest(l, r);
  }

  private static Opening.@Nullable Withheld withheld(
      @Nullable JsonValue value, @Nullable Opening opening) {
    // a value that is shown against its opening is compared
    return opening instanceof Opening.Withheld withheld && (withheld.isReplaced() || value == null)
        ? withheld
        : null;
  }

  /** Whether nothing is withheld in a value. */
  private static boolean isWhole(Side side, @Nullable Opening opening) {
    return !side.hidesWithoutOpening()
        && !(opening instanceof Opening.Members)
        && !(opening instanceof Opening.Elements);
  }

  private static @Nullable String rule(@Nullable Opening opening) {
    return opening instanceof Opening.Withheld withheld ? withheld.rule() : null;
  }

  private static Unshared.@Nullable Reason reason(Side side, @Nullable Opening opening) {
    return opening == null || opening instanceof Opening.Complete || side.copy == null
        ? null
        : new Unshared.Reason(side.copy.policy(), rule(opening));
  }

  private void add(
      JsonPointer at,
      @Nullable JsonValue l,
      Unshared.@Nullable Reason ofLeft,
      @Nullable JsonValue r,
      Unshared.@Nullable Reason ofRight) {
    boolean isHash = (ofLeft != null && WithheldValue.isHash(ofLeft.rule()))
        || (ofRight != null && WithheldValue.isHash(ofRight.rule()));
    if (!isHash) {
      unshared.add(new Unshared(at, l, r, ofLeft, ofRight));
    }
  }

  private Rest members(
      JsonObject l, @Nullable Opening lo, JsonObject r, @Nullable Opening ro, JsonPointer at) {
    Set<String> hiddenLeft = hidden(left, l, lo, r);
    Set<String> hiddenRight = hidden(right, r, ro, l);
    Set<String> names = new TreeSet<>(l.names());
    names.addAll(r.names());
    names.addAll(named(lo).keySet());
    names.addAll(named(ro).keySet());
    Map<String, Rest> rests = new HashMap<>();
    for (String name : names) {
      JsonPointer place = at.append(name);
      JsonValue ofLeft = l.get(name);
      JsonValue ofRight = r.get(name);
      if (hiddenLeft.contains(name)) {
        add(
            place,
            null,
            hiddenBy(left),
            ofRight,
            reason(right, withheld(ofRight, named(ro).get(name))));
        rests.put(name, NOTHING);
      } else if (hiddenRight.contains(name)) {
        add(
            place,
            ofLeft,
            reason(left, withheld(ofLeft, named(lo).get(name))),
            null,
            hiddenBy(right));
        rests.put(name, NOTHING);
      } else {
        rests.put(name, rest(ofLeft, named(lo).get(name), ofRight, named(ro).get(name), place));
      }
    }
    JsonObject.Builder restLeft = JsonObject.builder();
    l.forEach((name, value) -> put(restLeft, name, get(rests, name).left()));
    JsonObject.Builder restRight = JsonObject.builder();
    r.forEach((name, value) -> put(restRight, name, get(rests, name).right()));
    return new Rest(restLeft.build(), restRight.build());
  }

  private static Rest get(Map<String, Rest> rests, String name) {
    return rests.getOrDefault(name, NOTHING);
  }

  private static void put(JsonObject.Builder out, String name, @Nullable JsonValue value) {
    if (value != null) {
      out.add(name, value);
    }
  }

  private static Unshared.@Nullable Reason hiddenBy(Side side) {
    return side.copy == null ? null : new Unshared.Reason(side.copy.policy(), null);
  }

  private static Map<String, Opening> named(@Nullable Opening opening) {
    return opening instanceof Opening.Members members ? members.members() : Map.of();
  }

  /**
   * The names of members of the other object that this one may have under a hidden name. If they
   * are more than it hides, some of them are missing from it, so that none is taken for hidden.
   */
  private Set<String> hidden(
      Side side, JsonObject own, @Nullable Opening opening, JsonObject other) {
    boolean hides = side.hidesWithoutOpening()
        || (opening instanceof Opening.Members members && !members.others().isEmpty());
    if (!hides) {
      return Set.of();
    }
    Set<String> hidden = new HashSet<>(other.names());
    hidden.removeAll(own.names());
    hidden.removeAll(named(opening).keySet());
    return opening instanceof Opening.Members members
            && isOneDialect
            && hidden.size() > members.others().size()
        ? Set.of()
        : hidden;
  }

  private Rest elements(
      JsonArray l, @Nullable Opening lo, JsonArray r, @Nullable Opening ro, JsonPointer at) {
    int shown = Math.max(l.size(), r.size());
    int slots = Math.max(shown, Math.max(slots(lo).size(), slots(ro).size()));
    List<JsonValue> restLeft = new ArrayList<>();
    List<JsonValue> restRight = new ArrayList<>();
    for (int i = 0; i < slots; i++) {
      Opening ofLeft = slot(lo, i);
      Opening ofRight = slot(ro, i);
      JsonValue one = element(l, i, left, ofLeft);
      JsonValue other = element(r, i, right, ofRight);
      boolean isLost = (one == null && i < l.size()) || (other == null && i < r.size());
      Rest rest;
      if (i >= shown && isDecoy(ofLeft, ofRight)) {
        continue;
      } else if (isLost && withheld(one, ofLeft) == null && withheld(other, ofRight) == null) {
        add(
            at.append(i),
            one,
            one == null ? hiddenBy(left) : null,
            other,
            other == null ? hiddenBy(right) : null);
        rest = NOTHING;
      } else {
        rest = rest(one, ofLeft, other, ofRight, at.append(i));
      }
      boolean isMasked = rest.left() == null && rest.right() == null;
      if (i < shown) {
        add(restLeft, isMasked ? JsonNull.NULL : rest.left());
        add(restRight, isMasked ? JsonNull.NULL : rest.right());
      }
    }
    return new Rest(JsonArray.copyOf(restLeft), JsonArray.copyOf(restRight));
  }

  private static void add(List<JsonValue> elements, @Nullable JsonValue value) {
    if (value != null) {
      elements.add(value);
    }
  }

  private static List<Opening> slots(@Nullable Opening opening) {
    return opening instanceof Opening.Elements elements ? elements.elements() : List.of();
  }

  private static @Nullable Opening slot(@Nullable Opening opening, int index) {
    List<Opening> slots = slots(opening);
    return index < slots.size() ? slots.get(index) : null;
  }

  /** The element; null if there is none, or a null in the place of one that is withheld. */
  private static @Nullable JsonValue element(
      JsonArray array, int index, Side side, @Nullable Opening opening) {
    JsonValue element = index < array.size() ? array.get(index) : null;
    boolean isWithheld = side.hidesWithoutOpening()
        || (opening instanceof Opening.Withheld withheld && !withheld.isReplaced());
    return isWithheld && element instanceof JsonNull ? null : element;
  }

  /** Whether a place after the elements that are shown may be one without an element. */
  private boolean isDecoy(@Nullable Opening ofLeft, @Nullable Opening ofRight) {
    return (ofLeft == null || isPadded(left)) && (ofRight == null || isPadded(right));
  }

  private static boolean isPadded(Side side) {
    return side.copy != null && side.copy.isPadded();
  }
}
