package dev.agentreplay.convert.trace.codex;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of tool calls. The model is shown a text, from which the exit code and the time have
 * to be read; an event of the execution, which some versions write, states them as numbers.
 */
final class ToolOutcomes {

  private static final int MAX_OPEN = 1_000;
  private static final int MAX_HEAD_LENGTH = 500;

  private static final Pattern EXIT_CODE =
      Pattern.compile("^(?:Exit code:|Process exited with code) (-?\\d{1,9})$", Pattern.MULTILINE);
  private static final Pattern TIME =
      Pattern.compile("^Wall time: (\\d{1,9}(?:\\.\\d+)?) seconds$", Pattern.MULTILINE);

  /** The known facts of a call. */
  private record Known(@Nullable Boolean ok, @Nullable Integer exitCode, @Nullable Long millis) {
    static final Known NOTHING = new Known(null, null, null);

    Known or(Known other) {
      return new Known(
          ok == null ? other.ok : ok,
          exitCode == null ? other.exitCode : exitCode,
          millis == null ? other.millis : millis);
    }
  }

  /** The facts that events stated of the calls whose results follow. */
  private final Map<String, Known> stated = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
      return size() > MAX_OPEN;
    }
  };

  /** Takes the outcome from the event that a tool ended: a command, a patch or a call by MCP. */
  void add(CodexItem event) {
    String id = event.text("call_id");
    if (id == null) {
      return;
    }
    Known known =
        new Known(ok(event), toInt(event.get("exit_code")), millis(event.get("duration")));
    if (!known.equals(Known.NOTHING)) {
      event.deriveEach("ToolResult/outcome", List.of("success", "result", "exit_code", "duration"));
      stated.merge(id, known, Known::or);
    }
  }

  private static @Nullable Boolean ok(CodexItem event) {
    if (event.get("success") instanceof JsonBoolean success) {
      return success.value();
    }
    JsonObject result = event.object("result");
    if (result.has("Err")) {
      return false;
    } else if (result.get("Ok") instanceof JsonObject answer) {
      JsonValue error = answer.has("isError") ? answer.get("isError") : answer.get("is_error");
      return !JsonBoolean.TRUE.equals(error);
    }
    return null;
  }

  /** A duration, as seconds and nanoseconds. */
  private static @Nullable Long millis(@Nullable JsonValue duration) {
    if (!(duration instanceof JsonObject parts)
        || !(parts.get("secs") instanceof JsonNumber seconds)) {
      return null;
    }
    double nanos = parts.get("nanos") instanceof JsonNumber number ? number.asDouble() : 0;
    return toMillis(seconds.asDouble() + nanos / 1e9);
  }

  /** Returns a result with all that is known of its outcome. */
  ToolResult complete(ToolResult result, @Nullable JsonValue output) {
    Known known = stated.getOrDefault(result.id(), Known.NOTHING);
    stated.remove(result.id());
    known = known.or(ofOutput(output));
    Boolean ok =
        (known.ok == null && known.exitCode != null) ? (Boolean) (known.exitCode == 0) : known.ok;
    ToolResult complete = result.withOutcome(Outcome.of(ok, known.exitCode, null));
    return known.millis == null ? complete : complete.withLatencyMillis(known.millis);
  }

  private static Known ofOutput(@Nullable JsonValue output) {
    if (output instanceof JsonString text) {
      JsonValue parsed = JsonText.parseContainer(text.value());
      return parsed instanceof JsonObject object && object.has("metadata")
          ? ofMetadata(object)
          : ofText(text.value());
    }
    if (output instanceof JsonObject object) {
      Known known = object.get("success") instanceof JsonBoolean success
          ? new Known(success.value(), null, null)
          : Known.NOTHING;
      return known.or(ofMetadata(object)).or(ofOutput(object.get("content")));
    }
    return Known.NOTHING;
  }

  private static Known ofMetadata(JsonObject output) {
    if (!(output.get("metadata") instanceof JsonObject metadata)) {
      return Known.NOTHING;
    }
    Long millis = metadata.get("duration_seconds") instanceof JsonNumber seconds
        ? toMillis(seconds.asDouble())
        : null;
    return new Known(null, toInt(metadata.get("exit_code")), millis);
  }

  /** Reads the lines before those of the output. */
  private static Known ofText(String text) {
    String start = text.substring(0, Math.min(text.length(), MAX_HEAD_LENGTH));
    int output = start.indexOf("\nOutput:");
    if (output < 0) {
      return Known.NOTHING;
    }
    String head = start.substring(0, output);
    Matcher exit = EXIT_CODE.matcher(head);
    Matcher time = TIME.matcher(head);
    return new Known(
        null,
        exit.find() ? Integer.valueOf(exit.group(1)) : null,
        time.find() ? toMillis(Double.parseDouble(time.group(1))) : null);
  }

  private static @Nullable Integer toInt(@Nullable JsonValue value) {
    try {
      return value instanceof JsonNumber number ? Math.toIntExact(number.asLong()) : null;
    } catch (ArithmeticException notAnInt) {
      return null;
    }
  }

  private static @Nullable Long toMillis(double seconds) {
    return seconds >= 0 && seconds < Integer.MAX_VALUE ? Math.round(seconds * 1_000) : null;
  }
}
