package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.replay.ReplayRefusedException.Reason;
import dev.agentreplay.engine.replay.policy.OnCircumstance;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.UnknownCircumstanceException;
import dev.agentreplay.engine.replay.settings.CircumstanceNames;
import dev.agentreplay.engine.replay.settings.SettingsComparison;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The check of a recording before anything runs: its verification, and its circumstances against
 * the present ones.
 */
final class RecordingCheck {

  static final String HAS_GAPS = "the recording states gaps: events are missing";
  static final String HAS_NO_END = "the recording has no end";

  private final Replay replay;
  private final RecordingFacts facts;
  private final RecordedExchanges recorded;
  private final VerificationReport verification;
  private final List<Circumstance> circumstances = new ArrayList<>();
  private final ParameterChecks parameters;

  private RecordingCheck(
      Replay replay,
      RecordingFacts facts,
      RecordedExchanges recorded,
      VerificationReport verification) {
    this.replay = replay;
    this.facts = facts;
    this.recorded = recorded;
    this.verification = verification;
    this.parameters = ParameterChecks.of(replay, facts, circumstances::add);
  }

  /**
   * Verifies a recording that was read, and compares its circumstances.
   *
   * @throws UnknownCircumstanceException if the caller names a circumstance that cannot exist
   */
  static RecordingCheck of(Replay replay, RecordingFacts facts, RecordedExchanges recorded)
      throws IOException {
    requireKnown(replay, facts);
    VerificationReport verification =
        SessionVerifier.of(replay.verification).verify(replay.session);
    RecordingCheck check = new RecordingCheck(replay, facts, recorded, verification);
    check.addFacts();
    check.addSettings();
    return check;
  }

  VerificationReport verification() {
    return verification;
  }

  RecordingFacts facts() {
    return facts;
  }

  /** The checks of the parameters of tools. */
  ParameterChecks parameters() {
    return parameters;
  }

  List<Circumstance> circumstances() {
    return List.copyOf(circumstances);
  }

  /** The tree head of the recording; null if it has none, because it is not valid. */
  @Nullable
  TreeHead head() {
    return verification.root() == null || facts.events == 0
        ? null
        : new TreeHead(facts.events, verification.root());
  }

  /** Whether the recording is only replayed because the caller forces it. */
  boolean isForced() {
    return isInvalid() || !verification.unmet().isEmpty() || isUnsupported();
  }

  private boolean isInvalid() {
    return verification.verdict() != Verdict.VALID && verification.verdict() != Verdict.UNVERIFIED;
  }

  private boolean isUnsupported() {
    return facts.header != null && facts.header.support() == ReplayHeader.Support.UNSUPPORTED;
  }

  /** The reason that recorded calls have no result. */
  static String undecided(long calls) {
    return PlainText.count(calls, "recorded call") + " without a result";
  }

  /** Whether the recording states that events are missing. */
  boolean hasGaps() {
    return verification.count(FindingCode.RECORDING_GAP) > 0;
  }

  /**
   * Refuses a recording that cannot be replayed.
   *
   * @throws ReplayRefusedException if it is a published copy, is not valid or of a version that is
   *     not supported, and the caller does not force it, has circumstances that the caller refuses,
   *     or has only hashes of what is to be executed
   */
  void requireReplayable() throws ReplayRefusedException {
    requireOriginal();
    ReplayHeader header = facts.header;
    if (!replay.isForced && header != null && isUnsupported()) {
      throw new ReplayRefusedException(
          Reason.VERSION, "%s: %s".formatted(replay.session.log(), header.versionFault()));
    }
    if (!replay.isForced && isInvalid()) {
      throw new ReplayRefusedException(
          Reason.INVALID,
          "%s: the recording is %s%s"
              .formatted(replay.session.log(), verification.verdict().id(), first()));
    }
    if (!replay.isForced && !verification.unmet().isEmpty()) {
      throw new ReplayRefusedException(
          Reason.INVALID,
          "%s: the verification does not meet the requirements %s"
              .formatted(replay.session.log(), verification.unmet()));
    }
    List<String> refused = circumstances.stream()
        .filter(circumstance -> replay.behavior(circumstance.name()) == OnCircumstance.REFUSE)
        .map(Circumstance::text)
        .toList();
    if (!replay.isForced && !refused.isEmpty()) {
      throw new ReplayRefusedException(
          Reason.CIRCUMSTANCES,
          "%s: %s".formatted(replay.session.log(), String.join("; ", refused)));
    }
    boolean issues =
        replay.policy.mode() == ReplayMode.FULL || replay.policy.mode() == ReplayMode.NODE;
    if (issues && facts.hashOnly > 0) {
      throw new ReplayRefusedException(
          Reason.HASH_ONLY,
          "%s: %s, so that they cannot be executed: use the mode mock or validation"
              .formatted(replay.session.log(), hashOnly()));
    }
  }

  /**
   * Refuses a published copy, also if the caller forces the replay.
   *
   * @throws ReplayRefusedException if the recording is one
   */
  void requireOriginal() throws ReplayRefusedException {
    if (facts.copy != null) {
      throw new ReplayRefusedException(
          Reason.PUBLISHED,
          ("%s: a published copy (policy %s) withholds values that a replay needs: replay the"
                  + " original")
              .formatted(replay.session.log(), Excerpt.of(facts.copy.policy())));
    }
  }

  private String hashOnly() {
    return ("%d of %d calls have only the hash of their parameters or prompt, or a blob that is"
            + " missing or damaged")
        .formatted(facts.hashOnly, recorded.size());
  }

  /** The first finding that makes the recording invalid. */
  private String first() {
    return verification.findings().stream()
        .filter(finding -> replay.verification.failing().contains(finding.code()))
        .findFirst()
        .map(RecordingCheck::text)
        .orElse("");
  }

  private static String text(Finding finding) {
    return ": %s: %s".formatted(finding.code(), finding.message());
  }

  private void addFacts() {
    ReplayHeader header = facts.header;
    if (header == null) {
      add(CircumstanceNames.VERSION, null, null, "the recording has no header");
    } else if (header.support() != ReplayHeader.Support.SUPPORTED) {
      add(CircumstanceNames.VERSION, header.version(), null, String.valueOf(header.versionFault()));
    }
    if (verification.verdict() == Verdict.UNVERIFIED) {
      add(
          CircumstanceNames.VERIFICATION,
          "unverified",
          null,
          "nothing proves that the recording is unchanged");
    } else if (isInvalid()) {
      add(
          CircumstanceNames.VERIFICATION,
          verification.verdict().id(),
          null,
          "the recording is %s%s".formatted(verification.verdict().id(), first()));
    }
    if (facts.end == null) {
      add(
          CircumstanceNames.END,
          null,
          null,
          "the recording has no end: the replay cannot be complete");
    }
    if (facts.hashOnly > 0) {
      add(CircumstanceNames.HASHES, null, null, hashOnly());
    }
    if (facts.isWorkspaceReplaced && replay.workspace != null) {
      add(
          Settings.WORKSPACE,
          null,
          null,
          "the session was resumed on a workspace that had changed: only the first snapshot is"
              + " restored");
    }
    if (hasGaps()) {
      add(CircumstanceNames.GAPS, null, null, HAS_GAPS);
    }
  }

  private void add(
      String name, @Nullable String recordedValue, @Nullable String actual, String message) {
    circumstances.add(new Circumstance(
        name,
        recordedValue == null ? null : JsonString.of(recordedValue),
        actual == null ? null : JsonString.of(actual),
        message));
  }

  private void addSettings() {
    new SettingsComparison(
            facts.comparedSettings(),
            replay.policy,
            replay.executors,
            replay.seed,
            name -> replay.behavior(name) != OnCircumstance.REPORT)
        .with(replay.circumstances == null ? Circumstances.defaults() : replay.circumstances)
        .forEach(each -> circumstances.add(
            new Circumstance(each.name(), each.recorded(), each.present(), each.message())));
  }

  private static void requireKnown(Replay replay, RecordingFacts facts) {
    Set<String> known = CircumstanceNames.known(facts.settings, replay.executors);
    replay.behaviors.forEach((name, behavior) -> {
      if (behavior != OnCircumstance.REPORT && !known.contains(name)) {
        throw new UnknownCircumstanceException(name, known);
      }
    });
  }
}
