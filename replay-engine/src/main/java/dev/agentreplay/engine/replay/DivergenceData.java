package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.ExchangeMatcher.UnreadValues;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.exchange.RecordedExchange;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.fingerprint.EntryFact;
import dev.agentreplay.engine.replay.Ledger.Notable;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.text.PlainText;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A divergence of a replay: of the comparison of the two sessions, of the ledger, or of both. */
record DivergenceData(
    String kind,
    DivergenceSeverity severity,
    Role role,
    @Nullable String agent,
    @Nullable Long recordedLine,
    @Nullable Long replayLine,
    String message,
    @Nullable Divergence comparison,
    @Nullable ReplayMiss miss,
    NotExecutedException.@Nullable Reason notExecuted,
    @Nullable ContentHash fingerprint,
    boolean isAccepted,
    @Nullable Subject subject)
    implements ReplayDivergence {

  static final String TIMEOUT = "TIMEOUT";
  static final String UNDECIDED = "UNDECIDED";
  static final String DRIFT = "DRIFT";

  private static final String MISS = "MISS";
  private static final String UNREAD = "UNREAD";
  private static final String REFUSED = "REFUSED";
  private static final String NOT_REEXECUTED = "NOT_REEXECUTED";

  /** The kinds of differences of a request. */
  static final Set<DivergenceKind> OF_REQUEST =
      EnumSet.of(DivergenceKind.TOOL, DivergenceKind.PARAMS, DivergenceKind.PROMPT);

  /** The kinds that leave a replay incomplete or unverified, but are not differences. */
  private static final Set<String> NO_DIFFERENCE = Set.of(TIMEOUT, UNDECIDED, NOT_REEXECUTED);

  /** The kinds that are logged while a replay runs, and the one that is only a note. */
  private static final Set<String> LOGGED_BEFORE =
      Set.of(MISS, TIMEOUT, REFUSED, DRIFT, UNDECIDED, NOT_REEXECUTED);

  /**
   * The exchange that a divergence of the ledger is about.
   *
   * @param name the tool, the model or the source of the value
   * @param fact the facts that identify the divergence; null if they are not known, such as those
   *     of a request that cannot be recorded
   */
  record Subject(ExchangeKind exchange, String name, @Nullable EntryFact fact) {

    static Subject of(Notable notable) {
      return new Subject(notable.entry().kind(), notable.entry().name(), notable.fact());
    }
  }

  /** A call that was executed, and has no recorded result to compare with. */
  static DivergenceData undecided(RecordedExchange exchange) {
    return ofLedger(
        UNDECIDED,
        DivergenceSeverity.MAJOR,
        exchange.agent(),
        exchange.line(),
        "%s was executed, and the recorded call, on line %d, has no result to compare with"
            .formatted(exchange.name(), exchange.line()),
        null,
        new Subject(exchange.kind(), exchange.name(), null));
  }

  /** Values that were not requested. */
  static DivergenceData unread(UnreadValues unread) {
    return ofLedger(
        UNREAD,
        DivergenceSeverity.MODERATE,
        unread.agent(),
        unread.line(),
        "%s of %s, from line %d on, were not requested"
            .formatted(
                PlainText.count(unread.count(), "recorded value"), unread.source(), unread.line()),
        null,
        new Subject(
            ExchangeKind.VALUE,
            unread.source(),
            EntryFact.ofUnread(unread.ordinal(), unread.count())));
  }

  /** Calls that were served in a mode that is to execute them, from a line on. */
  static DivergenceData notReexecuted(String name, long count, long line) {
    return ofLedger(
        NOT_REEXECUTED,
        DivergenceSeverity.MINOR,
        null,
        line,
        "%s: %s served from the recording, not executed"
            .formatted(name.isEmpty() ? "model" : name, PlainText.count(count, "call")),
        null,
        null);
  }

  /** A request with a miss or a message, with what the comparison found in it, if anything. */
  static DivergenceData of(Notable notable, @Nullable Divergence comparison) {
    LedgerEntry entry = notable.entry();
    ReplayMiss miss = entry.miss();
    Step left = comparison == null ? null : comparison.left();
    Step right = comparison == null ? null : comparison.right();
    return new DivergenceData(
        kind(entry),
        DivergenceSeverity.MAJOR,
        comparison == null ? Role.INDEPENDENT : comparison.role(),
        entry.agent(),
        left != null ? Long.valueOf(left.line()) : entry.line(),
        right == null ? null : right.line(),
        miss != null ? miss.message() : message(entry),
        comparison,
        miss,
        entry.notExecuted(),
        comparison == null || isNoDifference(kind(entry)) ? null : comparison.fingerprint(),
        false,
        Subject.of(notable));
  }

  private static String kind(LedgerEntry entry) {
    if (entry.miss() != null) {
      return entry.miss().kind() == MissKind.UNDECIDED ? UNDECIDED : MISS;
    }
    return switch (entry.result()) {
      case TIMED_OUT -> TIMEOUT;
      case NOT_EXECUTED -> UNDECIDED;
      case SERVED, CHANGED, ANSWERED, EXECUTED, CANCELLED, REFUSED, MISSED -> REFUSED;
    };
  }

  private static String message(LedgerEntry entry) {
    String message = String.valueOf(entry.message());
    return entry.notExecuted() == null
        ? message
        : "%s was not executed: %s".formatted(entry.name(), message);
  }

  /** A value that was not recorded, in this form or place. */
  static DivergenceData drift(Notable notable) {
    LedgerEntry entry = notable.entry();
    ReplayMiss miss = entry.miss();
    return ofLedger(
        DRIFT,
        miss == null ? DivergenceSeverity.MINOR : DivergenceSeverity.MAJOR,
        entry.agent(),
        entry.line(),
        miss != null ? miss.message() : String.valueOf(entry.message()),
        miss,
        Subject.of(notable));
  }

  /** A divergence that the comparison found. */
  static DivergenceData of(Divergence divergence, boolean isReplay) {
    Step left = divergence.left();
    Step right = divergence.right();
    Step unread = isReplay
            && divergence.kind() == DivergenceKind.MISSING
            && left != null
            && isExchange(left.kind())
        ? left
        : null;
    return new DivergenceData(
        unread != null ? UNREAD : divergence.kind().id(),
        divergence.severity(),
        divergence.role(),
        divergence.step().agent(),
        left == null ? null : left.line(),
        right == null ? null : right.line(),
        unread != null
            ? "%s on line %d was not requested".formatted(unread.name(), unread.line())
            : message(divergence),
        divergence,
        null,
        null,
        divergence.fingerprint(),
        false,
        null);
  }

  /** Whether divergences of a kind may be found by the comparison at the end alone. */
  static boolean isFoundAtEnd(String kind) {
    return !LOGGED_BEFORE.contains(kind);
  }

  /** Whether a step is a call of a tool or a model. */
  static boolean isExchange(StepKind step) {
    return step == StepKind.CALL || step == StepKind.TURN;
  }

  private static String message(Divergence divergence) {
    List<ValueChange> values = divergence.changes().stream()
        .flatMap(change -> change.values().stream())
        .toList();
    String place = values.isEmpty() ? "" : ", first at " + values.get(0).pointer();
    return "%s: %s%s".formatted(divergence.step().name(), words(divergence.kind()), place);
  }

  private static String words(DivergenceKind kind) {
    return switch (kind) {
      case MISSING -> "is missing";
      case ADDED -> "was added";
      case MOVED -> "is in a different place";
      default -> kind.id().toLowerCase(Locale.ROOT).replace('_', ' ') + " differs";
    };
  }

  /** Returns a divergence that only the ledger has. */
  private static DivergenceData ofLedger(
      String kind,
      DivergenceSeverity severity,
      @Nullable String agent,
      @Nullable Long recordedLine,
      String message,
      @Nullable ReplayMiss miss,
      @Nullable Subject subject) {
    return new DivergenceData(
        kind,
        severity,
        Role.INDEPENDENT,
        agent,
        recordedLine,
        null,
        message,
        null,
        miss,
        null,
        null,
        false,
        subject);
  }

  @Override
  public @Nullable ExchangeKind exchange() {
    return subject == null ? null : subject.exchange();
  }

  @Override
  public @Nullable String name() {
    return subject == null ? null : subject.name();
  }

  DivergenceData withRole(Role newRole) {
    return with(severity, newRole, fingerprint, isAccepted);
  }

  DivergenceData withFingerprint(ContentHash newFingerprint) {
    return with(severity, role, newFingerprint, isAccepted);
  }

  DivergenceData asAccepted() {
    return with(DivergenceSeverity.NONE, Role.INDEPENDENT, fingerprint, true);
  }

  private DivergenceData with(
      DivergenceSeverity newSeverity,
      Role newRole,
      @Nullable ContentHash newFingerprint,
      boolean newAccepted) {
    return new DivergenceData(
        kind,
        newSeverity,
        newRole,
        agent,
        recordedLine,
        replayLine,
        message,
        comparison,
        miss,
        notExecuted,
        newFingerprint,
        newAccepted,
        subject);
  }

  /** Whether a kind is not a difference from the recording. */
  static boolean isNoDifference(String kind) {
    return NO_DIFFERENCE.contains(kind);
  }

  /** Whether an entry of the ledger is not a difference from the recording. */
  static boolean isNoDifference(LedgerEntry entry) {
    return isNoDifference(kind(entry));
  }

  boolean isDifference() {
    return !isNoDifference(kind);
  }
}
