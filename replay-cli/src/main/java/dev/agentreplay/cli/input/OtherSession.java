package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.verify.proof.LogCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds out that a checkpoint is of another session than a log. */
public final class OtherSession {

  private OtherSession() {}

  /** That they name two sessions, in words; null when they do not. */
  public static @Nullable String fault(Path file, LogCheckpoint checkpoint, Session session)
      throws IOException {
    String stated = checkpoint.sessionId();
    String found = session.id();
    return stated == null || found == null || stated.equals(found)
        ? null
        : "%s is a checkpoint of the session \"%s\", but %s is of \"%s\""
            .formatted(file, Style.plain(stated), session.log(), Style.plain(found));
  }
}
