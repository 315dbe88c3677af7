package dev.agentreplay.io.log;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Holds the parts of a log against each other, as its lines go by: each file but the first begins
 * with a {@link LogSegment}, and each of these states what is before it, wherever it stands.
 * Several parts may be in one file.
 */
final class SegmentChain {

  /** What is wrong. */
  record Fault(FindingCode code, String detail) {}

  private final LogBytes in;
  private final MessageDigest digest = ContentHash.newDigest();
  private final OutputStream digested =
      new DigestOutputStream(OutputStream.nullOutputStream(), digest);

  /** Whether the digest is that of all bytes before, and they are those that were written. */
  private boolean isHashKnown = true;

  private int nextFile = 2;
  private long part = 1;

  /** By how much the last part states more than there is. */
  private long missingLines;

  private long missingBytes;

  SegmentChain(LogBytes in) {
    this.in = in;
  }

  /** What is wrong with how a line goes on from what is before it; null if nothing is. */
  @Nullable
  Fault check(ReplayLine line) {
    LogSegment stated = line.event() instanceof LogSegment logPart ? logPart : null;
    Position at = line.position();
    Fault first = null;
    boolean begins = false;
    while (nextFile <= in.segments() && in.startOf(nextFile) <= at.offset() + line.length()) {
      Fault fault = beginning(line, stated);
      first = first == null ? fault : first;
      part = in.number(nextFile);
      nextFile++;
      begins = true;
    }
    if (!begins && stated != null) {
      first = misstated(stated, part + 1, at);
      part = stated.segment(); // else each of the parts behind it would be wrong as well
    }
    return first;
  }

  /** The bytes of a line that was checked, and its line feed, are before the next one. */
  void add(ReplayLine line) throws IOException {
    line.writeTo(digested);
  }

  /** These bytes are before the next line. */
  void add(byte[] bytes, int from, int length) {
    digest.update(bytes, from, length);
  }

  /** Bytes before the next line are not known. */
  void addUnknown() {
    isHashKnown = false;
  }

  /** There is no line before an offset: a part that begins there has lost its beginning. */
  void skipTo(long offset) {
    while (nextFile <= in.segments() && in.startOf(nextFile) < offset) {
      part = in.number(nextFile);
      nextFile++;
    }
  }

  private @Nullable Fault beginning(ReplayLine line, @Nullable LogSegment stated) {
    Position at = line.position();
    if (in.startOf(nextFile) > at.offset()) {
      return new Fault(FindingCode.MALFORMED_LINE, endsWithinLine(in.number(nextFile - 1)));
    }
    int number = in.number(nextFile);
    return stated == null
        ? new Fault(
            FindingCode.MALFORMED_LINE,
            "segment %d begins with %s, expected LogSegment"
                .formatted(number, line.event().kind().id()))
        : misstated(stated, number, at);
  }

  private @Nullable Fault misstated(LogSegment stated, long number, Position at) {
    long lines = stated.linesBefore() - (at.line() - 1);
    long bytes = stated.bytesBefore() - at.offset();
    boolean isSaid = lines == missingLines && bytes == missingBytes && (lines | bytes) != 0;
    missingLines = lines;
    missingBytes = bytes;
    if (isSaid && stated.segment() == number) {
      return null;
    }
    ContentHash before = isHashKnown ? ContentHash.of(ContentHash.copyOf(digest).digest()) : null;
    String differs = stated.fault(number, at, before);
    if (differs == null) {
      return null;
    }
    isHashKnown = false;
    String missing = bytes > 0 && lines >= 0
        ? "; %d lines and %d bytes before it are missing".formatted(lines, bytes)
        : "";
    return new Fault(FindingCode.REPLAY_HASH_MISMATCH, "LogSegment: " + differs + missing);
  }

  /** What is wrong where a file does not end with a line. */
  static String endsWithinLine(int part) {
    return "part %d ends within this line".formatted(part);
  }
}
