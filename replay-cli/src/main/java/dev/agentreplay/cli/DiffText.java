package dev.agentreplay.cli;

import dev.agentreplay.engine.Divergence;
import dev.agentreplay.engine.SessionDiff;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A comparison for people. */
final class DiffText {

  private static final int CONTEXT = 20;
  private static final Set<String> HASHES = Set.of("/params_hash", "/output_hash");

  private final Style style;
  private final StringBuilder out = new StringBuilder();

  DiffText(Style style) {
    this.style = style;
  }

  String render(String left, String right, SessionDiff diff) {
    SessionDiff.Calls calls = diff.calls();
    SessionDiff.First first = diff.first();
    if (first == null) {
      return style.good("identical") + "  %,d tool calls\n".formatted(calls.left());
    }
    out.append(style.bad("diverged"))
        .append("  at call ")
        .append(style.bold("#" + first.call()))
        .append("  %,d equal, %,d changed, %,d missing, %,d added\n"
            .formatted(calls.matched(), calls.changed(), calls.missing(), calls.added()));
    out.append("  - ").append(Style.plain(left)).append('\n');
    out.append("  + ").append(Style.plain(right)).append('\n');
    diff.divergences().forEach(this::divergence);
    int more = calls.divergent() - diff.divergences().size();
    if (more > 0) {
      out.append("  %,d more\n".formatted(more));
    }
    return out.toString();
  }

  private void divergence(Divergence divergence) {
    Divergence.Place left = divergence.left();
    Divergence.Place right = divergence.right();
    Divergence.Place place = left != null ? left : right;
    String kind = "%-8s".formatted(divergence.kind());
    boolean root = divergence.role() == Divergence.Role.ROOT;
    out.append('\n').append(root ? style.bad(kind) : style.warn(kind));
    out.append(style.name(Style.plain(place == null ? "" : place.tool()))).append("  ");
    out.append(style.dim(places(left, right))).append('\n');
    if (!divergence.pointer().isEmpty()) {
      long more = divergence.patch().stream().filter(DiffText::isChangeOfValue).count() - 1;
      out.append("  at ").append(Style.plain(divergence.pointer()));
      out.append(more > 0 ? ", and %,d more\n".formatted(more) : "\n");
    }
    String before = shown(divergence.before());
    String after = shown(divergence.after());
    int from = before.isEmpty() || after.isEmpty() ? 0 : beginning(before, after);
    side("-", before, from);
    side("+", after, from);
  }

  /** Not that of the hash beside a value, which changes with it. */
  private static boolean isChangeOfValue(JsonValue operation) {
    return !HASHES.contains(operation.at("/path").asString());
  }

  /** One side of a change, from shortly before the first difference. */
  private void side(String sign, String text, int from) {
    if (text.isEmpty()) {
      return;
    }
    String row = (from > 0 ? "…" : "") + text.substring(from);
    String line = "  " + sign + " " + Style.fit(row, Style.WIDTH - 4);
    out.append(sign.equals("-") ? style.bad(line) : style.good(line)).append('\n');
  }

  private static int beginning(String before, String after) {
    int i = 0;
    while (i < Math.min(before.length(), after.length()) && before.charAt(i) == after.charAt(i)) {
      i++;
    }
    int from = i < Style.WIDTH / 2 ? 0 : i - CONTEXT;
    return from > 0 && Character.isLowSurrogate(before.charAt(from)) ? from + 1 : from;
  }

  /** Of a whole event its parameters or its output, which is what is compared. */
  private static String shown(@Nullable JsonValue value) {
    if (value == null) {
      return "";
    }
    if (value instanceof JsonObject event) {
      JsonValue params = event.get("params");
      JsonValue output = event.get("output");
      return (params != null ? params : output != null ? output : value).toString();
    }
    return value.toString();
  }

  private static String places(Divergence.@Nullable Place left, Divergence.@Nullable Place right) {
    String from = left == null ? "" : "- call #%d, line %d".formatted(left.call(), left.line());
    String to = right == null ? "" : "+ call #%d, line %d".formatted(right.call(), right.line());
    return from + (from.isEmpty() || to.isEmpty() ? "" : "   ") + to;
  }
}
