package dev.agentreplay.cli.folder;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.engine.view.SessionOrigin;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sessions as a table that fits a width: a row for each, and its task on a line of its own if the
 * width does not have room for both. A column that would be empty is left out. The service is a
 * column if the width has room for it next to the task, and otherwise precedes the task. A fork or
 * a replay below its parent is indented, and its point and changes are in the place of the task,
 * which is that of the parent.
 */
public final class SessionTable {

  private static final int MIN_NAME = 12;
  private static final int MAX_NAME = 40;
  private static final int MIN_TASK = 24;
  private static final int MAX_SERVICE = 40;
  private static final String BENEATH = "  ";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

  /** A column of numbers or words, aligned to the right unless its width is negative. */
  private record Column(
      String title, int width, Predicate<SessionRow> isFilled, Function<SessionRow, String> cell) {

    String text(String value) {
      return ("%" + width + "s").formatted(value);
    }
  }

  private final Style style;
  private final ZoneId zone;
  private final int width;
  private final List<Column> columns = new ArrayList<>();
  private final Map<String, Integer> names = new HashMap<>();
  private final int nameWidth;
  private final int taskWidth;
  private final boolean hasServices;

  /**
   * A table.
   *
   * @param rows all rows, by which the columns are chosen
   * @param width the width in columns
   * @param zone the zone of the times
   */
  public SessionTable(List<SessionRow> rows, Style style, int width, ZoneId zone) {
    this.style = style;
    this.width = width;
    this.zone = zone;
    int statuses = widest(rows, SessionRow::status, 6, 12);
    List<Column> all = List.of(
        new Column("status", -statuses, row -> true, row -> Style.fit(row.status(), statuses)),
        new Column("started", -16, row -> row.start() != null, row -> time(row.start())),
        new Column("duration", 9, row -> row.duration() != null, row -> Spans.text(row.duration())),
        new Column("calls", 6, row -> true, row -> "%,d".formatted(row.calls())),
        new Column("turns", 6, row -> row.turns() > 0, row -> "%,d".formatted(row.turns())),
        new Column("failed", 6, row -> row.failures() > 0, row -> "%,d".formatted(row.failures())),
        new Column("tokens", 9, row -> row.tokens() > 0, row -> "%,d".formatted(row.tokens())),
        new Column("cost", 10, row -> row.cost() != null, SessionTable::cost));
    int used = 0;
    for (Column column : all) {
      if (rows.stream().anyMatch(column.isFilled)) {
        columns.add(column);
        used += Math.abs(column.width) + 1;
      }
    }
    for (SessionRow row : rows) {
      names.merge(row.name(), 1, Integer::sum);
    }
    this.nameWidth = Math.max(
        MIN_NAME, Math.min(width - used - 1, widest(rows, this::name, MIN_NAME, MAX_NAME)));
    int left = width - used - nameWidth - 3;
    int services = widest(rows, SessionRow::service, "service".length(), MAX_SERVICE);
    this.hasServices = left - services - 1 >= MIN_TASK
        && rows.stream().anyMatch(row -> !row.service().isEmpty());
    if (hasServices) {
      columns.add(
          new Column("service", -services, row -> true, row -> Style.fit(row.service(), services)));
      left -= services + 1;
    }
    boolean hasTasks = rows.stream().anyMatch(row -> !task(row).isEmpty());
    this.taskWidth = hasTasks && left >= MIN_TASK ? left : 0;
  }

  private static int widest(
      List<SessionRow> rows, Function<SessionRow, String> text, int min, int max) {
    int widest = rows.stream()
        .mapToInt(row -> text.apply(row).codePointCount(0, text.apply(row).length()))
        .max()
        .orElse(0);
    return Math.max(min, Math.min(max, widest));
  }

  /** The row with the names of the columns; it ends with a line feed. */
  public String heading() {
    StringBuilder line = new StringBuilder();
    columns.forEach(column -> line.append(column.text(column.title)).append(' '));
    line.append(" session");
    if (taskWidth > 0) {
      line.append(" ".repeat(Math.max(1, nameWidth - "session".length() + 2))).append("task");
    }
    return style.dim(line.toString()) + "\n";
  }

  /** The row of a session; it ends with a line feed. */
  public String row(SessionRow row) {
    StringBuilder line = new StringBuilder();
    for (Column column : columns) {
      String text = column.text(column.cell.apply(row));
      line.append(column.title.equals("status") ? status(row, text) : number(column, row, text));
      line.append(' ');
    }
    String name = Style.fit(name(row), nameWidth);
    line.append(' ').append(style.name(name));
    String task = task(row);
    if (task.isEmpty()) {
      return line + "\n";
    }
    if (taskWidth == 0) {
      return line + "\n" + BENEATH + style.dim(Style.fit(task, width - BENEATH.length())) + "\n";
    }
    String gap = " ".repeat(nameWidth - name.codePointCount(0, name.length()) + 2);
    return line + gap + style.dim(Style.fit(task, taskWidth)) + "\n";
  }

  /** The line of a place that could not be read. */
  public String unreadable(String reason, boolean isSkipped) {
    String word = isSkipped ? "skipped" : "unreadable";
    return style.bad(word) + "  " + Style.plain(reason) + "\n";
  }

  private String status(SessionRow row, String text) {
    if (row.isFailed()) {
      return style.bad(text);
    }
    return row.status().equals("success") ? style.good(text) : style.warn(text);
  }

  private String number(Column column, SessionRow row, String text) {
    return column.title.equals("failed") && row.failures() > 0 ? style.warn(text) : text;
  }

  /** The id of a session, or the path of one that has the same id as another, indented. */
  private String name(SessionRow row) {
    String indent = row.depth() == 0 ? "" : "  ".repeat(row.depth() - 1) + "└ ";
    return indent + ofSession(row);
  }

  private String ofSession(SessionRow row) {
    return names.getOrDefault(row.name(), 1) > 1 ? row.path().toString() : row.name();
  }

  private String time(@Nullable Instant start) {
    return start == null ? "" : TIME.format(start.atZone(zone));
  }

  private static String cost(SessionRow row) {
    return row.cost() == null ? "" : cost(row.cost(), row.isCostWhole());
  }

  /** An amount with four decimals; a plus sign means that some calls are not in it. */
  static String cost(BigDecimal amount, boolean isWhole) {
    return amount.setScale(4, RoundingMode.HALF_UP).toPlainString() + (isWhole ? "" : "+");
  }

  /** The service unless it is a column, the task, and the tags; of a fork first its origin. */
  private String task(SessionRow row) {
    SessionOrigin origin = row.origin();
    if (origin != null && row.depth() > 0) {
      return origin.shortText();
    }
    String task = ownTask(row);
    return origin == null ? task : task.isEmpty() ? origin.text() : origin.text() + ": " + task;
  }

  private String ownTask(SessionRow row) {
    String service = hasServices || row.service().isEmpty() ? "" : row.service() + ": ";
    String tags = row.tags().stream().map(tag -> " [" + tag + "]").collect(Collectors.joining());
    return (service + row.task() + tags).strip();
  }
}
