package dev.agentreplay.engine.exchange;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.EventComparison;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines of a report on a miss that show the request, and what explains the miss. */
final class MissNotes {

  private static final int MAX_EXCERPT = 200;

  /** The longest text that is searched for what a rule ignores. */
  private static final int MAX_TEXT = 10_000;

  /** The most recorded requests that are listed. */
  private static final int MAX_LISTED = 3;

  private final RecordedExchanges recording;

  MissNotes(RecordedExchanges recording) {
    this.recording = recording;
  }

  /**
   * The line that shows a request: its parameters, or of a prompt the last message; null if its
   * content is not known.
   */
  static @Nullable String request(ReplayEvent request) {
    JsonValue content = request.content().value();
    if (content == null) {
      return null;
    }
    JsonValue last = last(request);
    return last == null
        ? (request instanceof ModelCall ? "prompt: " : "request: ") + excerpt(content)
        : "last message: " + excerpt(last);
  }

  private static @Nullable JsonValue last(ReplayEvent request) {
    return request instanceof ModelCall && request.content().value() instanceof JsonObject prompt
        ? new ModelCall.Prompt(prompt).lastMessage()
        : null;
  }

  /**
   * The lines after the nearest recorded request.
   *
   * @param changes the places at which it differs from the request
   */
  List<String> of(LaneExchanges lane, RecordedExchange nearest, List<ValueChange> changes)
      throws IOException {
    List<String> notes = new ArrayList<>();
    List<RecordedExchange> open = lane.openBefore(nearest, MAX_LISTED + 1);
    for (RecordedExchange each : open.subList(0, Math.min(MAX_LISTED, open.size()))) {
      notes.add("not requested so far: line %d %s".formatted(each.line(), summary(each)));
    }
    if (open.size() > MAX_LISTED) {
      notes.add("not requested so far: others after them");
    }
    String rule = changes.isEmpty() ? null : rule(changes.get(0));
    if (rule != null) {
      notes.add(rule);
    }
    return notes;
  }

  private String summary(RecordedExchange exchange) throws IOException {
    ReplayEvent call = recording.call(exchange);
    JsonValue last = last(call);
    JsonValue content = last == null ? call.content().value() : last;
    String name = exchange.name().isEmpty() ? exchange.kind().words() : exchange.name();
    return content == null ? name : name + " " + excerpt(content);
  }

  /** The line that names the rule which ignores a difference; null if there is none. */
  private @Nullable String rule(ValueChange change) throws IOException {
    if (!(change.sides().left() instanceof JsonString recorded)
        || !(change.sides().right() instanceof JsonString actual)
        || recorded.value().length() > MAX_TEXT
        || actual.value().length() > MAX_TEXT) {
      return null;
    }
    for (Normalizer.Kind kind : Normalizer.Kind.values()) {
      EventComparison comparison =
          EventComparison.of(DiffOptions.defaults().plus(kind), recording.canonicalization());
      if (comparison.compare(text(recorded), text(actual)).isEmpty()) {
        return "a rule ignores this difference: Normalizer.%s(), or --normalize %s"
            .formatted(method(kind), kind.id());
      }
    }
    return null;
  }

  private static ToolCall text(JsonString text) {
    return ToolCall.of("", "text", text);
  }

  private static String method(Normalizer.Kind kind) {
    return switch (kind) {
      case ANSI_CODES -> "ansiCodes";
      case UUIDS -> "uuids";
      case DATES -> "dates";
      case TEMPORARY_FOLDERS -> "temporaryFolders";
    };
  }

  private static String excerpt(JsonValue value) {
    return Excerpt.shortened(value.toString(), MAX_EXCERPT);
  }
}
