package dev.agentreplay.engine.accept;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.model.ContentHash;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A divergence that can be accepted.
 *
 * @param number its number in its report, from 0
 * @param fingerprint its fingerprint
 * @param kind its kind
 * @param step its step
 * @param pointers the places that differ, as JSON Pointers into the left event; empty if whole
 *     steps or their order differ
 */
public record Proposal(
    int number,
    ContentHash fingerprint,
    String kind,
    AcceptedDivergence.Step step,
    List<String> pointers) {

  /** Checks for null and copies the list. */
  public Proposal {
    Objects.requireNonNull(fingerprint, "fingerprint");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(step, "step");
    pointers = List.copyOf(pointers);
  }

  /** The listed divergences of a comparison that matter and are not accepted yet. */
  public static List<Proposal> of(SessionDiff diff) {
    List<Proposal> proposals = new ArrayList<>();
    for (Divergence divergence : diff.divergences()) {
      ContentHash fingerprint = divergence.fingerprint();
      if (divergence.severity() != DivergenceSeverity.NONE && fingerprint != null) {
        proposals.add(new Proposal(
            divergence.number(),
            fingerprint,
            divergence.kind().id(),
            step(divergence),
            pointers(divergence)));
      }
    }
    return List.copyOf(proposals);
  }

  /**
   * The listed divergences of a replay that can be accepted and are not yet: those that are
   * differences. A call that timed out or was not executed is none.
   */
  public static List<Proposal> of(ReplayReport report) {
    List<Proposal> proposals = new ArrayList<>();
    List<ReplayDivergence> all = report.divergences();
    for (int i = 0; i < all.size(); i++) {
      ReplayDivergence divergence = all.get(i);
      ContentHash fingerprint = divergence.fingerprint();
      if (fingerprint != null) {
        Divergence compared = divergence.comparison();
        proposals.add(new Proposal(
            i,
            fingerprint,
            divergence.kind(),
            compared != null ? step(compared) : step(divergence),
            compared != null ? pointers(compared) : List.of()));
      }
    }
    return List.copyOf(proposals);
  }

  private static AcceptedDivergence.Step step(Divergence divergence) {
    return new AcceptedDivergence.Step(
        divergence.step().kind().id(),
        divergence.step().name(),
        divergence.step().agent(),
        divergence.left() == null ? null : divergence.lines().left());
  }

  private static AcceptedDivergence.Step step(ReplayDivergence divergence) {
    return new AcceptedDivergence.Step(
        Objects.requireNonNull(divergence.exchange()).id(),
        Objects.requireNonNull(divergence.name()),
        divergence.agent(),
        divergence.recordedLine());
  }

  private static List<String> pointers(Divergence divergence) {
    return divergence.values().stream()
        .filter(value -> value.kind() != DivergenceKind.WITHHELD)
        .map(ValueChange::pointer)
        .distinct()
        .toList();
  }

  /**
   * Returns the entry of the file.
   *
   * @param reason the reason why the difference is intended
   * @param by the person or program that accepts it; null if it is not stated
   * @param at the time of acceptance
   * @param expires the last day, in UTC, on which it is accepted; null if it does not expire
   * @throws IllegalArgumentException if the reason is blank
   */
  public AcceptedDivergence accepted(
      String reason, @Nullable String by, Instant at, @Nullable LocalDate expires) {
    return new AcceptedDivergence(fingerprint, kind, step, pointers, reason, by, at, expires);
  }
}
