package dev.agentreplay.cli.fork;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The points at which a recording can be forked, as a table that fits a width, and as JSON. A
 * reason that several rows have, or that does not fit into its row, follows the table once.
 */
public final class ForkTable {

  private static final String SCHEMA = "replay.forks/1";
  private static final String HEADING = "call";
  private static final int MAX_NAME = 40;
  private static final String LINE = "%8s  ";

  private final ForkPoints points;

  /** The points that are calls: a session is rarely forked at a value. */
  private final List<ForkPoint> calls;

  private final Style style;
  private final int width;

  /**
   * Creates the table of points.
   *
   * @param width the width in columns
   */
  public ForkTable(ForkPoints points, Style style, int width) {
    this.points = points;
    this.calls = points.all().stream()
        .filter(point -> point.kind() != ExchangeKind.VALUE)
        .toList();
    this.style = style;
    this.width = width;
  }

  /** The rows of the table, and the reasons that several of them have. */
  public String text() {
    List<ForkPoint> all = calls;
    int column = Math.max(
        HEADING.length(),
        all.stream()
            .mapToInt(point -> Math.min(columns(title(point)), MAX_NAME))
            .max()
            .orElse(0));
    int room = width - LINE.formatted("").length() - column - 2;
    Set<String> seen = new HashSet<>();
    Set<String> repeated = all.stream()
        .map(ForkTable::reason)
        .filter(reason -> reason != null && !seen.add(reason))
        .collect(Collectors.toSet());
    List<String> notes = new ArrayList<>();
    LabelledText text = new LabelledText(width);
    if (!all.isEmpty()) {
      text.append(style.dim(row("line", HEADING, column, "possible"))).append("\n");
    }
    for (ForkPoint point : all) {
      String state = state(point);
      String reason = reason(point);
      if (reason != null) {
        String whole = state + ": " + reason;
        boolean isNote = repeated.contains(reason) || columns(whole) > room;
        state = isNote ? "%s (%d)".formatted(state, number(reason, notes)) : whole;
      }
      text.append(row(String.valueOf(point.line()), title(point), column, state))
          .append("\n");
    }
    for (int i = 0; i < notes.size(); i++) {
      text.append(i == 0 ? "\n" : "");
      text.wrap("  (%d) ".formatted(i + 1), notes.get(i));
    }
    return text.append(all.isEmpty() ? "" : "\n").append(summary()).append("\n").toString();
  }

  /** The hint to declare the effects of tools; empty if it changes nothing. */
  public String hint() {
    boolean areUnknown = calls.stream()
        .anyMatch(point -> point.isPossible() && point.files() == ForkPoint.Files.UNKNOWN);
    LabelledText hint = new LabelledText(width);
    if (areUnknown) {
      hint.wrap(
          "  hint: ",
          "--tools FILE states the effects of tools; a tool that is pure changes no file");
    }
    return hint.toString();
  }

  private String summary() {
    int all = calls.size();
    long possible = calls.stream().filter(ForkPoint::isPossible).count();
    int values = points.all().size() - all;
    String summary = all == 0
        ? "there is no call at which the session can be forked"
        : "%,d of %s can be forked at".formatted(possible, PlainText.count(all, "call"));
    return values == 0
        ? summary
        : "%s; --format json also lists %s".formatted(summary, PlainText.count(values, "value"));
  }

  private static int number(String reason, List<String> notes) {
    if (!notes.contains(reason)) {
      notes.add(reason);
    }
    return notes.indexOf(reason) + 1;
  }

  private static String row(String line, String title, int column, String state) {
    String fit = Style.fit(title, column);
    return LINE.formatted(line) + fit + " ".repeat(column - columns(fit) + 2) + state;
  }

  private static String title(ForkPoint point) {
    String title =
        Style.plain("%s %s".formatted(point.kind().words(), point.name()).strip());
    return point.agent() == null ? title : "%s (%s)".formatted(title, Style.plain(point.agent()));
  }

  private static String state(ForkPoint point) {
    if (!point.isPossible()) {
      return "no";
    }
    return switch (point.files()) {
      case UNCHANGED -> "yes";
      case RECORDED -> "yes, with its files";
      case UNKNOWN -> "yes, if tools are only served";
    };
  }

  /** The reason for the state of a point; null if there is none. */
  private static @Nullable String reason(ForkPoint point) {
    String reason = point.isPossible() ? point.unknownFiles() : point.refusal();
    return reason == null ? null : Style.plain(reason);
  }

  private static int columns(CharSequence text) {
    return Character.codePointCount(text, 0, text.length());
  }

  /** The points as one JSON object. */
  public JsonObject json() {
    return JsonObject.of(
        "schema",
        SCHEMA,
        "points",
        JsonArray.copyOf(points.all().stream().map(ForkTable::json).toList()));
  }

  private static JsonObject json(ForkPoint point) {
    JsonObject json = JsonObject.of(
        "line",
        point.line(),
        "kind",
        point.kind().id(),
        "name",
        point.name(),
        "possible",
        point.isPossible(),
        "files",
        point.files().id());
    json = with(json, Names.AGENT, point.agent());
    json = with(json, "refusal", point.refusal());
    json = with(json, "unknown_files", point.unknownFiles());
    TreeHead head = point.head();
    return head == null
        ? json
        : json.with(Names.TREE_SIZE, head.size())
            .with(Names.TREE_ROOT, head.root().toString());
  }

  private static JsonObject with(JsonObject json, String name, @Nullable String value) {
    return value == null ? json : json.with(name, value);
  }
}
