package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
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
import dev.agentreplay.engine.replay.LedgerEntry.Result;
import dev.agentreplay.engine.replay.ReplayResults.DivergenceData;
import dev.agentreplay.engine.replay.ReplayResults.Subject;
import dev.agentreplay.engine.replay.divergence.DivergenceCounts;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The divergences of a replay: those of the comparison of the two sessions, joined with the entries
 * of the ledger, in the order of the recording.
 */
final class ReplayDivergences {

  static final String TIMEOUT = "TIMEOUT";
  static final String UNDECIDED = "UNDECIDED";

  private static final String MISS = "MISS";
  private static final String UNREAD = "UNREAD";
  private static final String REFUSED = "REFUSED";
  private static final String DRIFT = "DRIFT";
  private static final String NOT_REEXECUTED = "NOT_REEXECUTED";

  /** The kinds of differences of a request. */
  static final Set<DivergenceKind> OF_REQUEST =
      EnumSet.of(DivergenceKind.TOOL, DivergenceKind.PARAMS, DivergenceKind.PROMPT);

  /** The kinds that leave a replay incomplete or unverified, but are not differences. */
  private static final Set<String> NO_DIFFERENCE = Set.of(TIMEOUT, UNDECIDED, NOT_REEXECUTED);

  /** Whether the right session is that of a replay. */
  private final boolean isReplay;

  /** The kinds that are logged while a replay runs, and the one that is only a note. */
  private static final Set<String> LOGGED_BEFORE =
      Set.of(MISS, TIMEOUT, REFUSED, DRIFT, UNDECIDED, NOT_REEXECUTED);

  private final List<DivergenceData> all = new ArrayList<>();

  /** The number of the request of each divergence in the list; null if it is of none. */
  private final List<@Nullable Long> places = new ArrayList<>();

  private final AcceptedEntries accepted;

  /** The numbers, which include divergences that are not in the list. */
  private final DivergenceCounts counts = new DivergenceCounts();

  /** The entries of calls with a miss or a message that are not in the list, by their number. */
  private final Map<Long, Notable> open = new TreeMap<>();

  /** The number of differences that only follow from exchanges that were not executed. */
  private long consequences;

  /** Whether an exchange was not executed. */
  private boolean lacksResults;

  /**
   * Creates the divergences.
   *
   * @param isReplay whether the right session is that of a replay
   * @param acceptable the accepted fingerprints
   */
  ReplayDivergences(boolean isReplay, Set<ContentHash> acceptable) {
    this.isReplay = isReplay;
    this.accepted = new AcceptedEntries(acceptable);
  }

  /**
   * Adds the divergences of a comparison.
   *
   * @param notable the entries of the ledger with a miss or a message
   * @param calls the calls in the log of the replay; null if there are none
   */
  void add(@Nullable SessionDiff diff, List<Notable> notable, @Nullable ReplayedCalls calls) {
    for (Notable each : notable) {
      LedgerEntry entry = each.entry();
      if (entry.kind() != ExchangeKind.VALUE) {
        open.put(entry.number(), each);
      }
    }
    if (diff != null) {
      Consequences following = consequences(diff, calls);
      accepted.found(diff);
      for (Divergence divergence : diff.divergences()) {
        if (divergence.accepted() != null) {
          joinAccepted(divergence, calls);
        } else if (matters(divergence)) {
          join(divergence, calls, following);
        }
      }
      addUnlisted(diff);
      diff.alignment().forEach(pair -> joinUnlisted(pair, diff.divergences().size(), calls));
    }
    open.values().stream()
        .filter(each -> each.entry().result() != Result.CANCELLED)
        .forEach(each -> insert(ofEntry(each, null), each.entry().number()));
    for (Notable each : notable) {
      lacksResults |= each.entry().notExecuted() != null;
      if (each.entry().kind() == ExchangeKind.VALUE) {
        boolean isListed = insert(drift(each), each.requests());
        consequences += isListed && lacksResults ? 1 : 0;
      }
    }
  }

  private Consequences consequences(SessionDiff diff, @Nullable ReplayedCalls calls) {
    Set<Integer> notExecuted = new HashSet<>();
    for (Divergence divergence : diff.divergences()) {
      Notable notable = open.get(request(divergence, calls));
      if (notable != null && notable.entry().notExecuted() != null) {
        notExecuted.add(divergence.number());
      }
    }
    return Consequences.of(diff, notExecuted);
  }

  /** The number of the request of a divergence; 0 if it has none. */
  private static long request(Divergence divergence, @Nullable ReplayedCalls calls) {
    return request(divergence.right(), calls);
  }

  private static long request(@Nullable Step right, @Nullable ReplayedCalls calls) {
    Long number = right == null || calls == null ? null : calls.request(right.line());
    return number == null ? 0 : number;
  }

  /** Adds the divergences of the comparison of two recordings. */
  void add(SessionDiff diff) {
    add(diff, List.of(), null);
  }

  /** Whether a kind is not a difference from the recording. */
  static boolean isNoDifference(String kind) {
    return NO_DIFFERENCE.contains(kind);
  }

  static boolean matters(Divergence divergence) {
    return divergence.severity() != DivergenceSeverity.NONE;
  }

  /**
   * Counts the divergences that the comparison found, and did not list because they are too many.
   * The comparison counts kinds and severities by themselves; which kind is of which severity is
   * known for the listed ones only.
   */
  private void addUnlisted(SessionDiff diff) {
    Map<DivergenceKind, Integer> kinds = new TreeMap<>(diff.summary().divergencesByKind());
    Map<DivergenceSeverity, Integer> severities =
        new TreeMap<>(diff.summary().divergencesBySeverity());
    for (Divergence listed : diff.divergences()) {
      kinds.merge(listed.kind(), -1, Integer::sum);
      severities.merge(listed.severity(), -1, Integer::sum);
    }
    severities.remove(DivergenceSeverity.NONE);
    severities.forEach((severity, number) -> {
      int rest = number;
      for (var kind : kinds.entrySet()) {
        int counted = Math.min(rest, kind.getValue());
        if (counted > 0) {
          counts.add(kind.getKey().id(), severity, counted);
          kind.setValue(kind.getValue() - counted);
          rest -= counted;
        }
      }
    });
  }

  private void join(Divergence divergence, @Nullable ReplayedCalls calls, Consequences following) {
    long request = request(divergence, calls);
    Notable notable = open.remove(request);
    LedgerEntry entry = notable == null ? null : notable.entry();
    if (entry != null && entry.result() == Result.CANCELLED) {
      return;
    }
    boolean areBoth =
        entry != null && NO_DIFFERENCE.contains(kind(entry)) && isOfRequest(divergence);
    DivergenceData joined =
        notable == null || areBoth ? ofComparison(divergence) : ofEntry(notable, divergence);
    append(joined, request == 0 ? null : Long.valueOf(request));
    if (notable != null && areBoth) {
      append(ofEntry(notable, null), request);
    }
    if (following.contains(divergence) && !NO_DIFFERENCE.contains(joined.kind())) {
      consequences++;
    }
  }

  /** Adds an accepted divergence. An entry that is not a difference remains one of the others. */
  private void joinAccepted(Divergence divergence, @Nullable ReplayedCalls calls) {
    Notable notable = open.get(request(divergence, calls));
    LedgerEntry entry = notable == null ? null : notable.entry();
    if (notable == null || entry == null) {
      accepted.add(ofComparison(divergence));
    } else if (entry.result() == Result.CANCELLED) {
      open.remove(entry.number());
    } else if (!NO_DIFFERENCE.contains(kind(entry))) {
      open.remove(entry.number());
      accepted.add(ofEntry(notable, divergence));
    } else if (isOfRequest(divergence)) {
      accepted.add(ofComparison(divergence));
    }
  }

  /** Takes the entry of an accepted divergence that the comparison did not list. */
  private void joinUnlisted(AlignedStep pair, int listed, @Nullable ReplayedCalls calls) {
    Integer number = pair.divergence();
    if (pair.accepted() == null || number == null || number < listed) {
      return;
    }
    Notable notable = open.get(request(pair.right(), calls));
    if (notable != null && !NO_DIFFERENCE.contains(kind(notable.entry()))) {
      open.remove(notable.entry().number());
    }
  }

  /** Whether a request differs, not only its result. */
  private static boolean isOfRequest(Divergence divergence) {
    return OF_REQUEST.contains(divergence.kind());
  }

  /** Adds a call that was executed, and has no recorded result to compare with. */
  void addUndecided(RecordedExchange exchange) {
    append(
        DivergenceData.ofLedger(
            UNDECIDED,
            DivergenceSeverity.MAJOR,
            exchange.agent(),
            exchange.line(),
            "%s was executed, and the recorded call, on line %d, has no result to compare with"
                .formatted(exchange.name(), exchange.line()),
            null,
            new Subject(exchange.kind(), exchange.name(), null)),
        null);
  }

  /**
   * Makes the miss at which the replay stopped the root, unless a divergence that was complete
   * before it is one: what was being requested at the same time, such as the call that an agent was
   * in, only failed because of the miss. Nothing follows from a miss that is accepted.
   *
   * @param request the number of the request that was missed
   */
  void stoppedAt(long request, ReplayedCalls calls) {
    boolean hasRoot = false;
    if (IntStream.range(0, all.size()).noneMatch(i -> isMiss(i, request))) {
      return;
    }
    for (int i = 0; i < all.size(); i++) {
      DivergenceData divergence = all.get(i);
      boolean isMiss = isMiss(i, request);
      boolean isRoot = divergence.role() == Role.ROOT;
      if (isMiss && !hasRoot) {
        all.set(i, divergence.withRole(Role.ROOT));
        hasRoot = true;
      } else if (isRoot
          && (isAfter(places.get(i), request) || calls.wasOpenAtStop(divergence.replayLine()))) {
        all.set(i, divergence.withRole(Role.INDEPENDENT));
      } else {
        hasRoot |= isRoot;
      }
    }
  }

  private boolean isMiss(int index, long request) {
    return Long.valueOf(request).equals(places.get(index)) && all.get(index).miss() != null;
  }

  /**
   * Whether the replay fails because of the difference at which it stopped, which is listed unless
   * it is accepted or does not matter.
   */
  boolean failsAt(Stop stop, DivergenceSeverity failOn) {
    LedgerEntry entry = stop.entry();
    for (int i = 0; entry != null && i < all.size(); i++) {
      DivergenceData divergence = all.get(i);
      boolean isOfEntry = entry.kind() == ExchangeKind.VALUE
          ? divergence.kind().equals(DRIFT) && Objects.equals(entry.miss(), divergence.miss())
          : Long.valueOf(entry.number()).equals(places.get(i))
              && !divergence.kind().equals(DRIFT);
      if (isOfEntry
          && !NO_DIFFERENCE.contains(divergence.kind())
          && divergence.severity().compareTo(failOn) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Adds values that were not requested. */
  void addUnread(UnreadValues unread) {
    boolean isListed = append(
        DivergenceData.ofLedger(
                UNREAD,
                DivergenceSeverity.MODERATE,
                unread.agent(),
                unread.line(),
                "%s of %s, from line %d on, were not requested"
                    .formatted(
                        PlainText.count(unread.count(), "recorded value"),
                        unread.source(),
                        unread.line()),
                null,
                new Subject(
                    ExchangeKind.VALUE,
                    unread.source(),
                    EntryFact.ofUnread(unread.ordinal(), unread.count())))
            .withRole(all.isEmpty() ? Role.ROOT : Role.INDEPENDENT),
        null);
    consequences += isListed && lacksResults ? 1 : 0;
  }

  /**
   * Adds calls that were served in a mode that is to execute them.
   *
   * @param line the line of the first
   */
  void addNotReexecuted(String name, long count, long line) {
    append(
        DivergenceData.ofLedger(
            NOT_REEXECUTED,
            DivergenceSeverity.MINOR,
            null,
            line,
            "%s: %s served from the recording, not executed"
                .formatted(name.isEmpty() ? "model" : name, PlainText.count(count, "call")),
            null,
            null),
        null);
  }

  /** Appends a divergence unless it is accepted; returns whether it did. */
  private boolean append(DivergenceData found, @Nullable Long request) {
    DivergenceData divergence = accepted.identified(found);
    if (accepted.takes(divergence)) {
      return false;
    }
    all.add(divergence);
    places.add(request);
    counts.add(divergence.kind(), divergence.severity(), 1);
    return true;
  }

  /**
   * Inserts a divergence that only the ledger has before those of later requests. It is the root if
   * no root is before it. Returns whether it was inserted: one that is accepted is not.
   *
   * @param request the number of its request, or of the last one before it
   */
  private boolean insert(DivergenceData found, long request) {
    DivergenceData divergence = accepted.identified(found);
    if (accepted.takes(divergence)) {
      return false;
    }
    int place = 0;
    while (place < all.size() && !isAfter(places.get(place), request)) {
      place++;
    }
    boolean isRoot = all.subList(0, place).stream().noneMatch(other -> other.role() == Role.ROOT);
    for (int i = place; isRoot && i < all.size(); i++) {
      if (all.get(i).role() == Role.ROOT) {
        all.set(i, all.get(i).withRole(Role.INDEPENDENT));
      }
    }
    all.add(place, divergence.withRole(isRoot ? Role.ROOT : Role.INDEPENDENT));
    places.add(place, request);
    counts.add(divergence.kind(), divergence.severity(), 1);
    return true;
  }

  private static boolean isAfter(@Nullable Long other, long request) {
    return other != null && other > request;
  }

  private static DivergenceData ofEntry(Notable notable, @Nullable Divergence comparison) {
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

  private static DivergenceData drift(Notable notable) {
    LedgerEntry entry = notable.entry();
    ReplayMiss miss = entry.miss();
    return DivergenceData.ofLedger(
        DRIFT,
        miss == null ? DivergenceSeverity.MINOR : DivergenceSeverity.MAJOR,
        entry.agent(),
        entry.line(),
        miss != null ? miss.message() : String.valueOf(entry.message()),
        miss,
        Subject.of(notable));
  }

  private DivergenceData ofComparison(Divergence divergence) {
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

  /** The first divergences, at most a number of them. */
  List<ReplayDivergence> first(int most) {
    return List.copyOf(all.size() <= most ? all : all.subList(0, most));
  }

  /** The accepted divergences, which are not among the others. */
  AcceptedEntries accepted() {
    return accepted;
  }

  /** The numbers of all divergences. */
  DivergenceCounts counts() {
    return counts;
  }

  /** The number of recorded calls without a result that were requested. */
  long undecided() {
    return all.stream()
        .filter(each -> each.kind().equals(UNDECIDED) && each.notExecuted() == null)
        .count();
  }

  /**
   * Whether there are differences from the recording that do not only follow from exchanges that
   * were not executed.
   */
  boolean areDifferences() {
    long differences = counts.byKind().entrySet().stream()
        .filter(kind -> !NO_DIFFERENCE.contains(kind.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
    return differences > consequences;
  }
}
