package dev.agentreplay.model.receipt;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.TestCounts;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The facts that a log states about its session as a whole, for receipts. Both the writer and the
 * verifier of a receipt collect them with this class. If several events state a fact, the last one
 * counts. Not safe for use by several threads.
 */
public final class SessionFacts {

  /**
   * A fact that an event may state.
   *
   * @param isSaid whether an event occurred that could state the fact
   * @param value the value that the event states, or null
   * @param at the position of the event; null when no such event occurred, or its position is not
   *     known
   */
  public record Fact<T>(boolean isSaid, @Nullable T value, @Nullable Position at) {

    private static <T> Fact<T> none() {
      return new Fact<>(false, null, null);
    }

    private static <T> Fact<T> of(@Nullable T value, @Nullable Position at) {
      return new Fact<>(true, value, at);
    }

    /**
     * Returns the fact with a new value, or this fact if the new value is null and this one is
     * stated.
     */
    private Fact<T> or(@Nullable T newValue, @Nullable Position newAt) {
      return newValue == null && isSaid ? this : of(newValue, newAt);
    }
  }

  private final RunTotals totals = new RunTotals();
  private Fact<String> sessionId = Fact.none();
  private Fact<String> policy = Fact.none();
  private Fact<Long> issueNumber = Fact.none();
  private Fact<JsonObject> repository = Fact.none();
  private Fact<Timestamp> startedAt = Fact.none();
  private Fact<Timestamp> endedAt = Fact.none();
  private Fact<ContentHash> planHash = Fact.none();
  private Fact<Long> delta = Fact.none();
  private Fact<TestCounts> tests = Fact.none();
  private Fact<String> ciStatus = Fact.none();
  private Fact<Double> confidence = Fact.none();

  /** Creates the facts of 0 events. */
  public SessionFacts() {}

  /**
   * Adds an event. Only results that answer a call count in a receipt: the caller adds those to
   * {@link #totals} with {@link RunTotals#addAnswer}.
   *
   * @param time the time of the event as it is written in the log
   * @param at the position of the event; null when it is not known
   */
  public void add(ReplayEvent event, @Nullable Timestamp time, @Nullable Position at) {
    totals.add(event);
    if (event instanceof SessionStart start) {
      start(start, start.policy(), time, at);
      issueNumber = Fact.of(start.issueNumber(), at);
      repository = Fact.of(start.repository(), at);
    } else if (event instanceof ReplayHeader header && header.meta().sessionId() != null) {
      start(header, header.policy(), time, at); // in the draft, the header starts the session
    } else if (event instanceof PlanStart plan) {
      planHash = Fact.of(plan.planHash(), at);
    } else if (event instanceof Verification verification) {
      delta = Fact.of(verification.delta(), at);
      tests = tests.or(verification.tests(), at);
      ciStatus = ciStatus.or(verification.ciStatus(), at);
    } else if (event instanceof SessionEnd end) {
      confidence = Fact.of(end.confidence(), at);
      endedAt = Fact.of(time, at);
    }
  }

  private void start(
      ReplayEvent event,
      @Nullable PolicyId stated,
      @Nullable Timestamp time,
      @Nullable Position at) {
    String id = event.meta().sessionId();
    sessionId = sessionId.or(id, at);
    if (stated != null || (event instanceof SessionStart && id != null)) {
      policy = policy.or(stated == null ? null : stated.id(), at);
    }
    startedAt = startedAt.or(time, at);
  }

  /** The totals of the run. */
  public RunTotals totals() {
    return totals;
  }

  /** The id of the session. */
  public Fact<String> sessionId() {
    return sessionId;
  }

  /** The policy that the session ran under. */
  public Fact<String> policy() {
    return policy;
  }

  /** The number of the issue that it worked on. */
  public Fact<Long> issueNumber() {
    return issueNumber;
  }

  /** The repository that it worked in. */
  public Fact<JsonObject> repository() {
    return repository;
  }

  /** The time at which it started. */
  public Fact<Timestamp> startedAt() {
    return startedAt;
  }

  /** The time at which it ended. */
  public Fact<Timestamp> endedAt() {
    return endedAt;
  }

  /** The hash of its plan. */
  public Fact<ContentHash> planHash() {
    return planHash;
  }

  /** The change in the number of passing checks that the last verification states. */
  public Fact<Long> delta() {
    return delta;
  }

  /** The numbers of passing tests, from the last verification that states them. */
  public Fact<TestCounts> tests() {
    return tests;
  }

  /** The status of continuous integration, from the last verification that states it. */
  public Fact<String> ciStatus() {
    return ciStatus;
  }

  /** The agent's confidence in its work, from 0.0 to 1.0. */
  public Fact<Double> confidence() {
    return confidence;
  }
}
