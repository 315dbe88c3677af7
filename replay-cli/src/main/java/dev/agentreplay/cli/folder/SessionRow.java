package dev.agentreplay.cli.folder;

import dev.agentreplay.engine.view.FolderTotals;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.SessionOrigin;
import dev.agentreplay.engine.view.SessionStats;
import dev.agentreplay.engine.view.SessionStats.Cost;
import dev.agentreplay.engine.view.SessionSummary;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.text.Excerpt;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The part of the summary of a session that a list shows, and keeps in memory.
 *
 * @param name the session id, or the path of a session without one
 * @param task the beginning of the task; of an import, after the format of its trace
 * @param service the service which ran; empty if none is stated
 * @param tags the other tags
 * @param status the word for the status
 * @param calls the number of tool calls
 * @param failures the number of calls of tools and models that failed
 * @param cost null without prices
 * @param origin the session that it was made from, as a fork or a replay; null if it is neither
 * @param depth the number of sessions above it, of whose forks and replays it is one
 */
public record SessionRow(
    Path path,
    String name,
    String task,
    String service,
    List<String> tags,
    String status,
    boolean isFailed,
    @Nullable Instant start,
    @Nullable Duration duration,
    long calls,
    long turns,
    long failures,
    long tokens,
    @Nullable BigDecimal cost,
    boolean isCostWhole,
    @Nullable SessionOrigin origin,
    int depth) {

  private static final int TASK = 200;

  /** The orders of a list. */
  public enum Order {
    STARTED,
    DURATION,
    CALLS,
    FAILURES,
    TOKENS,
    COST,
    STATUS,
    ID,
    PATH;

    /**
     * The comparator: the newest, longest and largest first, names in the order of the alphabet;
     * rows without the value are the last, also if the order is reversed.
     */
    public Comparator<SessionRow> comparator(boolean isReversed) {
      return switch (this) {
        case STARTED -> by(SessionRow::start, !isReversed);
        case DURATION -> by(SessionRow::duration, !isReversed);
        case CALLS -> by(SessionRow::calls, !isReversed);
        case FAILURES -> by(SessionRow::failures, !isReversed);
        case TOKENS -> by(SessionRow::tokens, !isReversed);
        case COST -> by(SessionRow::cost, !isReversed);
        case STATUS -> by(SessionRow::status, isReversed);
        case ID -> by(SessionRow::name, isReversed);
        case PATH -> by(SessionRow::path, isReversed);
      };
    }

    private static <T extends Comparable<? super T>> Comparator<SessionRow> by(
        Function<SessionRow, @Nullable T> key, boolean isDescending) {
      Comparator<T> order = isDescending ? Comparator.reverseOrder() : Comparator.naturalOrder();
      return Comparator.comparing(key, Comparator.nullsLast(order));
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The row of a session. */
  public static SessionRow of(Path path, SessionSummary session, Prices prices) {
    SessionStats totals = session.totals();
    String task = session.task() == null ? "" : session.task().strip();
    if (session.importedFrom() != null) {
      task = "import of %s: %s".formatted(session.importedFrom().format(), task);
    }
    String service = session.service() == null ? "" : session.service();
    Timestamp start = session.startTime();
    Cost cost = prices.isEmpty() ? null : totals.cost(prices);
    return new SessionRow(
        path,
        session.sessionId() == null ? directory(path) : session.sessionId(),
        Excerpt.beginning(task, TASK),
        service,
        session.labels().otherTags(),
        FolderTotals.statusOf(session),
        session.failed(),
        start == null ? null : start.instant(),
        totals.duration(),
        totals.toolCalls(),
        totals.turns(),
        totals.failedToolResults() + totals.failedModelResults(),
        totals.tokensIn() + totals.tokensOut(),
        cost == null ? null : cost.amount(),
        cost == null || cost.isComplete(),
        session.origin(),
        0);
  }

  /** Returns this row with a number of sessions above it. */
  public SessionRow below(int newDepth) {
    return new SessionRow(
        path,
        name,
        task,
        service,
        tags,
        status,
        isFailed,
        start,
        duration,
        calls,
        turns,
        failures,
        tokens,
        cost,
        isCostWhole,
        origin,
        newDepth);
  }

  private static String directory(Path path) {
    Path name = path.toAbsolutePath().normalize().getFileName();
    return name == null ? path.toString() : name.toString();
  }
}
