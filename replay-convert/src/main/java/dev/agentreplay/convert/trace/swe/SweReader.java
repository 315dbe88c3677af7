package dev.agentreplay.convert.trace.swe;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;

/**
 * Reads trajectories of SWE-agent ({@code trajectory} and {@code history}) and of mini-SWE-agent
 * ({@code messages}, or an array of messages).
 */
public final class SweReader implements TraceReader {

  /** Creates a reader. */
  public SweReader() {}

  @Override
  public TraceFormat format() {
    return TraceFormat.SWE_AGENT;
  }

  @Override
  public boolean recognizes(SourceHead head) {
    if (head.document() instanceof JsonArray messages) {
      return isMessages(messages);
    }
    return isTrajectory(head.object()) || isMini(head.object());
  }

  private static boolean isTrajectory(JsonObject document) {
    JsonObject step = first(document, "trajectory");
    JsonObject message = first(document, "history");
    return (step.has("action") && (step.has("observation") || step.has("response")))
        || (message.has("role") && message.has("content") && message.has("agent"));
  }

  private static boolean isMini(JsonObject document) {
    String format = SourceHead.text(document, "trajectory_format");
    return (format != null && format.startsWith("mini-swe-agent"))
        || (document.get("info") instanceof JsonObject info
            && info.has("model_stats")
            && (info.has("mini_version") || first(document, "messages").has("role")));
  }

  /** Whether an array holds messages, one of which has an action as mini-SWE-agent asks for it. */
  private static boolean isMessages(JsonArray messages) {
    boolean hasAction = false;
    for (JsonValue element : messages) {
      JsonObject message = element instanceof JsonObject object ? object : JsonObject.EMPTY;
      String role = SourceHead.text(message, "role");
      String content = SourceHead.text(message, "content");
      if (role == null) {
        return false;
      }
      hasAction |= role.equals("assistant") && content != null && Actions.inText(content) != null;
    }
    return hasAction;
  }

  private static JsonObject first(JsonObject document, String name) {
    return document.get(name) instanceof JsonArray array
            && array.size() > 0
            && array.get(0) instanceof JsonObject object
        ? object
        : JsonObject.EMPTY;
  }

  @Override
  public void read(TraceSource source, TraceOutput output) throws IOException {
    JsonValue json = source.document();
    JsonObject document =
        json instanceof JsonArray ? JsonObject.of(MiniImport.MESSAGES, json) : object(json);
    if (document.get(MiniImport.MESSAGES) instanceof JsonArray && !isTrajectory(document)) {
      MiniImport.write(document, json, output);
    } else if (document.get(TrajectoryImport.TRAJECTORY) instanceof JsonArray
        || document.get(TrajectoryImport.HISTORY) instanceof JsonArray) {
      TrajectoryImport.write(document, output);
    } else {
      throw new NothingRecognizedException(
          source.path().getFileName() + ": a SWE-agent trajectory without steps or messages");
    }
  }

  private static JsonObject object(JsonValue json) {
    return json instanceof JsonObject object ? object : JsonObject.EMPTY;
  }
}
