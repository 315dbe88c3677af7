package dev.agentreplay.io.session;

import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Reports a link or a directory that {@link Sessions#find} did not follow or could not list, so
 * that sessions in it were not found. The message has the path and the reason.
 */
public final class SessionSkippedException extends IOException {

  private static final long serialVersionUID = 1L;

  SessionSkippedException(Path path, String reason) {
    super("%s: skipped: %s".formatted(PlainText.escaped(path.toString()), reason));
  }

  SessionSkippedException(Path path, IOException cause) {
    this(path, reason(cause));
    initCause(cause);
  }

  private static String reason(IOException cause) {
    if (cause instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (cause instanceof NoSuchFileException) {
      return "it was removed meanwhile";
    }
    return PlainText.escaped(Objects.requireNonNullElse(cause.getMessage(), cause.toString()));
  }
}
