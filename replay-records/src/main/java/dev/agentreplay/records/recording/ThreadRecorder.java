package dev.agentreplay.records.recording;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.InterventionSummary;
import dev.agentreplay.records.Kickoff;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import dev.agentreplay.records.SessionOutputs;
import dev.agentreplay.records.SessionOutputs.Counts;
import dev.agentreplay.records.SessionOutputs.LintResult;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the record of a thread from its content and the data that was set. */
final class ThreadRecorder {

  private static final String FINAL_ARTIFACT = "outputs.final_artifact_hash";

  private final SessionRecording options;
  private final Ledger ledger = new Ledger();

  /** The texts of the record. */
  private final List<String> texts = new ArrayList<>();

  ThreadRecorder(SessionRecording options) {
    this.options = options;
  }

  RecordedThread record(SessionRecording.Source source) throws IOException {
    ThreadContent content = source.read(options, ledger);
    content.messages().forEach(message -> texts.add(message.text()));
    String sessionId = sessionId(content);
    RecordTime now = RecordTime.of(options.clock.instant().truncatedTo(ChronoUnit.MILLIS));
    SessionRecord record = SessionRecord.createEmpty(sessionId, now)
        .withInputs(inputs(sessionId, content))
        .withTrace(trace(content))
        .withOutputs(outputs(content));
    SessionRecords.read(record.toJson()); // what was set may break constraints
    return new RecordedThread(record, RecordTexts.of(texts), ledger.entries());
  }

  private String sessionId(ThreadContent content) {
    if (options.sessionId != null) {
      return options.sessionId;
    }
    if (options.kickoff != null) {
      ledger.generated("session_id", "kickoff", "The session is the thread of the kickoff.");
      return options.kickoff.threadId();
    }
    String id = content.id();
    if (id == null) {
      throw new IllegalArgumentException("expected a session id or a kickoff, found neither, and no"
          + " message states its thread_id");
    }
    return id;
  }

  private SessionInputs inputs(String sessionId, ThreadContent content) {
    SessionInputs inputs = SessionInputs.of(kickoff(sessionId, content))
        .withAgentRoster(roster(content))
        .withProtocolVersions(protocolVersions());
    if (options.evidence == null) {
      ledger.assumed("inputs.external_evidence", "No evidence was given: the session had none.");
      return inputs;
    }
    return inputs.withExternalEvidence(options.evidence);
  }

  private Kickoff kickoff(String sessionId, ThreadContent content) {
    if (options.kickoff != null) {
      return options.kickoff;
    }
    Kickoff kickoff = Kickoff.of(sessionId);
    ThreadMessage message = content.messages().stream()
        .filter(each -> each.type() == TraceMessage.Type.KICKOFF)
        .findFirst()
        .orElse(null);
    if (message == null) {
      ledger.assumed("inputs.kickoff", "No kickoff was given: it has only a thread.");
      return kickoff;
    }
    ledger.generated(
        "inputs.kickoff.kickoff_body_md",
        message.source(),
        "The text of the first KICKOFF is that of the kickoff.");
    return kickoff.withBody(message.text());
  }

  private List<AgentRosterEntry> roster(ThreadContent content) {
    if (options.roster != null) {
      return options.roster;
    }
    if (content.roster().isEmpty()) {
      ledger.assumed(
          "inputs.agent_roster", "No roster was given: it is empty, and no agent can be replayed.");
    }
    return content.roster();
  }

  private ProtocolVersions protocolVersions() {
    if (options.protocolVersions != null) {
      return options.protocolVersions;
    }
    ledger.assumed(
        "inputs.protocol_versions",
        "No versions were given: delta_format and artifact_schema have their default, "
            + ProtocolVersions.DEFAULT_VERSION
            + ".");
    return ProtocolVersions.defaults();
  }

  private SessionTrace trace(ThreadContent content) {
    List<OperatorIntervention> interventions = options.interventions;
    if (interventions == null) {
      ledger.assumed("trace.interventions", "No interventions were given: there were none.");
      interventions = List.of();
    }
    RecordTime start = content.start();
    RecordTime end = content.end();
    for (OperatorIntervention intervention : interventions) {
      start = ThreadRound.earlier(start, intervention.timestamp());
      end = ThreadRound.later(end, intervention.timestamp());
    }
    if (!start.equals(content.start()) || !end.equals(content.end())) {
      ledger.noted(
          "trace",
          "interventions",
          "An intervention before or after all rounds extends the trace.");
    }
    List<SessionTrace.Round> rounds = new ArrayList<>();
    for (ThreadRound round : content.rounds()) {
      rounds.add(round.traced(rounds.size()));
    }
    return new SessionTrace(
        rounds,
        interventions,
        InterventionSummary.of(interventions),
        ThreadRound.millis(start, end),
        start,
        end,
        JsonObject.EMPTY);
  }

  private SessionOutputs outputs(ThreadContent content) {
    SessionOutputs outputs = SessionOutputs.EMPTY.withFinalArtifactHash(finalArtifact(content));
    LintResult lint = options.lintResult;
    if (lint == null) {
      ledger.assumed("outputs.lint_result", "No result was given: the artifact has no errors.");
      lint = LintResult.CLEAN;
    }
    Counts counts = options.counts;
    if (counts == null) {
      ledger.assumed("outputs", "No counts were given: hypothesis_count and test_count are 0.");
      counts = Counts.of(0, 0);
    }
    return outputs.withLintResult(lint).withCounts(counts).withScorecard(options.scorecard);
  }

  private RecordHash finalArtifact(ThreadContent content) {
    RecordHash compiled = lastCompiled(content);
    ThreadContent.Artifact last = content.artifact();
    if (options.artifact != null) {
      texts.add(options.artifact);
      RecordHash given = RecordHash.ofContent(options.artifact);
      if (compiled != null && !compiled.equals(given)) {
        ledger.noted(
            FINAL_ARTIFACT,
            "artifact",
            "The given artifact differs from the last compiled one. The record states both.");
      }
      return given;
    } else if (compiled != null) {
      ledger.generated(
          FINAL_ARTIFACT,
          "trace.rounds[].compiled_artifact_hash",
          "The last compiled artifact is the final one.");
      return compiled;
    } else if (last != null) {
      texts.add(last.text());
      ledger.generated(FINAL_ARTIFACT, last.source(), last.rule());
      return RecordHash.ofContent(last.text());
    }
    ledger.assumed(
        FINAL_ARTIFACT,
        "No artifact was given or compiled: the hash is empty, and the record is not replayable.");
    return RecordHash.NONE;
  }

  private static @Nullable RecordHash lastCompiled(ThreadContent content) {
    RecordHash last = null;
    for (ThreadRound round : content.rounds()) {
      last = round.artifact() == null ? last : round.artifact();
    }
    return last;
  }
}
