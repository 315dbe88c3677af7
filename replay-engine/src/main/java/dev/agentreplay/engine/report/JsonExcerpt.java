package dev.agentreplay.engine.report;

import dev.agentreplay.engine.report.ChangeExcerpt.Sign;
import dev.agentreplay.engine.report.compared.ComparedJson;
import dev.agentreplay.engine.report.compared.ElementAlignment;
import dev.agentreplay.engine.report.compared.ElementAlignment.Run;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Excerpts of JSON: members and elements that differ, next to their counterparts. Equal ones are
 * shown next to a change and otherwise only counted.
 */
final class JsonExcerpt {

  /** The maximum number of consecutive equal members that are shown rather than counted. */
  private static final int MAX_SHOWN = 3;

  private static final int INDENT = 2;

  private final ExcerptLines out;

  JsonExcerpt(ExcerptLines out) {
    this.out = out;
  }

  /** A member or an element. */
  private record Part(@Nullable ComparedJson left, @Nullable ComparedJson right) {

    boolean isEqual() {
      return left != null && right != null && left.compared().equals(right.compared());
    }
  }

  /** Adds a value that only one session has. */
  void whole(Sign sign, JsonValue value) {
    whole(sign, value, 0, "");
  }

  /** Adds two objects or arrays that differ; the members of objects without the braces. */
  void pair(ComparedJson left, ComparedJson right) {
    if (left.recorded() instanceof JsonObject && right.recorded() instanceof JsonObject) {
      parts(members(left, right), "member", 0);
    } else {
      pair(left, right, 0);
    }
  }

  private void pair(ComparedJson left, ComparedJson right, int depth) {
    String indent = indent(depth);
    JsonValue before = left.recorded();
    JsonValue after = right.recorded();
    if (before instanceof JsonObject && after instanceof JsonObject) {
      block(left.name(), '{', members(left, right), '}', "member", depth);
    } else if (before instanceof JsonArray && after instanceof JsonArray) {
      block(left.name(), '[', elements(left, right), ']', "element", depth);
    } else if (before instanceof JsonString l && after instanceof JsonString r && isText(l, r)) {
      out.add(Sign.SAME, indent + left.name() + "(text)");
      TextExcerpt.pair(left.string(), right.string(), indent(depth + 1), out);
    } else if (before.depth() == 0 && after.depth() == 0) {
      TextExcerpt.pair(left.text(), right.text(), indent, out);
    } else {
      whole(Sign.REMOVED, before, depth, left.name());
      whole(Sign.ADDED, after, depth, right.name());
    }
  }

  private void block(String name, char open, List<Part> parts, char close, String noun, int depth) {
    out.add(Sign.SAME, indent(depth) + name + open);
    parts(parts, noun, depth + 1);
    out.add(Sign.SAME, indent(depth) + close);
  }

  private void parts(List<Part> parts, String noun, int depth) {
    int i = 0;
    while (i < parts.size() && !out.isCut()) {
      int end = i;
      while (end < parts.size() && parts.get(end).isEqual()) {
        end++;
      }
      equal(parts.subList(i, end), i == 0, end == parts.size(), noun, depth);
      if (end < parts.size()) {
        Part part = parts.get(end);
        if (part.left() == null || part.right() == null) {
          Sign sign = part.left() == null ? Sign.ADDED : Sign.REMOVED;
          ComparedJson only =
              Objects.requireNonNull(part.left() == null ? part.right() : part.left());
          whole(sign, only.recorded(), depth, only.name());
        } else {
          pair(part.left(), part.right(), depth);
        }
      }
      i = end + 1;
    }
  }

  private void equal(List<Part> parts, boolean isFirst, boolean isLast, String noun, int depth) {
    int before = parts.size() <= MAX_SHOWN ? parts.size() : isFirst ? 0 : 1;
    int after = parts.size() <= MAX_SHOWN || isLast ? 0 : 1;
    parts.subList(0, before).forEach(part -> equal(part, depth));
    int folded = parts.size() - before - after;
    if (folded > 0) {
      out.note(indent(depth) + PlainText.count(folded, noun) + " equal");
    }
    parts.subList(parts.size() - after, parts.size()).forEach(part -> equal(part, depth));
  }

  private void equal(Part part, int depth) {
    ComparedJson left = Objects.requireNonNull(part.left());
    JsonValue value = left.recorded();
    String indent = indent(depth) + left.name();
    if (value instanceof JsonObject object && isLonger(value, out.columns())) {
      out.note(indent + "{" + PlainText.count(object.size(), "member") + " equal}");
    } else if (value instanceof JsonArray array && isLonger(value, out.columns())) {
      out.note(indent + "[" + PlainText.count(array.size(), "element") + " equal]");
    } else {
      out.add(Sign.SAME, indent + value);
    }
  }

  private void whole(Sign sign, JsonValue value, int depth, String name) {
    String indent = indent(depth);
    if (value instanceof JsonString || !isLonger(value, out.columns() - indent.length())) {
      out.add(sign, indent + name + value);
    } else if (value instanceof JsonObject object) {
      out.add(sign, indent + name + '{');
      for (int i = 0; i < object.size() && !out.isCut(); i++) {
        whole(sign, object.value(i), depth + 1, quoted(object.name(i)));
      }
      out.add(sign, indent + '}');
    } else if (value instanceof JsonArray array) {
      out.add(sign, indent + name + '[');
      for (int i = 0; i < array.size() && !out.isCut(); i++) {
        whole(sign, array.get(i), depth + 1, "");
      }
      out.add(sign, indent + ']');
    } else {
      out.add(sign, indent + name + value);
    }
  }

  /** The members of both objects: those of the left one in order, then the added ones. */
  private static List<Part> members(ComparedJson left, ComparedJson right) {
    JsonObject before = left.compared().asObject();
    JsonObject after = right.compared().asObject();
    Map<String, ComparedJson> added = new LinkedHashMap<>();
    List<ComparedJson> rights = right.children();
    for (int i = 0; i < rights.size(); i++) {
      added.put(after.name(i), rights.get(i));
    }
    List<ComparedJson> lefts = left.children();
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < lefts.size(); i++) {
      parts.add(new Part(lefts.get(i), added.remove(before.name(i))));
    }
    added.values().forEach(member -> parts.add(new Part(null, member)));
    return parts;
  }

  /** The elements of both arrays, aligned; those between equal ones are paired in order. */
  private static List<Part> elements(ComparedJson left, ComparedJson right) {
    List<Part> parts = new ArrayList<>();
    for (Run<ComparedJson> run :
        ElementAlignment.runs(left.children(), right.children(), ComparedJson::compared)) {
      for (int i = 0; i < Math.max(run.left().size(), run.right().size()); i++) {
        parts.add(new Part(at(run.left(), i), at(run.right(), i)));
      }
    }
    return parts;
  }

  private static @Nullable ComparedJson at(List<ComparedJson> values, int index) {
    return index < values.size() ? values.get(index) : null;
  }

  private static boolean isText(JsonString left, JsonString right) {
    return left.value().indexOf('\n') >= 0 && right.value().indexOf('\n') >= 0;
  }

  private static String quoted(String name) {
    return JsonString.of(name) + ": ";
  }

  private String indent(int depth) {
    return " ".repeat(Math.min(INDENT * depth, out.columns() / 2));
  }

  /** Whether the JSON of a value has more characters than a limit, not counting escapes. */
  static boolean isLonger(JsonValue value, int limit) {
    return left(value, limit) < 0;
  }

  /** The rest of a limit after the length of a value; negative if the value is longer. */
  private static int left(JsonValue value, int limit) {
    int left = limit;
    if (value instanceof JsonObject object) {
      left -= 2;
      for (int i = 0; i < object.size() && left >= 0; i++) {
        left = left(object.value(i), left - object.name(i).length() - 4);
      }
    } else if (value instanceof JsonArray array) {
      left -= 2;
      for (int i = 0; i < array.size() && left >= 0; i++) {
        left = left(array.get(i), left - 1);
      }
    } else if (value instanceof JsonString string) {
      left -= string.value().length() + 2;
    } else {
      left -= value.toString().length();
    }
    return left;
  }
}
