package dev.agentreplay.cli.input;

import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sessions that are read together, and closed together. */
public final class OpenSessions implements Closeable {

  private final List<OpenSession> open = new ArrayList<>();

  /** Creates a list without sessions. */
  public OpenSessions() {}

  /** Adds a session, which is closed with the list. Returns its files. */
  public Session add(OpenSession session) {
    open.add(session);
    return session.session();
  }

  /** The sessions, in the order in which they were added. */
  public List<Session> all() {
    return open.stream().map(OpenSession::session).toList();
  }

  @Override
  public void close() throws IOException {
    @Nullable IOException failure = null;
    for (OpenSession each : open) {
      try {
        each.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
