package dev.agentreplay.cli.text;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.engine.message.ModelMessage;
import dev.agentreplay.engine.published.PublishedCopy;
import dev.agentreplay.engine.view.SessionOrigin;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.ImportOrigin;
import dev.agentreplay.model.ImportedRecord;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Renders events as text, one line each. Calls are numbered from 0; a result has the number of its
 * call.
 */
public final class EventText {

  private static final int TOOL_WIDTH = 14;
  private static final int AGENT_WIDTH = 10;
  private static final int ACTION_WIDTH = 10;
  private static final int MIN_WIDTH = 40;

  /** The lines of the other events: parts separated by |, each left out if its member is absent. */
  private static final Map<EventKind, String> LINES = Map.ofEntries(
      Map.entry(
          EventKind.REPLAY_HEADER,
          "log| of {producer}|, format version {replay_version}|, session {session_id}|, {replay_of}"
              + "|, imported from {imported_from}"),
      Map.entry(
          EventKind.SESSION_START,
          "session| {session_id}|, policy {policy_version}|, policy {policy_bundle_id}"
              + "|, issue {issue_number}|, user {user}|, environment {environment}|: {task}"
              + "|, tags {tags}"),
      Map.entry(EventKind.PLAN_START, "plan|, steps: {step_count}"),
      Map.entry(EventKind.STEP_COMPLETE, "step {step_id}|: {status}"),
      Map.entry(EventKind.PAYMENT, "payment| of msats {amount_msats}| over {rail}"),
      Map.entry(EventKind.RUNTIME_EVENT, "runtime| {runtime_event_type}| {payload}"),
      Map.entry(EventKind.MODEL_CALL, "model {id}| {model}|: {prompt}"),
      Map.entry(
          EventKind.MODEL_RESULT,
          "answer {id}|, {outcome}|, {finish_reason}|, tokens read: {tokens_in}|, written: {tokens_out}"
              + "|, {chunks}|: {answer}"),
      Map.entry(EventKind.SETTINGS, "settings: {values}"),
      Map.entry(EventKind.FILE_STATE, "file {path}|: {change}|, bytes: {bytes}|, mode: {mode}"),
      Map.entry(EventKind.RECORDED_VALUE, "value {ordinal}| of {source}|: {value}"),
      Map.entry(EventKind.CHECKPOINT, "checkpoint| of lines: {tree_size}"),
      Map.entry(
          EventKind.RECORDING_GAP,
          "gap|, events not recorded: {unrecorded_events}|, since {since}|: {reason}"),
      Map.entry(
          EventKind.LOG_SEGMENT,
          "segment {segment}|, lines before: {lines_before}|, bytes before: {bytes_before}"),
      Map.entry(
          EventKind.SESSION_END,
          "end: {status}|, confidence {confidence}|, tool calls: {total_tool_calls}"
              + "|, latency in ms: {total_latency_ms}"));

  /** The line of the header of a fork, whose changes would be cut at the end of a longer line. */
  private static final String FORK =
      "log|, {replay_of}|, of {producer}|, format version {replay_version}|, session {session_id}";

  private static final Pattern MEMBER = Pattern.compile("\\{([a-z_]+)\\}");

  private final Style style;
  private final int width;
  private final CallPairing<Integer> pairing = new CallPairing<>();
  private WithheldMembers withheld = WithheldMembers.NONE;
  private int calls;

  /**
   * A renderer of one session.
   *
   * @param width the width of a line in columns; longer values are cut
   */
  public EventText(Style style, int width) {
    this.style = style;
    this.width = width;
  }

  /**
   * Renders an event of a published copy as {@link #render(ReplayEvent)} does: what is withheld as
   * {@code withheld}, and the rules of replaced texts at the end.
   *
   * @param line the line of the log
   * @param event the event without the members that publication adds
   */
  public String render(ReplayEvent event, JsonObject line, PublishedCopy copy) {
    withheld = WithheldMembers.of(copy, line);
    String note = Style.fit(withheld.replaced(), width / 2);
    if (PublishedCopy.of(line) != null) {
      note = ", published copy, policy " + Style.fit(copy.policy(), width / 4) + note;
    }
    String text = rendered(event, Math.max(MIN_WIDTH, width - note.length()));
    withheld = WithheldMembers.NONE;
    return text + style.dim(note);
  }

  /**
   * Renders an event; one of an agent begins with the id of the agent in brackets. One of a replay
   * ends with the action of its provenance in parentheses, one of an import with the place of its
   * record.
   */
  public String render(ReplayEvent event) {
    return rendered(event, width);
  }

  private String rendered(ReplayEvent event, int left) {
    Provenance provenance = Provenance.of(event);
    ImportedRecord source = ImportedRecord.of(event);
    String from;
    if (provenance != null) {
      from = " (" + Style.fit(provenance.action(), ACTION_WIDTH) + ")";
    } else if (source != null) {
      from = " (" + Style.fit(source.place(), width / 4) + ")";
    } else {
      return inLane(event, left);
    }
    return inLane(event, Math.max(MIN_WIDTH, left - from.length())) + style.dim(from);
  }

  private String inLane(ReplayEvent event, int left) {
    String agent = event.meta().agent();
    if (agent == null) {
      return render(event, left);
    }
    String lane = "[" + Style.fit(agent, Math.max(AGENT_WIDTH, width / 5)) + "] ";
    return style.name(lane) + render(event, Math.max(MIN_WIDTH, left - lane.length()));
  }

  private String render(ReplayEvent event, int left) {
    if (event instanceof ToolCall call) {
      return call(call, left);
    }
    if (event instanceof ToolResult result) {
      return result(result, left);
    }
    String text = Style.fit(other(event), left);
    return event instanceof ModelResult result && !result.succeeded()
        ? style.warn(text)
        : style.dim(text);
  }

  private String call(ToolCall call, int columns) {
    int number = calls++;
    pairing.call(call.id(), call.meta().agent(), number);
    String label = "#%-3d ".formatted(number);
    String tool = "%-14s ".formatted(Style.fit(call.tool(), Math.max(TOOL_WIDTH, columns / 3)));
    Long attempt = call.attempt().number();
    String params = (attempt == null || attempt == 1 ? "" : "(attempt " + attempt + ") ")
        + contentOf(call, null);
    return style.bold(label)
        + style.name(tool)
        + Style.fit(params, columns - label.length() - tool.length());
  }

  private String result(ToolResult result, int columns) {
    Integer number = pairing.result(result.id(), result.meta().agent());
    String label = "#%-3s ".formatted(number == null ? "?" : number.toString());
    Long latency = result.latencyMillis();
    String took = latency == null ? "" : "%,d ms".formatted(latency);
    Outcome outcome = result.outcome();
    String ended = outcome.exitCode() != null
        ? "exit " + outcome.exitCode()
        : outcome.succeeded() ? "" : outcome.isKnown() ? "failed" : "unknown";
    String summary = "-> %-7s %9s  ".formatted(ended, took);
    String shown = outcome.succeeded() ? style.dim(summary) : style.warn(summary);
    int left = columns - label.length() - summary.length();
    String streamed = streamed(result.timing().chunks());
    String output =
        (streamed == null ? "" : "(" + streamed + ") ") + contentOf(result, outcome.error());
    return style.dim(label) + shown + Style.fit(output, left);
  }

  /** The number of pieces of a streamed result, and the time of the first; null without pieces. */
  private static @Nullable String streamed(Chunks chunks) {
    return chunks.isEmpty()
        ? null
        : "streamed in %s, first after %,d ms"
            .formatted(PlainText.count(chunks.size(), "piece"), chunks.timeToFirstMillis());
  }

  /** The content of an event on one line, or the error of a failed one without a value. */
  private String contentOf(ReplayEvent event, @Nullable Failure error) {
    Content content = event.content();
    boolean isWithheld =
        content.value() == null && withheld.has(String.valueOf(event.kind().contentName()));
    return isWithheld ? WithheldMembers.WITHHELD : content(content, error);
  }

  /** The value on one line: a string without quotes, from its first line that is not blank. */
  private static String content(Content content) {
    JsonValue value = content.value();
    if (value instanceof JsonString text) {
      return text.value().strip();
    }
    if (value != null) {
      return value.toString();
    }
    if (content.preview() != null) {
      return "(preview) " + content.preview().strip();
    }
    return content.hash() == null ? "" : "(" + content.hash() + ")";
  }

  /** The value of a result on one line, or the error of a failed one without a value. */
  private static String content(Content content, @Nullable Failure error) {
    boolean isEmpty = content.isEmpty() || content.value() instanceof JsonNull;
    if (error == null || !isEmpty) {
      return content(content);
    }
    for (String text : Arrays.asList(error.message(), error.name())) {
      if (text != null && !text.isBlank()) {
        return text.strip();
      }
    }
    return error.json().toString();
  }

  /** The number of messages in a prompt, and the text of the last one. */
  private static String prompt(Content prompt) {
    JsonArray messages =
        prompt.value() instanceof JsonObject json ? new Prompt(json).messages() : JsonArray.EMPTY;
    if (messages.size() == 0) {
      return content(prompt);
    }
    return "message %d, %s".formatted(messages.size(), message(messages.get(messages.size() - 1)));
  }

  /** The summary of a message; the value if it does not have the form of one. */
  private static String message(JsonValue value) {
    ModelMessage message = ModelMessage.of(value);
    return message.isEmpty() ? value.toString() : message.summary().strip();
  }

  /** The message in a record that an import keeps, or else the value. */
  private String record(ReplayEvent event, JsonValue value) {
    ModelMessage message = ImportedRecord.of(event) == null ? null : ModelMessage.inRecord(value);
    return message == null || message.isEmpty()
        ? contentOf(event, null)
        : message.summary().strip();
  }

  private String other(ReplayEvent event) {
    if (event instanceof Verification && (withheld.has("commands") || withheld.has("command"))) {
      return "checked: " + WithheldMembers.WITHHELD;
    } else if (event instanceof Verification verification) {
      return verification.commands().stream()
          .map(run -> run.command() + " -> " + run.exitCode())
          .collect(Collectors.joining("; ", "checked: ", ""));
    } else if (event instanceof FileState file && file.after() == null) {
      return "file " + file.path() + ": deleted";
    } else if (event instanceof UnknownEvent unknown) {
      return "unknown event " + unknown.type() + " " + unknown.meta().extra();
    }
    StringBuilder line = new StringBuilder();
    boolean isFork = event instanceof ReplayHeader header && ForkOrigin.of(header) != null;
    String parts = isFork ? FORK : LINES.getOrDefault(event.kind(), event.kind().id());
    for (String part : parts.split("\\|", -1)) {
      Matcher member = MEMBER.matcher(part);
      Object value = member.find() ? value(event, member.group(1)) : "";
      if (value != null) {
        line.append(member.replaceFirst(Matcher.quoteReplacement(value.toString())));
      }
    }
    return line.toString();
  }

  private @Nullable Object value(ReplayEvent event, String name) {
    if (name.equals(event.kind().contentName())) {
      Failure error = event instanceof ModelResult result ? result.finish().error() : null;
      JsonValue value = event.content().value();
      String text = event instanceof ModelCall && value != null
          ? prompt(event.content())
          : event instanceof RuntimeEvent && value != null
              ? record(event, value)
              : event instanceof ModelResult
                      && (value instanceof JsonObject || value instanceof JsonArray)
                  ? message(value)
                  : contentOf(event, error);
      return text.isEmpty() ? null : text;
    } else if (withheld.has(name)) {
      return WithheldMembers.WITHHELD;
    } else if (event instanceof ReplayHeader header && name.equals(Names.REPLAY_OF)) {
      SessionOrigin origin = SessionOrigin.of(header);
      return origin == null ? null : origin.text();
    } else if (event instanceof ReplayHeader header && name.equals(Names.IMPORTED_FROM)) {
      ImportOrigin origin = ImportOrigin.of(header);
      return origin == null ? null : origin.text();
    } else if (event instanceof ModelResult result && name.equals("outcome")) {
      return result.succeeded() ? null : "failed";
    } else if (event instanceof FileState file && name.equals("change")) {
      return file.before() == null ? "created" : "changed";
    }
    Object value = Dialect.EVENT.members(event.kind()).stream()
        .filter(member -> member.name().equals(name))
        .findFirst()
        .orElseThrow()
        .component(event);
    if (value instanceof Chunks chunks) {
      return streamed(chunks);
    }
    return value instanceof Status status ? status.spelling() : value;
  }
}
