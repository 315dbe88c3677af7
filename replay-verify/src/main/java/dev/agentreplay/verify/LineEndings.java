package dev.agentreplay.verify;

import dev.agentreplay.io.log.RawLine;
import dev.agentreplay.io.log.RawLineReader;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumSet;
import java.util.Set;

/**
 * Detects a session whose line ends were converted from LF to CR LF, as git does with text files if
 * {@code core.autocrlf} is set.
 */
final class LineEndings {

  private static final Position BEGINNING = new Position(1, 0);

  private static final String CAUSE =
      "every line of %s ends with CR LF: git has converted the recording; put \"*.jsonl -text\" and"
          + " \"RECEIPT*.json -text\" into .gitattributes and check it out again";

  private LineEndings() {}

  /** Returns the bytes with each CR LF replaced by LF. */
  static byte[] toLineFeeds(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (!isPair(bytes, i)) {
        out.write(bytes[i]);
      }
    }
    return out.toByteArray();
  }

  /** Whether there are line feeds, and each follows a carriage return. */
  static boolean areConverted(byte[] bytes) {
    boolean any = false;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        if (i == 0 || bytes[i - 1] != '\r') {
          return false;
        }
        any = true;
      }
    }
    return any;
  }

  private static boolean isPair(byte[] bytes, int i) {
    return bytes[i] == '\r' && i + 1 < bytes.length && bytes[i + 1] == '\n';
  }

  /** Opens a reader of a log in one file that reads each CR LF as LF. */
  static ReplayReader reader(Session session) throws IOException {
    RawLineReader lines = RawLineReader.open(session.log(), session.readerOptions());
    return ReplayReader.of(new LineFeeds(lines), session.log().toString(), session.readerOptions());
  }

  /**
   * Replaces the findings that the conversion of line ends caused by a single finding.
   *
   * @param converted the names of the converted files, for people
   * @param withLineFeeds the findings with LF line ends
   * @param failing the codes that make a session invalid
   */
  static void explain(
      Tally tally, String converted, Tally withLineFeeds, Set<FindingCode> failing) {
    Set<FindingCode> consequences = EnumSet.noneOf(FindingCode.class);
    consequences.addAll(tally.findingCounts().keySet());
    consequences.removeAll(withLineFeeds.findingCounts().keySet());
    if (consequences.isEmpty()) {
      return;
    }
    String message = CAUSE.formatted(converted);
    boolean fails = consequences.stream().anyMatch(failing::contains);
    if (fails && !failing.contains(FindingCode.LINE_ENDINGS_CONVERTED)) {
      tally.report(new Finding(FindingCode.LINE_ENDINGS_CONVERTED, BEGINNING, message));
      return; // keep the findings at which the policy fails
    }
    tally.replace(
        consequences,
        new Finding(
            fails ? FindingCode.LINE_ENDINGS_CONVERTED : FindingCode.NOT_CANONICAL,
            BEGINNING,
            message));
  }

  /** The bytes of lines, without the carriage return at the end of each. */
  private static final class LineFeeds extends InputStream {
    private final RawLineReader lines;
    private byte[] line = {};
    private int next;

    LineFeeds(RawLineReader lines) {
      this.lines = lines;
    }

    @Override
    public int read() throws IOException {
      return fill() ? line[next++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int read = Math.min(length, line.length - next);
      System.arraycopy(line, next, target, offset, read);
      next += read;
      return read;
    }

    private boolean fill() throws IOException {
      while (next == line.length) {
        RawLine raw = lines.read();
        if (raw == null) {
          return false;
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream(raw.length() + 1);
        raw.writeTo(whole);
        line = toLineFeeds(whole.toByteArray());
        next = 0;
      }
      return true;
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }
}
