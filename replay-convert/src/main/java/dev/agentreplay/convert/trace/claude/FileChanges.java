package dev.agentreplay.convert.trace.claude;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.json.JsonString;
import org.jspecify.annotations.Nullable;

/**
 * The change of a file that the result of a tool states: the text before it ({@code originalFile}),
 * and the text that was written, or the strings that were replaced.
 */
final class FileChanges {

  private static final String RESULT = "toolUseResult";

  /** The text of the last changed file, which is often that before the next change. */
  private String lastText = "";

  private ContentHash lastHash = ContentHash.sha256(new byte[0]);

  FileChanges() {}

  /** Returns the change that a record states; null if it states none in a form that is known. */
  @Nullable
  FileState of(SourceRecord record) {
    String path = record.text(RESULT, "filePath");
    String relative = path == null ? null : relative(path, record.text("cwd"));
    if (relative == null) {
      return null;
    }
    boolean hasOriginal = record.object(RESULT).has("originalFile");
    String before = record.text(RESULT, "originalFile");
    String after = after(record, before);
    if (after == null || !hasOriginal) {
      return null;
    }
    record.derive("FileState/path", RESULT, "filePath");
    record.derive("FileState/hash_before", RESULT, "originalFile");
    ContentHash hashBefore = before == null ? null : hash(before);
    byte[] bytes = after.getBytes(UTF_8);
    lastText = after;
    lastHash = ContentHash.sha256(bytes);
    return FileState.changed(relative, hashBefore, lastHash, bytes.length);
  }

  private ContentHash hash(String text) {
    return text.equals(lastText) ? lastHash : ContentHash.sha256(text.getBytes(UTF_8));
  }

  private static @Nullable String after(SourceRecord record, @Nullable String before) {
    if (record.get(RESULT, "content") instanceof JsonString written) {
      record.derive("FileState/hash_after", RESULT, "content");
      return written.value();
    }
    String old = record.text(RESULT, "oldString");
    String replacement = record.text(RESULT, "newString");
    if (before == null || old == null || replacement == null || old.isEmpty()) {
      return null;
    }
    int at = before.indexOf(old);
    if (at < 0 || record.isTrue(RESULT, "userModified")) {
      return null;
    }
    record.derive("FileState/hash_after", RESULT, "newString");
    return record.isTrue(RESULT, "replaceAll")
        ? before.replace(old, replacement)
        : before.substring(0, at) + replacement + before.substring(at + old.length());
  }

  /** The path relative to the working directory; null if it is not below it. */
  private static @Nullable String relative(String path, @Nullable String directory) {
    if (directory == null || directory.isEmpty()) {
      return null;
    }
    String unified = path.replace('\\', '/');
    String base = directory.replace('\\', '/');
    base = base.endsWith("/") ? base : base + "/";
    String relative = unified.startsWith(base) ? unified.substring(base.length()) : "";
    return relative.isEmpty() || relative.contains("//") || relative.matches("(.*/)?\\.\\.?(/.*)?")
        ? null
        : relative;
  }
}
