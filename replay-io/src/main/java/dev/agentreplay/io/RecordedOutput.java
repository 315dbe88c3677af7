package dev.agentreplay.io;

import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.LenientJson;
import dev.agentreplay.model.text.Excerpt;
import org.jspecify.annotations.Nullable;

/** The results of tools that return Java values of any type. */
final class RecordedOutput {

  private static final String POINTER = "/output";
  private static final String EXACT_TEXTS = "utf16";
  private static final String TYPES = "java_types";
  private static final String UNRECORDED = "output_unrecorded";

  private RecordedOutput() {}

  /** The result that holds a value, with marks where something stands in the place of a part. */
  static ToolResult of(String id, @Nullable Object output) {
    LenientJson json = LenientJson.of(output, POINTER);
    JsonObject marks = JsonObject.EMPTY;
    if (!json.exactTexts().isEmpty()) {
      marks = marks.with(EXACT_TEXTS, json.exactTexts());
    }
    if (!json.types().isEmpty()) {
      marks = marks.with(TYPES, json.types());
    }
    ToolResult result = ToolResult.of(id, json.value());
    return marks.isEmpty() ? result : result.withMeta(Meta.NONE.withExtra(marks));
  }

  /** The result of a tool that has returned something that cannot be recorded, and why not. */
  static ToolResult unrecorded(String id, Throwable reason) {
    String why =
        reason.getClass().getName() + ": " + Excerpt.of(String.valueOf(reason.getMessage()));
    return ToolResult.of(id, JsonNull.NULL)
        .withMeta(Meta.NONE.withExtra(
            JsonObject.of(UNRECORDED, LenientJson.of(why, "").value())));
  }
}
