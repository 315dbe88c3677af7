package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The counts of one member of one type of records, and of the members below it. */
final class MemberNode {

  /** The name of an element of an array, and of a member whose name is data. */
  static final String ANY = "*";

  /** The maximum number of names that are listed one by one. */
  private static final int MAX_NAMES = 200;

  private static final int MAX_NAME_LENGTH = 60;

  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{16,}");

  /** An effect of the import on a member, with the number of its values. */
  private static final class Effect {
    final Action action;
    final @Nullable String to;
    final @Nullable String note;
    long count;

    Effect(Action action, @Nullable String to, @Nullable String note) {
      this.action = action;
      this.to = to;
      this.note = note;
    }
  }

  private final Map<String, MemberNode> children = new HashMap<>();
  private final List<Effect> effects = new ArrayList<>(2);
  private long kept;

  MemberNode child(String name) {
    MemberNode child = children.get(name);
    if (child == null) {
      String key = children.size() < MAX_NAMES && isName(name) ? name : ANY;
      child = children.computeIfAbsent(key, any -> new MemberNode());
    }
    return child;
  }

  /** Whether a name looks like one that a program was written with, not like data. */
  private static boolean isName(String name) {
    if (name.isEmpty() || name.length() > MAX_NAME_LENGTH || Character.isDigit(name.charAt(0))) {
      return name.equals(ANY);
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!isPlain && "_-.:$".indexOf(c) < 0) {
        return false;
      }
    }
    return !DIGEST.matcher(name).matches();
  }

  /** Counts a value. A member has few effects, whose texts are mostly literals. */
  void add(Action action, @Nullable String to, @Nullable String note) {
    for (Effect effect : effects) {
      if (effect.action == action
          && Objects.equals(effect.to, to)
          && Objects.equals(effect.note, note)) {
        effect.count++;
        return;
      }
    }
    Effect effect = new Effect(action, to, note);
    effect.count = 1;
    effects.add(effect);
  }

  /** Counts the leaves of a value as kept. */
  void keep(JsonValue value) {
    if (value instanceof JsonObject object && !object.isEmpty()) {
      for (int i = 0; i < object.size(); i++) {
        child(object.name(i)).keep(object.value(i));
      }
    } else if (value instanceof JsonArray array && array.size() > 0) {
      MemberNode element = child(ANY);
      for (int i = 0; i < array.size(); i++) {
        element.keep(array.get(i));
      }
    } else {
      kept++;
    }
  }

  void collect(String record, JsonPointer member, List<Entry> entries) {
    if (kept > 0) {
      entries.add(new Entry(Action.KEPT, record, member.toString(), null, null, kept));
    }
    for (Effect effect : effects) {
      entries.add(new Entry(
          effect.action, record, member.toString(), effect.to, effect.note, effect.count));
    }
    children.forEach((name, child) -> child.collect(record, member.append(name), entries));
  }
}
