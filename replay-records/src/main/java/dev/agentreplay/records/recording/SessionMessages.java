package dev.agentreplay.records.recording;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.TraceMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The messages and the ends of rounds in the log of a session. */
final class SessionMessages {

  /**
   * A message, or the end of a step or session.
   *
   * @param message the message; null for an end
   * @param isStep whether it is the end of a step, which is a round even without messages
   */
  record Item(@Nullable ThreadMessage message, RecordTime time, boolean isStep) {}

  /** An item whose time and sender may not be known yet. */
  private record Draft(
      @Nullable RecordTime time,
      boolean isStep,
      TraceMessage.@Nullable Type type,
      String from,
      String text,
      String source) {}

  private final Session session;
  private final boolean hasModelResults;
  private final SessionAgents agents = new SessionAgents();
  private final LeftOut leftOut = new LeftOut();
  private final List<Draft> drafts = new ArrayList<>();
  private final List<Item> items = new ArrayList<>();
  private CanonicalJson canonical = CanonicalJson.SERDE;
  private @Nullable RecordTime first;
  private @Nullable RecordTime last;
  private @Nullable RecordTime sessionStart;
  private @Nullable RecordTime sessionEnd;
  private ThreadContent.@Nullable Artifact summary;
  private ThreadContent.@Nullable Artifact lastText;

  /**
   * Prepares to read a log.
   *
   * @param hasModelResults whether the log has model results; otherwise its tool results are used
   */
  SessionMessages(Session session, boolean hasModelResults) {
    this.session = session;
    this.hasModelResults = hasModelResults;
  }

  void add(ReplayLine line) throws IOException {
    ReplayEvent event = line.event();
    String source = "line " + line.position().line();
    leftOut.findings(line.findings(), source);
    Timestamp stated = event.time();
    if (stated != null) {
      last = RecordTime.parse(stated.text());
      first = first == null ? last : first;
    }
    if (event instanceof ReplayHeader header) {
      header(header);
    } else if (event instanceof SessionStart start) {
      start(start, source);
    } else if (event instanceof ModelCall call) {
      agents.call(call);
      leftOut.event(event);
    } else if (event instanceof ModelResult result) {
      String from = agents.result(result);
      message(TraceMessage.Type.RESULT, from, result, source);
    } else if (event instanceof ToolResult result && !hasModelResults) {
      message(TraceMessage.Type.EVIDENCE, agents.result(result), result, source);
    } else if (event instanceof StepComplete) {
      end(true, source);
    } else if (event instanceof SessionEnd end) {
      end(false, source);
      sessionEnd = last;
      summary = end.summary() == null
          ? summary
          : new ThreadContent.Artifact(
              end.summary(), source, "The summary of the session is taken as the final artifact.");
    } else {
      leftOut.event(event);
    }
    if (stated == null && isTimed(event)) {
      leftOut.untimed(source);
    }
  }

  /** Whether the time of an event is used for a message, or for the end of a round. */
  private boolean isTimed(ReplayEvent event) {
    return event instanceof SessionStart
        || event instanceof SessionEnd
        || event instanceof StepComplete
        || event instanceof ModelResult
        || (event instanceof ToolResult && !hasModelResults);
  }

  private void header(ReplayHeader header) throws ReplayFormatException {
    if (header.support() == ReplayHeader.Support.UNSUPPORTED) {
      throw ReplayFormatException.unsupported(session.log(), header);
    }
    CanonicalJson named = CanonicalJson.namedBy(header);
    canonical = named == null ? CanonicalJson.SERDE : named;
    agents.producer(header.producer());
  }

  private void start(SessionStart start, String source) {
    sessionStart = sessionStart == null ? last : sessionStart;
    SessionStart.Task task = start.task();
    List<String> parts = new ArrayList<>();
    if (task.text() != null) {
      parts.add(task.text());
    }
    if (task.instructions() != null) {
      parts.add(task.instructions());
    }
    if (task.context() != null) {
      parts.add(text(task.context()));
    }
    if (!parts.isEmpty()) {
      String text = String.join("\n\n", parts);
      drafts.add(new Draft(last, false, TraceMessage.Type.KICKOFF, "", text, source));
    }
  }

  private void message(TraceMessage.Type type, String from, ReplayEvent event, String source)
      throws IOException {
    String text = resolve(event.content(), source);
    if (text == null) {
      leftOut.unknownText(source);
      return;
    }
    agents.sent(from);
    drafts.add(new Draft(last, false, type, from, text, source));
    lastText = new ThreadContent.Artifact(
        text, source, "The last %s is taken as the final artifact.".formatted(type.id()));
  }

  private void end(boolean isStep, String source) {
    drafts.add(new Draft(last, isStep, null, "", "", source));
  }

  /** Returns the text of a value; null if the session does not have the value. */
  private @Nullable String resolve(Content content, String source) throws IOException {
    JsonValue value;
    try {
      value = session.resolve(content, JsonLimits.defaults());
    } catch (IOException e) {
      throw new IOException(
          "%s: %s: %s"
              .formatted(PlainText.escaped(session.log().toString()), source, e.getMessage()),
          e);
    }
    return value == null ? null : text(value);
  }

  private String text(JsonValue value) {
    if (value instanceof JsonString text) {
      return text.value();
    }
    // JCS refuses integers that it would round
    return canonical.tryHash(value) == null
        ? CanonicalJson.SERDE.text(value)
        : canonical.text(value);
  }

  /**
   * Completes the messages after the last line.
   *
   * @param now the time if the log does not state any
   * @param roster the names that an operator may not have; null for none
   */
  void finish(RecordTime now, @Nullable List<AgentRosterEntry> roster, Ledger ledger) {
    RecordTime unknown = first == null ? now : first;
    sessionStart = sessionStart == null ? unknown : sessionStart;
    last = last == null ? unknown : last;
    sessionEnd = sessionEnd == null ? last : ThreadRound.later(sessionEnd, sessionStart);
    String operator = agents.operator(roster == null ? List.of() : roster);
    for (Draft draft : drafts) {
      RecordTime time = draft.time == null ? unknown : draft.time;
      boolean isKickoff = draft.type == TraceMessage.Type.KICKOFF;
      ThreadMessage message = draft.type == null
          ? null
          : new ThreadMessage(
              null,
              time,
              isKickoff ? operator : draft.from,
              draft.type,
              null,
              draft.text,
              null,
              draft.source);
      items.add(new Item(message, time, draft.isStep));
      if (isKickoff) {
        ledger.generated(
            "trace.rounds[].messages[]",
            draft.source,
            "The task of the session is a KICKOFF from \"%s\".".formatted(operator));
      }
    }
    leftOut.state(ledger, first != null);
    if (!hasModelResults) {
      ledger.generated(
          "trace.rounds[].messages[]",
          "events ToolResult",
          "The log has no ModelResult: each output of a tool is EVIDENCE of its agent.");
    }
  }

  List<Item> items() {
    return items;
  }

  RecordTime start() {
    return Objects.requireNonNull(sessionStart, "finished");
  }

  RecordTime end() {
    return Objects.requireNonNull(sessionEnd, "finished");
  }

  List<AgentRosterEntry> roster(Ledger ledger) {
    return agents.roster(ledger);
  }

  /** The text that is taken as the final artifact; null if there is no text. */
  ThreadContent.@Nullable Artifact artifact() {
    return summary == null ? lastText : summary;
  }
}
