package dev.agentreplay.cli.folder;

import dev.agentreplay.engine.view.FolderTotals;
import dev.agentreplay.engine.view.SessionSummary;
import dev.agentreplay.model.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select sessions by what they are and how they ended. */
public final class SummaryFilter implements Predicate<SessionSummary> {

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description = "Only sessions started at this time or later: an age such as 12h or 7d, a date,"
          + " or a date and time; local, unless it has an offset.")
  private @Nullable Instant since;

  @Option(
      names = "--failed",
      description = "Only sessions that ended with a status other than success.")
  private boolean failed;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      split = ",",
      description =
          "Only sessions with this status: success, failure, cancelled, timeout, not-ended,"
              + " or one of the log. Comma-separated, repeatable.")
  private List<String> statuses = List.of();

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      description =
          "Only sessions with this tag, such as nightly or service:Coder. Repeatable: with"
              + " all of them.")
  private List<String> tags = List.of();

  @Option(names = "--user", paramLabel = "NAME", description = "Only sessions of this user.")
  private @Nullable String user;

  @Option(
      names = "--environment",
      paramLabel = "NAME",
      description = "Only sessions of this environment, such as production.")
  private @Nullable String environment;

  @Option(
      names = "--commit",
      paramLabel = "HASH",
      description = "Only sessions of this commit of the repository, or of one that begins so.")
  private @Nullable String commit;

  /** Whether an option is given. */
  public boolean isGiven() {
    return since != null
        || failed
        || !statuses.isEmpty()
        || !tags.isEmpty()
        || user != null
        || environment != null
        || commit != null;
  }

  @Override
  public boolean test(SessionSummary session) {
    return isSince(session.startTime())
        && (!failed || session.failed())
        && (statuses.isEmpty() || hasStatus(FolderTotals.statusOf(session)))
        && session.labels().tags().containsAll(tags)
        && (user == null || user.equals(session.labels().user()))
        && (environment == null || environment.equals(session.labels().environment()))
        && (commit == null || isBegin(commit, session.commit()));
  }

  private boolean isSince(@Nullable Timestamp start) {
    return since == null || (start != null && !start.instant().isBefore(since));
  }

  private boolean hasStatus(String status) {
    return statuses.stream().anyMatch(status::equalsIgnoreCase);
  }

  private static boolean isBegin(String beginning, @Nullable String whole) {
    return whole != null && whole.startsWith(beginning);
  }
}
