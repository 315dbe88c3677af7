package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.fingerprint.EntryFact;
import dev.agentreplay.engine.fingerprint.Fingerprint;
import dev.agentreplay.engine.replay.DivergenceData.Subject;
import dev.agentreplay.model.ContentHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The accepted divergences of a replay, and the fingerprints of those that only the ledger has. */
final class AcceptedEntries {

  private final Set<ContentHash> acceptable;
  private final Set<ContentHash> found = new HashSet<>();

  /** The number of accepted divergences that the comparison did not list. */
  private long unlisted;

  /** The number of recorded exchanges that were not served because of accepted divergences. */
  private long unread;

  private final List<ReplayDivergence> all = new ArrayList<>();

  /** The number of entries so far that are the same in everything, by their first fingerprint. */
  private final Map<ContentHash, Integer> same = new HashMap<>();

  AcceptedEntries(Set<ContentHash> acceptable) {
    this.acceptable = acceptable;
  }

  /** Adds the fingerprints that the comparison of the sessions has found. */
  void found(SessionDiff diff) {
    found.addAll(diff.accepted());
    long listed = diff.divergences().stream()
        .filter(divergence -> divergence.accepted() != null)
        .count();
    unlisted = diff.accepted().size() - listed;
  }

  /** Adds a divergence that the comparison has found to be accepted. */
  void add(DivergenceData divergence) {
    all.add(divergence.asAccepted());
    Divergence compared = divergence.comparison();
    if (compared != null) {
      countUnread(compared.left(), compared.right(), divergence.miss());
    }
  }

  /**
   * Counts the recorded exchange of an accepted divergence if it was not served.
   *
   * @param miss the miss of the request that the comparison has found to be its partner; null if
   *     there is none
   */
  void countUnread(@Nullable Step left, @Nullable Step right, @Nullable ReplayMiss miss) {
    boolean isServed = right != null && miss == null;
    if (left != null && DivergenceData.isExchange(left.kind()) && !isServed) {
      unread++;
    }
  }

  /** Adds a divergence if its fingerprint is accepted; returns whether it is. */
  boolean takes(DivergenceData divergence) {
    ContentHash fingerprint = divergence.fingerprint();
    if (divergence.comparison() != null
        || fingerprint == null
        || !acceptable.contains(fingerprint)) {
      return false;
    }
    found.add(fingerprint);
    add(divergence);
    return true;
  }

  /**
   * Returns a divergence with its fingerprint. One that only the ledger has is identified by its
   * kind, its lane, its exchange and its facts; without them it has no fingerprint.
   */
  DivergenceData identified(DivergenceData divergence) {
    Subject subject = divergence.subject();
    if (divergence.comparison() != null
        || DivergenceData.isNoDifference(divergence.kind())
        || subject == null
        || subject.fact() == null) {
      return divergence;
    }
    ContentHash first = fingerprint(divergence, subject, subject.fact(), 0);
    int occurrence = same.merge(first, 1, Integer::sum) - 1;
    return divergence.withFingerprint(
        occurrence == 0 ? first : fingerprint(divergence, subject, subject.fact(), occurrence));
  }

  private static ContentHash fingerprint(
      DivergenceData divergence, Subject subject, EntryFact fact, int occurrence) {
    return Fingerprint.ofEntry(
        divergence.kind(),
        subject.exchange().id(),
        subject.name(),
        divergence.agent(),
        fact,
        occurrence);
  }

  /** The first divergences, at most a number of them. */
  List<ReplayDivergence> first(int most) {
    return List.copyOf(all.size() <= most ? all : all.subList(0, most));
  }

  /** The number of accepted divergences, also of those that the comparison did not list. */
  long count() {
    return all.size() + unlisted;
  }

  /** The number of recorded exchanges that were not served because of accepted divergences. */
  long unread() {
    return unread;
  }

  /** The accepted fingerprints that no divergence has. */
  Set<ContentHash> notFound() {
    Set<ContentHash> rest = new HashSet<>(acceptable);
    rest.removeAll(found);
    return rest;
  }
}
