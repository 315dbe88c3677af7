package dev.agentreplay.records.recording;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.EvidenceRecordSummary;
import dev.agentreplay.records.InvalidRecordException;
import dev.agentreplay.records.Kickoff;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import dev.agentreplay.records.SessionOutputs.Counts;
import dev.agentreplay.records.SessionOutputs.LintResult;
import dev.agentreplay.records.SessionOutputs.Scorecard;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a session record (specification 004) from an export of messages, or from a recorded
 * session, and states in a ledger all that it generates, assumes or leaves out.
 *
 * <p>From an export: a round ends with COMPILE or PUBLISH, and with the PUBLISH and ACK messages
 * that directly follow. Round 0 begins with the first message.
 *
 * <p>From a session: the task is a KICKOFF, each model result is a RESULT of its agent, or of its
 * model if the event does not state an agent. If the log has no model results, each tool result is
 * EVIDENCE of its agent, or of the producer. A text is the value itself, of another value its
 * canonical JSON. The end of a step ends a round, and the end of the session the last one.
 *
 * <p>Data that the source does not have is set here. For use by one thread.
 */
public final class SessionRecording {

  /** Reads the source of a record. */
  @FunctionalInterface
  interface Source {
    ThreadContent read(SessionRecording options, Ledger ledger) throws IOException;
  }

  private final Source source;
  InstantSource clock = InstantSource.system();
  boolean hasArtifacts;

  @Nullable
  String sessionId;

  @Nullable
  Kickoff kickoff;

  @Nullable
  List<AgentRosterEntry> roster;

  @Nullable
  List<EvidenceRecordSummary> evidence;

  @Nullable
  String artifact;

  @Nullable
  List<OperatorIntervention> interventions;

  @Nullable
  LintResult lintResult;

  @Nullable
  Counts counts;

  @Nullable
  ProtocolVersions protocolVersions;

  Scorecard scorecard = Scorecard.NONE;

  private SessionRecording(Source source) {
    this.source = source;
  }

  /** Begins a record of an export. */
  public static SessionRecording of(MessageExport export) {
    Objects.requireNonNull(export, "export");
    return new SessionRecording((options, ledger) -> ExportContent.of(export, options, ledger));
  }

  /** Begins a record of a session, whose log and blobs are read by {@link #record}. */
  public static SessionRecording of(Session session) {
    Objects.requireNonNull(session, "session");
    return new SessionRecording((options, ledger) -> SessionContent.of(session, options, ledger));
  }

  /**
   * Sets the id of the session. By default it is the thread of the {@link #kickoff}, the one that
   * the messages state, or that of the recorded session.
   *
   * @throws IllegalArgumentException if it is empty
   */
  public SessionRecording sessionId(String id) {
    if (id.isEmpty()) {
      throw new IllegalArgumentException("session id must not be empty");
    }
    sessionId = id;
    return this;
  }

  /** Sets the kickoff. By default it has the thread, and the text of the first KICKOFF. */
  public SessionRecording kickoff(Kickoff newKickoff) {
    kickoff = Objects.requireNonNull(newKickoff, "kickoff");
    return this;
  }

  /**
   * Sets the roster of the agents. By default it is empty for an export, and generated for a
   * session.
   */
  public SessionRecording roster(List<AgentRosterEntry> newRoster) {
    roster = List.copyOf(newRoster);
    return this;
  }

  /** Sets the evidence that the session was given; none by default. */
  public SessionRecording evidence(List<EvidenceRecordSummary> newEvidence) {
    evidence = List.copyOf(newEvidence);
    return this;
  }

  /**
   * Sets the text of the final artifact. By default it is the last compiled artifact of an export,
   * and the summary or the last text of a session.
   */
  public SessionRecording artifact(String text) {
    artifact = Objects.requireNonNull(text, "text");
    return this;
  }

  /**
   * Sets whether the text of a COMPILE message, or of PUBLISH in a round without one, is the
   * artifact that was compiled after its round; false by default. Has no effect on a session.
   */
  public SessionRecording compiledBodies(boolean areArtifacts) {
    hasArtifacts = areArtifacts;
    return this;
  }

  /** Sets the result of linting the artifact; by default there are no errors and warnings. */
  public SessionRecording lintResult(LintResult newLintResult) {
    lintResult = Objects.requireNonNull(newLintResult, "lintResult");
    return this;
  }

  /** Sets the numbers of items in the artifact; 0 hypotheses and tests by default. */
  public SessionRecording counts(Counts newCounts) {
    counts = Objects.requireNonNull(newCounts, "counts");
    return this;
  }

  /** Sets the grade of the artifact; none by default. */
  public SessionRecording scorecard(Scorecard newScorecard) {
    scorecard = Objects.requireNonNull(newScorecard, "scorecard");
    return this;
  }

  /** Sets the interventions of operators; none by default. Their summary is computed. */
  public SessionRecording interventions(List<OperatorIntervention> newInterventions) {
    interventions = List.copyOf(newInterventions);
    return this;
  }

  /** Sets the versions of the protocols; {@link ProtocolVersions#defaults} by default. */
  public SessionRecording protocolVersions(ProtocolVersions newVersions) {
    protocolVersions = Objects.requireNonNull(newVersions, "protocolVersions");
    return this;
  }

  /** Sets the clock from which the record takes its time; that of the system by default. */
  public SessionRecording clock(InstantSource newClock) {
    clock = Objects.requireNonNull(newClock, "clock");
    return this;
  }

  /**
   * Makes the record.
   *
   * @throws IllegalArgumentException if an export does not state its thread, and no session id is
   *     set; or if a text has a lone surrogate
   * @throws InvalidRecordException if data that was set breaks constraints of the specification
   * @throws IOException if a session cannot be read, or one of its blobs
   */
  public RecordedThread record() throws IOException {
    return new ThreadRecorder(this).record(source);
  }
}
