package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.file.GzipInput;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Position;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads some lines of a log once more. What is far ahead, or behind, it jumps to. */
final class EventLoader implements Closeable {

  /** Up to so many bytes are read through rather than jumped over. */
  private static final long NEAR = 1 << 18;

  private final Session session;
  private final @Nullable Dialect dialect;
  private final boolean isCompressed;
  private ReplayReader reader;

  EventLoader(Session session, @Nullable Dialect dialect) throws IOException {
    this.session = session;
    this.dialect = dialect;
    this.isCompressed = GzipInput.isCompressed(session.log());
    this.reader = session.reader();
  }

  /** The lines that begin at some places, by their number. */
  Map<Long, ReplayLine> load(Collection<Position> wanted) throws IOException {
    TreeSet<Position> ordered =
        new TreeSet<>((one, other) -> Long.compare(one.line(), other.line()));
    ordered.addAll(wanted);
    Map<Long, ReplayLine> found = new HashMap<>();
    for (Position position : ordered) {
      found.put(position.line(), line(position));
    }
    return found;
  }

  private ReplayLine line(Position position) throws IOException {
    boolean isBehind = position.line() < reader.position().line();
    boolean isFar = position.offset() - reader.position().offset() > NEAR;
    if (isCompressed ? isBehind : isBehind || isFar) {
      reader.close();
      reader = isCompressed
          ? session.reader()
          : ReplayReader.openAt(session.log(), position, dialect, session.readerOptions());
    }
    ReplayLine line = reader.read();
    while (line != null && line.position().line() < position.line()) {
      line = reader.read();
    }
    if (line == null || !line.position().equals(position)) {
      throw new IOException(
          "%s: %s: the log changed while it was compared".formatted(session.log(), position));
    }
    return line;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
