package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The trace of a different tool from which a session was imported. The header states it in the
 * additional member {@value Names#IMPORTED_FROM}, and so does the receipt. What the receipt of an
 * import proves is the copy: that it has not changed since it was imported, not that the trace is
 * true.
 *
 * @param format the name of the format, such as {@code claude-code}
 * @param files the files that were read
 */
public record ImportOrigin(String format, List<SourceFile> files) {

  private static final int MAX_NAME = 100;

  /**
   * A file of a trace.
   *
   * @param name its name, relative to the trace
   * @param bytes its length in bytes
   * @param hash the SHA-256 hash of its bytes
   */
  public record SourceFile(String name, long bytes, ContentHash hash) {

    /** Checks for null. */
    public SourceFile {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(hash, "hash");
    }
  }

  /** Checks for null and copies. */
  public ImportOrigin {
    Objects.requireNonNull(format, "format");
    files = List.copyOf(files);
  }

  /**
   * Returns the origin that a header states; null if it states none, or the member
   * {@value Names#IMPORTED_FROM} has a different form.
   */
  public static @Nullable ImportOrigin of(ReplayHeader header) {
    return header.meta().extra().get(Names.IMPORTED_FROM) instanceof JsonObject json
            && json.get("format") instanceof JsonString format
            && json.get("files") instanceof JsonArray listed
        ? of(format.value(), listed)
        : null;
  }

  private static @Nullable ImportOrigin of(String format, JsonArray listed) {
    List<SourceFile> files = new ArrayList<>();
    for (JsonValue value : listed) {
      SourceFile file = file(value);
      if (file == null) {
        return null;
      }
      files.add(file);
    }
    return new ImportOrigin(format, files);
  }

  private static @Nullable SourceFile file(JsonValue value) {
    if (value instanceof JsonObject json
        && json.get("name") instanceof JsonString name
        && json.get("bytes") instanceof JsonNumber bytes
        && json.get("sha256") instanceof JsonString text) {
      ContentHash hash = ContentHash.tryParse(text.value());
      try {
        return hash == null ? null : new SourceFile(name.value(), bytes.asLong(), hash);
      } catch (ArithmeticException notAnInteger) {
        return null;
      }
    }
    return null;
  }

  /** The value of the member {@value Names#IMPORTED_FROM}. */
  public JsonObject json() {
    List<JsonValue> listed = new ArrayList<>();
    for (SourceFile file : files) {
      listed.add(JsonObject.of(
          "bytes", file.bytes(), "name", file.name(), "sha256", file.hash().toString()));
    }
    return JsonObject.of("files", JsonArray.copyOf(listed), "format", format);
  }

  /**
   * The origin in words, such as "claude-code, a.jsonl (sha256:...)"; further files are counted.
   * Names are shortened, because a header may state any text.
   */
  public String text() {
    String shown = Excerpt.shortened(format, MAX_NAME);
    if (files.isEmpty()) {
      return shown;
    }
    SourceFile first = files.get(0);
    int more = files.size() - 1;
    return "%s, %s (%s)%s"
        .formatted(
            shown,
            Excerpt.shortened(first.name(), MAX_NAME),
            first.hash(),
            more == 0 ? "" : " and %,d more".formatted(more));
  }
}
