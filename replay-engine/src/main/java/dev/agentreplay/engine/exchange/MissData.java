package dev.agentreplay.engine.exchange;

import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.Excerpt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data of a miss.
 *
 * @param request the request on one line; null if its name is all of it
 * @param notes the lines after the nearest request
 */
record MissData(
    MissKind kind,
    ExchangeKind exchange,
    String name,
    @Nullable String agent,
    @Nullable Nearest nearest,
    String reason,
    @Nullable String request,
    List<String> notes)
    implements ReplayMiss {

  @Override
  public String message() {
    StringBuilder text = new StringBuilder();
    text.append(exchange.words());
    if (!name.isEmpty()) {
      text.append(' ').append(Excerpt.of(name));
    }
    if (agent != null) {
      text.append(" of agent ").append(Excerpt.of(agent));
    }
    int firstLine = reason.indexOf('\n') < 0 ? reason.length() : reason.indexOf('\n');
    text.append(" cannot be answered from the recording: ").append(reason, 0, firstLine);
    text.append(" (").append(kind.name()).append(')');
    text.append(reason, firstLine, reason.length());
    if (request != null) {
      text.append("\n  ").append(request);
    }
    if (nearest != null) {
      text.append("\n  nearest recorded request: line ").append(nearest.line());
      if (nearest.pointer() != null) {
        text.append(", first difference at ").append(nearest.pointer());
        Integer message = nearest.message();
        if (message != null) {
          text.append(" (message ").append(message).append(')');
        }
        text.append("\n  - recorded  ").append(shown(nearest.recorded()));
        text.append("\n  + actual    ").append(shown(nearest.actual()));
      }
    }
    notes.forEach(note -> text.append("\n  ").append(note));
    return text.toString();
  }

  private static String shown(@Nullable String excerpt) {
    return excerpt == null ? "(none)" : excerpt;
  }

  @Override
  public JsonObject json() {
    JsonObject json = JsonObject.of("class", kind.id(), "exchange", exchange.id(), "name", name);
    if (agent != null) {
      json = json.with(Names.AGENT, agent);
    }
    return nearest == null ? json : json.with("nearest", json(nearest));
  }

  private static JsonObject json(Nearest nearest) {
    JsonObject json = JsonObject.of("line", nearest.line());
    json = with(json, "pointer", nearest.pointer());
    json = with(json, "recorded", nearest.recorded());
    return with(json, "actual", nearest.actual());
  }

  private static JsonObject with(JsonObject json, String name, @Nullable String value) {
    return value == null ? json : json.with(name, value);
  }
}
