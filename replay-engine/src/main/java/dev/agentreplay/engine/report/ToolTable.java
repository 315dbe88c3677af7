package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.ToolCounts;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** A table of the call counts of each tool, without empty columns. */
final class ToolTable {

  private static final int MAX_TOOLS = 20;
  private static final int GAP = 2;

  private final TextOptions options;
  private final Map<String, ToolCounts> tools;

  ToolTable(TextOptions options, Map<String, ToolCounts> tools) {
    this.options = options;
    this.tools = tools;
  }

  private record Column(String head, Function<ToolCounts, String> cell) {

    int width(Collection<ToolCounts> counts) {
      return counts.stream()
          .mapToInt(tool -> cell.apply(tool).length())
          .reduce(head.length(), Math::max);
    }
  }

  String render() {
    List<Column> columns = columns();
    int numbers =
        columns.stream().mapToInt(column -> column.width(tools.values()) + GAP).sum();
    int longest =
        tools.keySet().stream().limit(MAX_TOOLS).mapToInt(String::length).reduce(4, Math::max);
    int nameWidth = Math.min(longest, options.width() - GAP - numbers);
    StringBuilder out = new StringBuilder();
    TextRow head = row(Paint.DIM, "tool", nameWidth);
    columns.forEach(column -> cell(head, column, column.head(), Paint.DIM));
    out.append(head);
    tools.entrySet().stream().limit(MAX_TOOLS).forEach(tool -> {
      TextRow row = row(Paint.NAME, PlainText.fit(tool.getKey(), nameWidth), nameWidth);
      columns.forEach(
          column -> cell(row, column, column.cell().apply(tool.getValue()), Paint.PLAIN));
      out.append(row);
    });
    if (tools.size() > MAX_TOOLS) {
      out.append(new TextRow(options)
          .add("  and %s more".formatted(Wording.count(tools.size() - MAX_TOOLS))));
    }
    return out.toString();
  }

  private TextRow row(Paint paint, String name, int width) {
    return new TextRow(options).add("  ").pad(paint, name, width);
  }

  private void cell(TextRow row, Column column, String text, Paint paint) {
    int width = column.width(tools.values()) + GAP;
    row.add(paint, " ".repeat(width - text.length()) + text);
  }

  private List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("left", counts -> Wording.count(counts.left())));
    columns.add(new Column("right", counts -> Wording.count(counts.right())));
    columns.add(new Column("matched", counts -> Wording.count(counts.matched())));
    add(columns, "changed", ToolCounts::changed);
    add(columns, "replaced", ToolCounts::replaced);
    add(columns, "replacing", ToolCounts::replacing);
    add(columns, "missing", ToolCounts::missing);
    add(columns, "added", ToolCounts::added);
    return columns;
  }

  private void add(List<Column> columns, String head, ToIntFunction<ToolCounts> count) {
    if (tools.values().stream().anyMatch(tool -> count.applyAsInt(tool) != 0)) {
      columns.add(new Column(
          head,
          counts -> count.applyAsInt(counts) == 0 ? "-" : Wording.count(count.applyAsInt(counts))));
    }
  }
}
