package dev.agentreplay.cli.fork;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The points at which a recording can be forked, as a table and as JSON. */
public final class ForkTable {

  private static final String SCHEMA = "replay.forks/1";
  private static final int MAX_NAME = 40;

  private final ForkPoints points;

  /** Creates the table of points. */
  public ForkTable(ForkPoints points) {
    this.points = points;
  }

  /** The rows of the table, each with its line feed. */
  public String text() {
    List<ForkPoint> all = points.all().stream()
        .filter(point -> point.kind() != ExchangeKind.VALUE)
        .toList();
    long possible = all.stream().filter(ForkPoint::isPossible).count();
    int width = all.stream()
        .mapToInt(point -> Math.min(title(point).length(), MAX_NAME))
        .max()
        .orElse(0);
    StringBuilder text = new StringBuilder();
    for (ForkPoint point : all) {
      text.append(Style.plain("%8d  %s  %s%n"
          .formatted(point.line(), padded(title(point), width), state(point))
          .stripTrailing()));
      text.append('\n');
    }
    return text.append("%d of %d calls can be forked at%n"
            .formatted(possible, all.size())
            .replace(System.lineSeparator(), "\n"))
        .toString();
  }

  private static String padded(String title, int width) {
    String fit = Style.fit(title, width);
    return fit + " ".repeat(Math.max(0, width - fit.length()));
  }

  private static String title(ForkPoint point) {
    String title = "%s %s".formatted(point.kind().words(), point.name());
    return point.agent() == null ? title : "%s (%s)".formatted(title, point.agent());
  }

  private static String state(ForkPoint point) {
    if (point.refusal() != null) {
      return "no: " + point.refusal();
    }
    return switch (point.files()) {
      case UNCHANGED -> "yes";
      case RECORDED -> "yes, with its files";
      case UNKNOWN -> "yes, but no tool can be executed: " + point.unknownFiles();
    };
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
