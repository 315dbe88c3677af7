package dev.agentreplay.convert.trace.claude;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The change of a file that the result of a tool states: the text before it ({@code originalFile}),
 * and the text that was written, or the strings that were replaced. A change is stated only if the
 * patch that Claude Code shows ({@code structuredPatch}) leads to the same text. Claude Code states
 * the text of a file with line feeds only; the hashes of a file with carriage returns, or in an
 * encoding other than UTF-8, are those of that text.
 */
final class FileChanges {

  private static final String RESULT = "toolUseResult";
  private static final String PATCH = "structuredPatch";

  /** The text of the last changed file, which is often that before the next change. */
  private String lastText = "";

  private ContentHash lastHash = ContentHash.sha256(new byte[0]);

  FileChanges() {}

  /**
   * Returns the change that a record states; null if it states none in a form that is known.
   *
   * @param workspace the directory that paths are relative to; null if it is not known
   */
  @Nullable
  FileState of(SourceRecord record, @Nullable String workspace) {
    String path = record.text(RESULT, "filePath");
    String relative = path == null || workspace == null ? null : relative(path, workspace);
    if (relative == null || record.isTrue(RESULT, "userModified")) {
      return null;
    }
    String before = record.text(RESULT, "originalFile");
    String after = before == null ? created(record) : changed(record, before);
    if (after == null) {
      return null;
    }
    record.derive("FileState/path", RESULT, "filePath");
    record.derive("FileState/hash_before", RESULT, "originalFile");
    record.derive("FileState/hash_after", RESULT, "content");
    record.derive("FileState/hash_after", RESULT, "newString");
    record.derive("FileState/hash_after", RESULT, PATCH);
    ContentHash hashBefore = before == null ? null : hash(before);
    byte[] bytes = after.getBytes(UTF_8);
    lastText = after;
    lastHash = ContentHash.sha256(bytes);
    return FileState.changed(relative, hashBefore, lastHash, bytes.length);
  }

  private ContentHash hash(String text) {
    return text.equals(lastText) ? lastHash : ContentHash.sha256(text.getBytes(UTF_8));
  }

  private static @Nullable String created(SourceRecord record) {
    return "create".equals(record.text(RESULT, "type")) ? record.text(RESULT, "content") : null;
  }

  /** The text after a change; null if the replacement and the patch do not agree on it. */
  private static @Nullable String changed(SourceRecord record, String before) {
    if (!(record.get(RESULT, PATCH) instanceof JsonArray patch)) {
      return null;
    }
    for (String after : candidates(record, before)) {
      if (TextPatch.leads(patch, before, after)) {
        return after;
      }
    }
    return null;
  }

  private static List<String> candidates(SourceRecord record, String before) {
    if (record.get(RESULT, "content") instanceof JsonString written) {
      return List.of(written.value());
    }
    String old = record.text(RESULT, "oldString");
    String replacement = record.text(RESULT, "newString");
    if (old == null || old.isEmpty() || replacement == null) {
      return List.of();
    }
    boolean isAll = record.isTrue(RESULT, "replaceAll");
    String replaced = replaced(before, old, replacement, isAll);
    return replacement.isEmpty() // a deletion may remove the rest of the line as well
        ? List.of(replaced, replaced(before, old + "\n", "", isAll))
        : List.of(replaced);
  }

  private static String replaced(String text, String old, String replacement, boolean isAll) {
    int at = text.indexOf(old);
    return at < 0 || isAll
        ? text.replace(old, replacement)
        : text.substring(0, at) + replacement + text.substring(at + old.length());
  }

  /** The path relative to a directory; null if it is not below it. */
  private static @Nullable String relative(String path, String directory) {
    String unified = path.replace('\\', '/');
    String base = directory.replace('\\', '/');
    base = base.endsWith("/") ? base : base + "/";
    if (!unified.startsWith(base)) {
      return null;
    }
    String relative = unified.substring(base.length());
    for (String name : relative.split("/", -1)) {
      boolean isPlain = !name.isEmpty()
          && !name.equals(".")
          && !name.equals("..")
          && name.chars().noneMatch(Character::isISOControl);
      if (!isPlain) {
        return null;
      }
    }
    return relative;
  }
}
