package dev.agentreplay.convert.pack;

import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A packed session cannot be unpacked, because of what is in the file. */
public final class PackFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Why it cannot. Reasons are stable; more may be added. */
  public enum Reason {
    /** The file is not gzip, is cut short, or has something behind its end. */
    COMPRESSION,
    /** The bytes are not a tar archive of the form that is read, or not all of one. */
    ARCHIVE,
    /** An entry is a link, a directory, or something else that is not a regular file. */
    ENTRY_TYPE,
    /** A path leads elsewhere, or would do so on some platform. */
    PATH,
    /**
     * A file is none that every session has, and no pattern of the {@link PackOptions} names it.
     */
    NOT_OF_SESSION,
    /** Two paths are, or would be on some platform, the same. */
    DUPLICATE,
    /** The manifest is not there, or makes no sense. */
    MANIFEST,
    /** An entry is not in the manifest, or not in its place. */
    UNEXPECTED_ENTRY,
    /** A file of the manifest is not in the archive. */
    MISSING_ENTRY,
    /** A file has not the length or the hash that the manifest says. */
    CONTENT,
    /** A file, or all of them, are beyond the bytes of the {@link UnpackLimits}. */
    SIZE,
    /** It is compressed more than {@link UnpackLimits#maxRatio} says. */
    RATIO,
    /** It is beyond another of the {@link UnpackLimits}. */
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

  /** Why it cannot. */
  public Reason reason() {
    return reason;
  }

  /** The path of the entry or file, as it stands in the archive; null when it is none of one. */
  public @Nullable String entry() {
    return entry;
  }

  /**
   * Where that was seen: the byte of the file for {@link Reason#COMPRESSION}, else that of the
   * decompressed archive.
   */
  public long offset() {
    return offset;
  }

  /** The beginning of a path for a message, as {@link PlainText#escaped} shows it. */
  static String shown(String path) {
    return PlainText.escaped(Excerpt.of(path));
  }
}
