package dev.agentreplay.sandbox.workspace;

import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;

/** A path that a {@link Workspace} does not open. */
public final class RefusedPathException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The reason. */
  public enum Reason {
    /** It is absolute. */
    ABSOLUTE,
    /** A name is empty, {@code .} or {@code ..}. */
    NAME,
    /** A name has a character that names cannot have, such as NUL. */
    CHARACTER,
    /** A name is that of a device of Windows, of a stream of a file, or Windows shortens it. */
    RESERVED,
    /** An entry is a symbolic link or a junction. */
    LINK,
    /** An entry has a name with different case or Unicode normalization. */
    ALIAS,
    /** An entry is of a different type: a directory, a file, a pipe, a device. */
    TYPE;

    /** The text of the constant in JSON. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final String path;
  private final Reason reason;

  RefusedPathException(String path, Reason reason, String explanation) {
    super("%s: %s".formatted(PlainText.escaped(path), explanation));
    this.path = Objects.requireNonNull(path, "path");
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** The path, as the caller gave it. It is untrusted text. */
  public String path() {
    return path;
  }

  /** The reason. */
  public Reason reason() {
    return reason;
  }
}
