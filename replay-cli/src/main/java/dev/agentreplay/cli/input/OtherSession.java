package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.verify.proof.LogCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Detects a checkpoint that belongs to a different session than a log. */
public final class OtherSession {

  private OtherSession() {}

  /** The message if checkpoint and log name different sessions; null if they do not. */
  public static @Nullable String fault(Path file, LogCheckpoint checkpoint, Session session)
      throws IOException {
    String stated = checkpoint.sessionId();
    String found = session.id();
    return stated == null || found == null || stated.equals(found)
        ? null
        : "%s is a checkpoint of session \"%s\", but %s is a log of session \"%s\""
            .formatted(file, Style.plain(stated), session.log(), Style.plain(found));
  }
}
