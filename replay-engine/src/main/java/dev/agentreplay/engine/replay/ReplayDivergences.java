package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.ExchangeMatcher.UnreadValues;
import dev.agentreplay.engine.exchange.RecordedExchange;
import dev.agentreplay.engine.replay.Ledger.Notable;
import dev.agentreplay.engine.replay.LedgerEntry.Result;
import dev.agentreplay.engine.replay.divergence.Consequences;
import dev.agentreplay.engine.replay.divergence.DivergenceCounts;
import dev.agentreplay.model.ContentHash;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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

  /** Whether the right session is that of a replay. */
  private final boolean isReplay;

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
        .forEach(each -> insert(DivergenceData.of(each, null), each.entry().number()));
    for (Notable each : notable) {
      lacksResults |= each.entry().notExecuted() != null;
      if (each.entry().kind() == ExchangeKind.VALUE) {
        boolean isListed = insert(DivergenceData.drift(each), each.requests());
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
        entry != null && DivergenceData.isNoDifference(entry) && isOfRequest(divergence);
    DivergenceData joined = notable == null || areBoth
        ? DivergenceData.of(divergence, isReplay)
        : DivergenceData.of(notable, divergence);
    append(joined, request == 0 ? null : Long.valueOf(request));
    if (notable != null && areBoth) {
      append(DivergenceData.of(notable, null), request);
    }
    if (following.contains(divergence) && joined.isDifference()) {
      consequences++;
    }
  }

  /** Adds an accepted divergence. An entry that is not a difference remains one of the others. */
  private void joinAccepted(Divergence divergence, @Nullable ReplayedCalls calls) {
    Notable notable = open.get(request(divergence, calls));
    LedgerEntry entry = notable == null ? null : notable.entry();
    if (notable == null || entry == null) {
      accepted.add(DivergenceData.of(divergence, isReplay));
    } else if (entry.result() == Result.CANCELLED) {
      open.remove(entry.number());
    } else if (!DivergenceData.isNoDifference(entry)) {
      open.remove(entry.number());
      accepted.add(DivergenceData.of(notable, divergence));
    } else if (isOfRequest(divergence)) {
      accepted.add(DivergenceData.of(divergence, isReplay));
    }
  }

  /** Takes the entry of an accepted divergence that the comparison did not list. */
  private void joinUnlisted(AlignedStep pair, int listed, @Nullable ReplayedCalls calls) {
    Integer number = pair.divergence();
    if (pair.accepted() == null || number == null || number < listed) {
      return;
    }
    Notable notable = open.get(request(pair.right(), calls));
    LedgerEntry entry = notable == null ? null : notable.entry();
    boolean isDifference = entry != null && !DivergenceData.isNoDifference(entry);
    accepted.countUnread(
        pair.left(), pair.right(), entry != null && isDifference ? entry.miss() : null);
    if (entry != null && isDifference) {
      open.remove(entry.number());
    }
  }

  /** Whether a request differs, not only its result. */
  private static boolean isOfRequest(Divergence divergence) {
    return DivergenceData.OF_REQUEST.contains(divergence.kind());
  }

  /** Adds a call that was executed, and has no recorded result to compare with. */
  void addUndecided(RecordedExchange exchange) {
    append(DivergenceData.undecided(exchange), null);
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
          ? divergence.kind().equals(DivergenceData.DRIFT)
              && Objects.equals(entry.miss(), divergence.miss())
          : Long.valueOf(entry.number()).equals(places.get(i))
              && !divergence.kind().equals(DivergenceData.DRIFT);
      if (isOfEntry && divergence.isDifference() && divergence.severity().compareTo(failOn) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Adds values that were not requested. */
  void addUnread(UnreadValues unread) {
    Role role = all.isEmpty() ? Role.ROOT : Role.INDEPENDENT;
    boolean isListed = append(DivergenceData.unread(unread).withRole(role), null);
    consequences += isListed && lacksResults ? 1 : 0;
  }

  /**
   * Adds calls that were served in a mode that is to execute them.
   *
   * @param line the line of the first
   */
  void addNotReexecuted(String name, long count, long line) {
    append(DivergenceData.notReexecuted(name, count, line), null);
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
        .filter(each -> each.kind().equals(DivergenceData.UNDECIDED) && each.notExecuted() == null)
        .count();
  }

  /**
   * Whether there are differences from the recording that do not only follow from exchanges that
   * were not executed.
   */
  boolean areDifferences() {
    long differences = counts.byKind().entrySet().stream()
        .filter(kind -> !DivergenceData.isNoDifference(kind.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
    return differences > consequences;
  }
}
