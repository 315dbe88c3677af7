package dev.agentreplay.engine.lines;

import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tool calls that the last answer of a model requested, in each lane. A model requests them
 * together, without the result of one for the next, so that a runtime may execute them in any
 * order, or at the same time.
 */
public final class RequestedTools {

  /** The member of a request in an answer, in all usual forms of these. */
  private static final String ID = "id";

  private static final int MAX_IDS = 1_000;

  /** An answer with the ids of the calls that it requests. */
  private record Answer(long line, Set<String> ids) {}

  private final Map<@Nullable String, Answer> answers = new HashMap<>();

  /** Notes an answer. */
  public void answer(ModelResult result, long line) {
    Set<String> ids = new HashSet<>();
    JsonValue answer = result.answer().value();
    if (answer != null) {
      collect(answer, ids);
    }
    answers.put(result.meta().agent(), new Answer(line, ids));
  }

  private static void collect(JsonValue value, Set<String> ids) {
    if (value instanceof JsonArray array) {
      array.values().forEach(element -> collect(element, ids));
    } else if (value instanceof JsonObject object) {
      for (String name : object.names()) {
        JsonValue member = object.get(name);
        if (member instanceof JsonString id && name.equals(ID) && ids.size() < MAX_IDS) {
          ids.add(id.value());
        } else if (member != null) {
          collect(member, ids);
        }
      }
    }
  }

  /** The line of the answer that requested a call; 0 if the last one of its lane did not. */
  public long answerOf(ToolCall call) {
    Answer last = answers.get(call.meta().agent());
    return last != null && last.ids().contains(call.id()) ? last.line() : 0;
  }
}
