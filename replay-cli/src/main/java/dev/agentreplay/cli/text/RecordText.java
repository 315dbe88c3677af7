package dev.agentreplay.cli.text;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.InvalidRecordException.Problem;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.store.BrokenRecord;
import dev.agentreplay.records.store.RecordCheckReport;
import dev.agentreplay.records.store.RecordSummary;
import dev.agentreplay.records.store.StoredRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Session records as text, and as JSON. */
public final class RecordText {

  private static final int NAME = 60;

  private RecordText() {}

  /** The result of a check. */
  public static String check(SessionRecord record, RecordCheckReport report) {
    StringBuilder text = new StringBuilder();
    text.append("%s: %s\n"
        .formatted(
            record.id(),
            report.isConsistent()
                ? "consistent"
                : PlainText.count(report.problems().size(), "problem")));
    text.append("  texts      %d match their hashes, %d missing, %d altered\n"
        .formatted(report.presentTexts(), report.missingTexts(), report.alteredTexts()));
    text.append(
        report.replayObstacles().isEmpty()
            ? "  replay     can be replayed\n"
            : "  replay     cannot be replayed: %s\n"
                .formatted(String.join("; ", report.replayObstacles())));
    report
        .problems()
        .forEach(problem -> text.append("  problem    %s\n".formatted(Style.plain("" + problem))));
    report
        .notes()
        .forEach(note -> text.append("  note       %s\n".formatted(Style.plain("" + note))));
    return text.toString();
  }

  /** The result of a check as JSON. */
  public static JsonObject json(String name, RecordCheckReport report) {
    return JsonObject.of(
        "schema",
        "replay.session-check/1",
        "record",
        name,
        "verdict",
        report.isConsistent() ? "consistent" : "inconsistent",
        "texts",
        JsonObject.of(
            "present",
            report.presentTexts(),
            "missing",
            report.missingTexts(),
            "altered",
            report.alteredTexts()),
        "replay_obstacles",
        JsonArray.copyOf(report.replayObstacles().stream().map(JsonString::of).toList()),
        "problems",
        problems(report.problems()),
        "notes",
        problems(report.notes()));
  }

  /** The problems of a file that is not a record, as JSON. */
  public static JsonObject json(String name, List<Problem> problems) {
    return JsonObject.of(
        "schema",
        "replay.session-check/1",
        "record",
        name,
        "verdict",
        "unreadable",
        "problems",
        problems(problems));
  }

  private static JsonArray problems(List<Problem> problems) {
    return JsonArray.copyOf(problems.stream()
        .map(problem -> JsonObject.of("path", problem.path(), "message", problem.message()))
        .toList());
  }

  /** The records of a store, one a line. */
  public static String list(List<StoredRecord> records) {
    StringBuilder text = new StringBuilder();
    for (StoredRecord stored : records) {
      if (stored instanceof RecordSummary record) {
        text.append("%s  %s  %s, %s, %s%s\n"
            .formatted(
                record.id(),
                record.createdAt(),
                PlainText.count(record.rounds(), "round"),
                PlainText.count(record.messages(), "message"),
                PlainText.count(record.replays(), "replay"),
                record.isReplayable() ? "" : ", cannot be replayed"));
      } else if (stored instanceof BrokenRecord broken) {
        text.append("%s  cannot be read: %s\n"
            .formatted(Style.plain(broken.id()), Style.plain(broken.error())));
      }
    }
    return text.append(PlainText.count(records.size(), "record")).append('\n').toString();
  }

  /** A record of a store as JSON. */
  public static JsonObject json(StoredRecord stored) {
    if (stored instanceof BrokenRecord broken) {
      return JsonObject.of("id", broken.id(), "error", broken.error());
    }
    RecordSummary record = (RecordSummary) stored;
    return JsonObject.of(
        "id",
        record.id(),
        "session_id",
        record.sessionId(),
        "created_at",
        record.createdAt().text(),
        "rounds",
        record.rounds(),
        "messages",
        record.messages(),
        "replays",
        record.replays(),
        "replayable",
        record.isReplayable());
  }

  /** A record as text. */
  public static String show(SessionRecord record) {
    StringBuilder text = new StringBuilder();
    text.append("%s\n".formatted(record.id()));
    row(text, "session", record.sessionId());
    row(text, "created", record.createdAt().text());
    String question = record.inputs().kickoff().question();
    if (question != null) {
      row(text, "question", question);
    }
    record
        .inputs()
        .externalEvidence()
        .forEach(evidence -> row(text, "evidence", evidence.id() + ", " + evidence.source()));
    for (AgentRosterEntry agent : record.inputs().agentRoster()) {
      row(
          text,
          "agent",
          "%s, %s, %s, %s"
              .formatted(agent.agentName(), agent.role().id(), agent.program(), agent.model()));
    }
    record.trace().rounds().forEach(round -> round(text, round));
    for (OperatorIntervention each : record.trace().interventions()) {
      row(
          text,
          "intervention",
          "%s, %s, %s, %s"
              .formatted(
                  each.severity().id(), each.type().id(), each.operatorId(), each.rationale()));
    }
    row(
        text,
        "artifact",
        record.outputs().finalArtifactHash().isEmpty()
            ? "none"
            : record.outputs().finalArtifactHash().text());
    row(
        text,
        "outputs",
        "%s, %s, %s, %s"
            .formatted(
                record.outputs().counts().hypotheses() + " hypotheses",
                PlainText.count(record.outputs().counts().tests(), "test"),
                PlainText.count(record.outputs().lintResult().errors(), "lint error"),
                PlainText.count(record.outputs().lintResult().warnings(), "lint warning")));
    return text.toString();
  }

  private static void round(StringBuilder text, SessionTrace.Round round) {
    text.append("  round %d, %s\n"
        .formatted(round.roundNumber(), PlainText.count(round.messages().size(), "message")));
    for (TraceMessage message : round.messages()) {
      text.append("    %-8s  %s  %s  %d bytes  %s\n"
          .formatted(
              message.type(),
              message.timestamp(),
              PlainText.fit(message.from(), NAME),
              message.contentLength(),
              PlainText.fit(Objects.requireNonNullElse(message.subject(), ""), NAME))
          .replaceFirst(" +(\\R)$", "$1"));
    }
  }

  private static void row(StringBuilder text, String name, String value) {
    text.append("  %-12s  %s\n".formatted(name, PlainText.fit(value, 200)));
  }

  /** A replay of a record, on one line. */
  public static String replay(Path file, RecordReplayReport report) {
    return "  %-12s  %s  %s  %s, %s\n"
        .formatted(
            "replay",
            report.replayedAt(),
            report.mode().id(),
            report.matches() ? "matches" : "does not match",
            Style.plain(file.toString()));
  }
}
