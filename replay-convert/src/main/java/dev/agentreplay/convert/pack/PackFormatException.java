package dev.agentreplay.convert.pack;

import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when a packed session cannot be unpacked because of its content. */
public final class PackFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The reasons. They are stable; more may be added. */
  public enum Reason {
    /** The file is not gzip, is truncated, or has data after its end. */
    COMPRESSION,
    /** The bytes are not a supported tar archive, or are truncated. */
    ARCHIVE,
    /** An entry is a link, a directory, or anything else than a regular file. */
    ENTRY_TYPE,
    /** A path leads out of the directory, or would do so on some platform. */
    PATH,
    /**
     * A file is not one that every session has, and no pattern of the {@link PackOptions} matches
     * it.
     */
    NOT_OF_SESSION,
    /** Two paths are the same, or would be on some platform. */
    DUPLICATE,
    /** The manifest is missing or invalid. */
    MANIFEST,
    /** The manifest does not list an entry. */
    UNEXPECTED_ENTRY,
    /**
     * A file in the manifest is missing from the archive, or another listed file is in its place.
     */
    MISSING_ENTRY,
    /** A file does not have the length or the hash in the manifest. */
    CONTENT,
    /** A file, or all files together, exceed the byte limits of the {@link UnpackLimits}. */
    SIZE,
    /** The compression ratio exceeds {@link UnpackLimits#maxRatio}. */
    RATIO,
    /** The archive exceeds another of the {@link UnpackLimits}. */
    LIMIT
  }

  private final Reason reason;
  private final @Nullable String entry;
  private final long offset;

  PackFormatException(
      Reason reason, String source, @Nullable String entry, long offset, String detail) {
    super(source + ": byte " + offset + (entry == null ? "" : ", \"" + shown(entry) + '"') + ": "
        + detail);
    this.reason = reason;
    this.entry = entry;
    this.offset = offset;
  }

  /** The reason. */
  public Reason reason() {
    return reason;
  }

  /** The path of the entry or file, as in the archive; null when the fault is not about one. */
  public @Nullable String entry() {
    return entry;
  }

  /**
   * The offset of the fault: in bytes of the file for {@link Reason#COMPRESSION}, otherwise of the
   * decompressed archive.
   */
  public long offset() {
    return offset;
  }

  /** The beginning of a path for a message, escaped by {@link PlainText#escaped}. */
  static String shown(String path) {
    return PlainText.escaped(Excerpt.of(path));
  }
}
