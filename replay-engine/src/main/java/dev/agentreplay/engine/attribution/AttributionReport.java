package dev.agentreplay.engine.attribution;

import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of an {@link Attribution}. Immutable. */
public sealed interface AttributionReport permits AttributionReports.Data {

  /** The verdict. */
  AttributionVerdict verdict();

  /** The path of the log of the first recording. */
  Path first();

  /** The path of the log of the second recording. */
  Path second();

  /** The name of the outcome that was compared; null if the recordings differ in none. */
  @Nullable
  String outcome();

  /** The outcome of the first recording; null if none was compared. */
  @Nullable
  JsonValue firstOutcome();

  /** The outcome of the second recording; null if none was compared. */
  @Nullable
  JsonValue secondOutcome();

  /** The differences that trials could take over. */
  List<Difference> differences();

  /** Other differences, which were not tried, such as a setting that no request has. */
  List<String> notTried();

  /** The trials, in order. */
  List<Trial> trials();

  /** The sets of differences that were found, at most three, which have no difference in common. */
  List<Cause> causes();

  /**
   * The smallest set that is known to have the outcome of the second recording if the limits were
   * reached before it was minimal; empty otherwise.
   */
  List<Difference> remaining();

  /** The reason for a verdict that is not {@code EQUAL} or {@code EXPLAINED}; null for those. */
  @Nullable
  String reason();

  /** The number of calls of models and tools that all trials executed. */
  default long executed() {
    return trials().stream().mapToLong(Trial::executed).sum();
  }
}
