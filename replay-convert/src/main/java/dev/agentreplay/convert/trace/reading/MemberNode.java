package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counts of one member of one type of records, and of the members below it. */
final class MemberNode {

  /** The name of an element of an array, and of a member whose name is data. */
  static final String ANY = "*";

  /** The maximum number of names that are listed one by one. */
  private static final int MAX_NAMES = 200;

  private static final int MAX_NAME_LENGTH = 60;

  /** What became of a member. */
  record Effect(Action action, @Nullable String to, @Nullable String note) {}

  private final Map<String, MemberNode> children = new HashMap<>();
  private final Map<Effect, Long> counts = new HashMap<>();
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
    return true;
  }

  void add(Effect effect) {
    counts.merge(effect, 1L, Long::sum);
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
    counts.forEach((effect, count) -> entries.add(
        new Entry(effect.action(), record, member.toString(), effect.to(), effect.note(), count)));
    children.forEach((name, child) -> child.collect(record, member.append(name), entries));
  }
}
