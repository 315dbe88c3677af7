package dev.agentreplay.io.session;

import java.io.Closeable;
import java.io.IOException;
import java.util.Objects;

/**
 * A session that is being read, and what must be released afterwards, such as the temporary files
 * of a packed session. Closing it releases that; the session cannot be read any more then, unless
 * there was nothing to release.
 */
public final class OpenSession implements Closeable {

  private final Session session;
  private final Closeable resource;

  private OpenSession(Session session, Closeable resource) {
    this.session = Objects.requireNonNull(session, "session");
    this.resource = Objects.requireNonNull(resource, "resource");
  }

  /** Returns a session in a directory, with nothing to release. */
  public static OpenSession of(Session session) {
    return new OpenSession(session, () -> {});
  }

  /**
   * Returns a session that can be read until a resource is closed.
   *
   * @param resource is closed with the result
   */
  public static OpenSession of(Session session, Closeable resource) {
    return new OpenSession(session, resource);
  }

  /** The session. */
  public Session session() {
    return session;
  }

  @Override
  public void close() throws IOException {
    resource.close();
  }
}
