package dev.agentreplay.convert.trace.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The formats of the traces of other tools. */
public enum TraceFormat {
  /** The session transcripts of Claude Code: JSON lines. */
  CLAUDE_CODE("a Claude Code transcript"),
  /** The rollouts of Codex: JSON lines, possibly compressed with Zstandard. */
  CODEX("a Codex rollout"),
  /** The Agent Trajectory Interchange Format of Harbor: a JSON document. */
  ATIF("an ATIF trajectory"),
  /** The evaluation logs of Inspect: an archive, or a JSON document. */
  INSPECT("an Inspect evaluation log"),
  /** OpenTelemetry spans with GenAI attributes, in OTLP JSON or as tools dump them. */
  OTEL("OpenTelemetry GenAI spans"),
  /** OpenTelemetry spans with the attributes of OpenInference. */
  OPENINFERENCE("OpenInference spans"),
  /** The chats of Gemini CLI: a JSON document, or JSON lines with changes. */
  GEMINI_CLI("a Gemini CLI chat"),
  /** The events of OpenHands V1: a directory, JSON lines or a JSON array. */
  OPENHANDS("OpenHands events"),
  /** The trajectories of SWE-agent and mini-SWE-agent: a JSON document. */
  SWE_AGENT("a SWE-agent trajectory"),
  /** The observations that Langfuse exports: JSON lines or a JSON array. */
  LANGFUSE("a Langfuse export"),
  /** The recordings of the Google Agent Development Kit: YAML or JSON. */
  ADK("a Google ADK recording"),
  /** The messages between a client and a server of the Model Context Protocol: JSON lines. */
  MCP("a log of MCP messages");

  private final String title;

  TraceFormat(String title) {
    this.title = title;
  }

  /** The name in options and reports, such as {@code claude-code}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A phrase for messages, such as "a Claude Code transcript". */
  public String title() {
    return title;
  }

  /** Returns the format with the given name; null if there is none. */
  public static @Nullable TraceFormat find(String id) {
    for (TraceFormat format : values()) {
      if (format.id().equals(id)) {
        return format;
      }
    }
    return null;
  }
}
