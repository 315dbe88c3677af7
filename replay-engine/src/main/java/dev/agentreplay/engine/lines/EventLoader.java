package dev.agentreplay.engine.lines;

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

/**
 * Reads selected lines of a log again. Seeks to lines that are far ahead or behind, unless the log
 * is compressed.
 */
public final class EventLoader implements Closeable {

  /** The distance in bytes up to which lines are read and skipped instead of seeking. */
  private static final long NEAR = 1 << 18;

  private final Session session;
  private final @Nullable Dialect dialect;
  private final PromptBases prompts;
  private final boolean isCompressed;
  private ReplayReader reader;

  /**
   * Opens a log that was read to its end.
   *
   * @param dialect its dialect; null when it is empty
   * @param prompts its prompts
   */
  public EventLoader(Session session, @Nullable Dialect dialect, PromptBases prompts)
      throws IOException {
    this.session = session;
    this.dialect = dialect;
    this.prompts = prompts;
    this.isCompressed = GzipInput.isCompressed(session.log());
    this.reader = session.reader();
  }

  /** Returns the lines that begin at the given positions, by line number, with prompts in full. */
  public Map<Long, ReplayLine> load(Collection<Position> wanted) throws IOException {
    TreeSet<Position> ordered =
        new TreeSet<>((one, other) -> Long.compare(one.line(), other.line()));
    ordered.addAll(wanted);
    Map<Long, ReplayLine> found = new HashMap<>();
    for (Position position : ordered) {
      found.put(position.line(), load(position));
    }
    return found;
  }

  /** Returns the line that begins at a position, with its prompt in full. */
  public ReplayLine load(Position position) throws IOException {
    return prompts.expandAgain(line(position), this::line);
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
    while (reader.position().line() < position.line() && reader.skip()) {}
    ReplayLine line = reader.read();
    if (line == null || !line.position().equals(position)) {
      throw new IOException(
          "%s: %s: the log changed after it was read".formatted(session.log(), position));
    }
    return line;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
