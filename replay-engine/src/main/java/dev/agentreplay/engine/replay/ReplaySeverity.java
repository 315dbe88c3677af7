package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SeverityPolicy;
import dev.agentreplay.engine.diff.SeverityRating;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.replay.files.FileChanges;
import dev.agentreplay.model.Names;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The severity of the differences between a recording and its replay. What the agent of a replay
 * does not state, because its runtime did when it was recorded, and what a replay did not reach
 * because it was stopped, does not count as a divergence; the policy of the caller rates the rest.
 */
final class ReplaySeverity implements SeverityPolicy {

  private static final String UTILITY = "/" + Names.STEP_UTILITY;
  private static final String BEFORE = "/" + Names.HASH_BEFORE;

  private final Replay replay;
  private final RecordingFacts facts;
  private final ReplayRecording recording;
  private final FileChanges replayed;
  private final Set<Long> executed;
  private final Set<Long> notExecuted;
  private final Set<Long> undecided;
  private final Map<Long, String> filesNotExpected;

  /** The line of the first such change of each path. */
  private final Map<String, Long> firstNotExpected = new HashMap<>();

  private final boolean isLedgerFull;
  private final @Nullable Stop stop;

  /**
   * Creates the policy.
   *
   * @param replayed the changes of files in the log of the replay
   * @param undecided the lines of the exchanges that were executed, and have no recorded result
   * @param filesNotExpected the paths of recorded changes of files that nothing makes in the
   *     replay, by their lines
   */
  ReplaySeverity(
      Replay replay,
      RecordingFacts facts,
      ReplayRecording recording,
      FileChanges replayed,
      ReplayState state,
      Set<Long> undecided,
      Map<Long, String> filesNotExpected,
      boolean isLedgerFull) {
    this.replay = replay;
    this.facts = facts;
    this.recording = recording;
    this.replayed = replayed;
    this.executed = state.executed();
    this.notExecuted = state.notExecuted();
    this.undecided = undecided;
    this.filesNotExpected = filesNotExpected;
    filesNotExpected.forEach((line, path) -> firstNotExpected.merge(path, line, Math::min));
    this.isLedgerFull = isLedgerFull;
    this.stop = state.stopped();
  }

  @Override
  public SeverityRating judge(Change change) {
    StepKind step = change.step().kind();
    if (change.kind() == DivergenceKind.MISSING && stop != null) {
      return new SeverityRating(DivergenceSeverity.NONE, "not reached");
    } else if (change.kind() == DivergenceKind.MISSING && isNotStated(step)) {
      return new SeverityRating(DivergenceSeverity.NONE, "not stated");
    } else if (change.kind() == DivergenceKind.MISSING && isNotExpected(change.step())) {
      return new SeverityRating(DivergenceSeverity.NONE, "not run");
    } else if (change.kind() == DivergenceKind.FILE_STATE && isNotExpectedBefore(change)) {
      return new SeverityRating(DivergenceSeverity.NONE, "an earlier change was not made");
    } else if (change.kind() == DivergenceKind.ADDED && isNotCaptured(step)) {
      return new SeverityRating(DivergenceSeverity.NONE, "not captured");
    } else if (change.kind() == DivergenceKind.ADDED
        && step == StepKind.FILE_STATE
        && change.step().line() > replayed.firstUnanswered()) {
      return new SeverityRating(DivergenceSeverity.NONE, "a tool has not ended");
    } else if (step == StepKind.FILE_STATE && replay.workspace != null && isConcurrent(change)) {
      return new SeverityRating(DivergenceSeverity.NONE, "tools ran at the same time");
    } else if (isOfRuntime(change) && executed.contains(change.step().line())) {
      return new SeverityRating(DivergenceSeverity.NONE, "stated by the runtime");
    } else if (isUndecided(change)) {
      return new SeverityRating(DivergenceSeverity.NONE, "no recorded result");
    } else if (isLedgerFull
        && change.kind() != DivergenceKind.ADDED
        && notExecuted.contains(change.step().line())
        && !executed.contains(change.step().line())) { // the entry may not be kept
      return new SeverityRating(DivergenceSeverity.NONE, "not executed");
    } else if (step == StepKind.START && isIdOfSession(change)) {
      return new SeverityRating(DivergenceSeverity.NONE, "a replay has an id of its own");
    } else if (step == StepKind.START && facts.start == null) {
      return new SeverityRating(DivergenceSeverity.NONE, "added by the replay");
    }
    return replay.comparison.severity().judge(change);
  }

  /** Whether steps of a kind were stated by the runtime of the recording, not by the agent. */
  boolean isNotStated(StepKind kind) {
    boolean isCaptured = kind == StepKind.FILE_STATE && replay.workspace != null;
    return !DivergenceData.isExchange(kind) && !recording.states(kind) && !isCaptured;
  }

  /** Whether steps of a kind are changes of files, which the replay does not capture. */
  boolean isNotSeen(StepKind kind) {
    return kind == StepKind.FILE_STATE && isNotStated(kind);
  }

  /** Whether a step is the change of a file by a tool that was not run, or by an agent. */
  boolean isNotExpected(Step recordedStep) {
    return recordedStep.kind() == StepKind.FILE_STATE
        && filesNotExpected.containsKey(recordedStep.line());
  }

  /** Whether only the former content of a file differs, because nothing has made it. */
  private boolean isNotExpectedBefore(Change change) {
    Step step = change.step();
    return !change.values().isEmpty()
        && change.values().stream().allMatch(value -> value.pointer().equals(BEFORE))
        && firstNotExpected.getOrDefault(step.name(), Long.MAX_VALUE) < step.line();
  }

  /** Whether steps of a kind are captured by the replay, and were not when it was recorded. */
  boolean isNotCaptured(StepKind kind) {
    return kind == StepKind.FILE_STATE && replay.workspace != null && !facts.hasSnapshot();
  }

  /**
   * Whether a change was made while several tools ran, and the file is the same in the end: what of
   * it a scan assigns to which tool depends on time.
   */
  private boolean isConcurrent(Change change) {
    long line = change.step().line();
    return (change.kind() == DivergenceKind.ADDED
            ? replayed.isConcurrent(line)
            : facts.changes.isConcurrent(line))
        && facts.changes.leavesAs(change.step().name(), replayed);
  }

  /** Whether only a result is compared, and the recording has none. */
  private boolean isUndecided(Change change) {
    return change.kind() != DivergenceKind.MISSING
        && change.kind() != DivergenceKind.ADDED // its line is one of the replay
        && change.kinds().stream().noneMatch(DivergenceData.OF_REQUEST::contains)
        && undecided.contains(change.step().line());
  }

  /** Whether only the id of the session differs. */
  private static boolean isIdOfSession(Change change) {
    return !change.values().isEmpty()
        && change.values().stream()
            .allMatch(value -> value.pointer().equals("/" + Names.SESSION_ID));
  }

  /** Whether only what runtimes state differs. */
  private boolean isOfRuntime(Change change) {
    return !replay.comparison.strict()
        && change.kinds().equals(Set.of(DivergenceKind.ASSESSMENT))
        && change.values().stream().allMatch(ReplaySeverity::isOfRuntime);
  }

  /**
   * Whether a change is of what the runtime of an agent states of a result: token counts, which
   * differ between models, and the utility of a step, which an executor does not know.
   */
  static boolean isOfRuntime(ValueChange change) {
    return change.pointer().startsWith("/tokens_")
        || (change.pointer().equals(UTILITY) && change.sides().right() == null);
  }
}
