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
 * What a log says of its session as a whole, for receipts: made and verified by the same fold.
 * Where several events say something, the last one counts. Not safe for use by several threads.
 */
public final class SessionFacts {

  /**
   * Something that an event may say.
   *
   * @param isSaid whether there was an event that could say it
   * @param value what was said, or null
   * @param at where; null when nothing was said, or whoever added the event did not know
   */
  public record Fact<T>(boolean isSaid, @Nullable T value, @Nullable Position at) {

    private static <T> Fact<T> none() {
      return new Fact<>(false, null, null);
    }

    private static <T> Fact<T> of(@Nullable T value, @Nullable Position at) {
      return new Fact<>(true, value, at);
    }

    /** This fact, unless an event says it anew. */
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

  /** The facts of no events. */
  public SessionFacts() {}

  /**
   * Adds an event. Of results, only those that answer a call count, which {@link #totals} is told.
   *
   * @param time when it happened, as it was written
   */
  public void add(ReplayEvent event, @Nullable Timestamp time, @Nullable Position at) {
    totals.add(event);
    if (event instanceof SessionStart start) {
      start(start, start.policy(), time, at);
      issueNumber = Fact.of(start.issueNumber(), at);
      repository = Fact.of(start.repository(), at);
    } else if (event instanceof ReplayHeader header && header.meta().sessionId() != null) {
      start(header, header.policy(), time, at); // of a draft
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

  /** The session. */
  public Fact<String> sessionId() {
    return sessionId;
  }

  /** The policy it ran under. */
  public Fact<String> policy() {
    return policy;
  }

  /** The issue it worked on. */
  public Fact<Long> issueNumber() {
    return issueNumber;
  }

  /** Where it worked. */
  public Fact<JsonObject> repository() {
    return repository;
  }

  /** When it started. */
  public Fact<Timestamp> startedAt() {
    return startedAt;
  }

  /** When it ended. */
  public Fact<Timestamp> endedAt() {
    return endedAt;
  }

  /** The hash of its plan. */
  public Fact<ContentHash> planHash() {
    return planHash;
  }

  /** How many more checks pass than before, as the last verification says. */
  public Fact<Long> delta() {
    return delta;
  }

  /** How many tests passed, as the last verification says that counted them. */
  public Fact<TestCounts> tests() {
    return tests;
  }

  /** What continuous integration said, as the last verification says that knows it. */
  public Fact<String> ciStatus() {
    return ciStatus;
  }

  /** How sure the agent is of its work. */
  public Fact<Double> confidence() {
    return confidence;
  }
}
