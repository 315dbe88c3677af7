package dev.agentreplay.engine.diff;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file of which an event states the hash, as far as the snapshot of a session has
 * it. Immutable.
 */
public sealed interface FileContent permits Results.FileContentData {

  /** The form of a content. */
  enum Form {
    /** UTF-8 text without NUL characters. */
    TEXT,
    /** Bytes that are not text. */
    BINARY,
    /** A content of more than {@value FileContent#MAX_BYTES} bytes, which was not read. */
    LARGE,
    /** A content that neither session has. */
    MISSING,
    /** A content that was not read, because those of earlier divergences took all the memory. */
    OMITTED;

    /** The text of the constant in JSON. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The maximum length of a content that is read, in bytes. */
  int MAX_BYTES = 1 << 20;

  /** The form of the content. */
  Form form();

  /** The length of the content in bytes; null if it is not known. */
  @Nullable
  Long bytes();

  /** The text, with its line breaks as they are; null unless the form is {@code TEXT}. */
  @Nullable
  String text();
}
