package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An existing log that is to be appended to. Not safe for use by several threads. */
final class ExistingLog {

  private final Path file;
  private final boolean hasTree;
  private final Consumer<ReplayLine> lines;
  private @Nullable WrittenLog log;
  private boolean endsAtABeginning;

  /**
   * Creates an existing log that was not read yet.
   *
   * @param hasTree whether the tree over its lines is computed
   * @param lines receives each line of it
   */
  ExistingLog(Path file, boolean hasTree, Consumer<ReplayLine> lines) {
    this.file = file;
    this.hasTree = hasTree;
    this.lines = lines;
  }

  /**
   * Reads the log, and repairs it (crash recovery).
   *
   * @param lock the lock of the log
   * @throws ReplayFormatException if the log cannot be appended to
   */
  Recovery.Extent repair(Disk disk, Disk.Lock lock) throws IOException {
    Recovery after;
    try {
      after = LogRecovery.of(disk, file).repair(lock, this::add);
    } catch (UncheckedIOException e) { // from add()
      throw e.getCause();
    }
    if (log == null) {
      throw refused(
          FindingCode.HEADER_MISSING,
          new Position(1, 0),
          "the log is empty: delete it to start again");
    }
    return after.extent();
  }

  /** Whether the last line is the first line of a segment. */
  boolean endsAtABeginning() {
    return endsAtABeginning;
  }

  /** The content of the log, once it was read. */
  WrittenLog log() {
    return Objects.requireNonNull(log, "log");
  }

  private void add(ReplayLine line) {
    try {
      WrittenLog known = log;
      if (known == null) {
        known = begin(line);
        log = known;
      } else if (line.event() instanceof SessionEnd) {
        throw refused(
            FindingCode.EVENT_AFTER_END,
            line.position(),
            "the session has ended here: no event can be appended; a receipt can be created");
      }
      known.add(line);
      endsAtABeginning = line.event() instanceof LogSegment || line.event() instanceof ReplayHeader;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    lines.accept(line);
  }

  private WrittenLog begin(ReplayLine line) throws ReplayFormatException {
    Dialect dialect = Dialect.detect(line.json());
    if (dialect == null || !(line.event() instanceof ReplayHeader header)) {
      String found = line.event().kind().id();
      throw refused(
          FindingCode.HEADER_MISSING,
          line.position(),
          "expected a header in the first line, found "
              + (found.isEmpty() ? "an unknown event" : found));
    }
    if (header.support() == ReplayHeader.Support.UNSUPPORTED) {
      throw refused(
          FindingCode.UNSUPPORTED_VERSION,
          line.position(),
          "logs of version \"%s\" cannot be appended to".formatted(Excerpt.of(header.version())));
    }
    if (header.meta().extra().has(Names.PUBLISHED)) {
      throw refused(
          FindingCode.EVENT_AFTER_END,
          line.position(),
          "the log is the published copy of a session, to which no event can be appended: resume"
              + " the session itself");
    }
    Canonicalization canonicalization = Canonicalization.find(header.canonicalization());
    if (canonicalization == null) {
      throw refused(
          FindingCode.UNSUPPORTED_CANONICALIZATION,
          line.position(),
          "canonicalization \"%s\" is not known"
              .formatted(Excerpt.of(String.valueOf(header.canonicalization()))));
    }
    return new WrittenLog(dialect, canonicalization, hasTree);
  }

  private ReplayFormatException refused(FindingCode code, Position position, String detail) {
    return new ReplayFormatException(code, file.toString(), position, detail);
  }
}
