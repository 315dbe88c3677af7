package dev.agentreplay.engine.repeat;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.agreement.StepStability;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The report of a {@link RepeatedReplay}. Immutable and safe for use by several threads. */
public final class RepeatedReport {

  /** The verdict on all replays. */
  public enum Verdict {
    /** All replays pass: each is identical, or has less severe divergences only. */
    PASSED,
    /** A replay diverged, and none is incomplete or unverified. */
    DIVERGED,
    /** A replay is incomplete or unverified, or fewer were made than requested. */
    INCOMPLETE;

    /** The text of the constant in JSON. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Session recording;
  private final int requested;
  private final List<ReplayReport> reports;
  private final boolean isInterrupted;
  private final List<SessionDiff> diffs;
  private final List<Session> sessions;
  private final @Nullable FlakinessReport agreement;

  private RepeatedReport(
      Session recording,
      int requested,
      List<ReplayReport> reports,
      boolean isInterrupted,
      List<SessionDiff> diffs,
      List<Session> sessions) {
    this.recording = recording;
    this.requested = requested;
    this.reports = List.copyOf(reports);
    this.isInterrupted = isInterrupted;
    this.diffs = List.copyOf(diffs);
    this.sessions = List.copyOf(sessions);
    this.agreement = diffs.isEmpty() ? null : FlakinessReport.of(diffs);
  }

  static RepeatedReport of(
      Session recording, int requested, List<ReplayReport> reports, boolean isInterrupted)
      throws IOException {
    List<SessionDiff> diffs = new ArrayList<>();
    List<Session> sessions = new ArrayList<>();
    boolean areKept = true;
    for (int i = 0; i < reports.size(); i++) {
      SessionDiff diff = reports.get(i).comparison();
      Path directory = reports.get(i).directory();
      if (diff != null) {
        String name = directory == null ? "run " + (i + 1) : directory.toString();
        diffs.add(diff.withNames(diff.left().name(), name));
        areKept &= directory != null;
        if (directory != null) {
          sessions.add(Session.open(directory));
        }
      }
    }
    return new RepeatedReport(
        recording, requested, reports, isInterrupted, diffs, areKept ? sessions : List.of());
  }

  /**
   * Returns this report without the sessions of the replays, whose names are then their numbers,
   * for a caller that deletes them.
   */
  public RepeatedReport withoutSessions() {
    List<SessionDiff> named = new ArrayList<>();
    for (int i = 0; i < diffs.size(); i++) {
      named.add(diffs.get(i).withNames(diffs.get(i).left().name(), "run " + (i + 1)));
    }
    return new RepeatedReport(recording, requested, reports, isInterrupted, named, List.of());
  }

  /** The recording. */
  public Session recording() {
    return recording;
  }

  /** The number of replays that were requested. */
  public int requested() {
    return requested;
  }

  /** The reports of the replays that were made, in order. */
  public List<ReplayReport> reports() {
    return reports;
  }

  /** Whether the caller stopped before all replays were complete. */
  public boolean isInterrupted() {
    return isInterrupted;
  }

  /** The comparisons of the recording with the session of each replay that has one, in order. */
  public List<SessionDiff> diffs() {
    return diffs;
  }

  /** The sessions of {@link #diffs}, in order; empty if they are not kept. */
  public List<Session> sessions() {
    return sessions;
  }

  /**
   * The agreement of the sessions of the replays with the recording, step by step; null if no
   * replay has a comparison. A replay that was stopped agrees in the steps that it did not reach.
   */
  public @Nullable FlakinessReport agreement() {
    return agreement;
  }

  /** The number of replays that pass. */
  public int passed() {
    return (int) reports.stream().filter(ReplayReport::passes).count();
  }

  /** The share of the replays that pass among those that were made, from 0.0 to 100.0. */
  public double passRate() {
    return reports.isEmpty() ? 0 : 100.0 * passed() / reports.size();
  }

  /** The number of replays that were stopped before their agent returned. */
  public int stopped() {
    return (int) reports.stream().filter(ReplayReport::isStopped).count();
  }

  /** The number of replays with each verdict, zeros included. Unmodifiable. */
  public Map<ReplayVerdict, Integer> verdicts() {
    Map<ReplayVerdict, Integer> counts = new EnumMap<>(ReplayVerdict.class);
    for (ReplayVerdict verdict : ReplayVerdict.values()) {
      counts.put(verdict, 0);
    }
    reports.forEach(report -> counts.merge(report.verdict(), 1, Integer::sum));
    return Collections.unmodifiableMap(counts);
  }

  /** The verdict on all replays. */
  public Verdict verdict() {
    if (reports.size() < requested || reports.stream().anyMatch(ReplayReport::isInconclusive)) {
      return Verdict.INCOMPLETE;
    }
    return passed() == reports.size() ? Verdict.PASSED : Verdict.DIVERGED;
  }

  /**
   * The first step, in the order of the recording, in which not all replays agree with it; null if
   * all agree.
   */
  public @Nullable StepStability first() {
    return agreement == null || agreement.unstable().isEmpty()
        ? null
        : agreement.unstable().get(0);
  }

  /** The first line of a text report, as in "8 of 10 replays pass (80.0%)". */
  public String headline() {
    StringBuilder text = new StringBuilder("%d of %s %s (%s%%)"
        .formatted(
            passed(),
            PlainText.count(reports.size(), "replay"),
            passed() == 1 ? "passes" : "pass",
            // rounded down: 100.0% only if all pass
            String.format(Locale.ROOT, "%.1f", Math.floor(passRate() * 10) / 10)));
    verdicts().forEach((verdict, count) -> {
      if (count > 0 && count < reports.size()) {
        text.append(", %d %s".formatted(count, verdict.id()));
      } else if (count > 0) {
        text.append(", all ").append(verdict.id());
      }
    });
    return reports.size() < requested
        ? text + "; interrupted, %d were requested".formatted(requested)
        : text.toString();
  }
}
