package dev.agentreplay.engine.view;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.Finding;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a session for reading: its calls with their results, its turns and lanes, and its
 * totals. Immutable and safe for use by several threads.
 *
 * <p>All calls and results are in memory, except for values that are stored in blobs; prompts share
 * the messages that they have in common. {@link SessionSummary} needs bounded memory.
 */
public final class SessionView {

  private final Session session;
  private final ViewBuilder content;
  private final SessionStats totals;
  private final List<RecordedToolCall> calls;
  private final List<RecordedModelCall> modelCalls;
  private final List<Lane> lanes;
  private final List<Turn> turns;

  private SessionView(Session session, ViewBuilder content) {
    this.session = session;
    this.content = content;
    this.totals = content.totals.toStats();
    this.calls = content.toolCalls(session);
    this.modelCalls = content.modelCalls(session);
    LaneBuilder builder = new LaneBuilder(calls, modelCalls);
    this.lanes = builder.lanes();
    this.turns = builder.turns();
  }

  /**
   * Reads the log of a session.
   *
   * @throws IOException if the log cannot be read, or a line is malformed
   */
  public static SessionView read(Session session) throws IOException {
    ViewBuilder content = new ViewBuilder();
    try (ReplayReader reader = session.readerWithFullPrompts()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        content.add(line);
      }
    }
    return new SessionView(session, content);
  }

  /** The session. */
  public Session session() {
    return session;
  }

  /** The number of lines of the log. */
  public long lines() {
    return content.lines;
  }

  /** The first header; null if there is none. In a valid log it is the first line. */
  public @Nullable Recorded<ReplayHeader> header() {
    return content.header;
  }

  /** The first start of the session; null if there is none. */
  public @Nullable Recorded<SessionStart> start() {
    return content.start;
  }

  /** The last end of the session; null if there is none. */
  public @Nullable Recorded<SessionEnd> end() {
    return content.end;
  }

  /** The tool calls, in the order of the log. Unmodifiable. */
  public List<RecordedToolCall> calls() {
    return calls;
  }

  /** The model calls, in the order of the log. Unmodifiable. */
  public List<RecordedModelCall> modelCalls() {
    return modelCalls;
  }

  /** The turns of all agents, in the order of their model calls. Unmodifiable. */
  public List<Turn> turns() {
    return turns;
  }

  /**
   * The lanes of the agents, in the order of their first calls. A session without the ids of agents
   * has one lane, and a session without calls none. Unmodifiable.
   */
  public List<Lane> lanes() {
    return lanes;
  }

  /** The totals of the session. */
  public SessionStats totals() {
    return totals;
  }

  /** The results of tools without a call in the log, in the order of the log. Unmodifiable. */
  public List<Recorded<ToolResult>> resultsWithoutCall() {
    return List.copyOf(content.stray);
  }

  /** The results of models without a call in the log, in the order of the log. Unmodifiable. */
  public List<Recorded<ModelResult>> modelResultsWithoutCall() {
    return List.copyOf(content.strayAnswers);
  }

  /** The statements that events were not recorded, in the order of the log. Unmodifiable. */
  public List<Recorded<RecordingGap>> gaps() {
    return List.copyOf(content.gaps);
  }

  /**
   * The findings of the reader in the lines, such as members of a wrong type, in log order.
   * Unmodifiable.
   */
  public List<Finding> findings() {
    return List.copyOf(content.findings);
  }

  /**
   * The canonical form of values in the log: two values are equal if theirs are. It is the one that
   * the header names; {@code serde} if it names none, or an unknown one.
   */
  public CanonicalJson canonical() {
    return content.canonical();
  }

  /** Whether the log has only a header and the start of a session. */
  public boolean isBlank() {
    return content.isBlank;
  }

  @Override
  public String toString() {
    return "%s: %d lines, %d tool calls, %d model calls"
        .formatted(session.log(), content.lines, calls.size(), modelCalls.size());
  }
}
