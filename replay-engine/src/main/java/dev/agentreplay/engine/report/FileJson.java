package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.FileContent;
import dev.agentreplay.engine.diff.ValueChange.FileContents;
import dev.agentreplay.engine.report.compared.UnifiedDiff;
import dev.agentreplay.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Renders the contents of a file whose states differ as JSON. */
final class FileJson {

  private FileJson() {}

  /** The forms of the contents, and their difference in the unified format if both are text. */
  static JsonObject withDifference(FileContents contents) {
    UnifiedDiff diff = contents.areTexts() ? UnifiedDiff.of(contents) : null;
    return forms(contents)
        .with("text_diff", diff == null ? null : diff.lines())
        .with("text_diff_truncated", diff != null && diff.isTruncated());
  }

  /** The forms of the contents: {@code {left: {form, bytes} or null, right: ...}}. */
  static JsonObject forms(FileContents contents) {
    return JsonObject.of(
        "left", form(contents.sides().left()), "right", form(contents.sides().right()));
  }

  private static @Nullable JsonObject form(@Nullable FileContent content) {
    return content == null
        ? null
        : JsonObject.of("form", content.form().id(), "bytes", content.bytes());
  }
}
