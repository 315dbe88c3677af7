package dev.agentreplay.publish.secret;

import dev.agentreplay.canonical.commitment.PublishedLine;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Scans a session for secrets: each value and each name of a member in its log, its blobs, its
 * receipt, the summary for a pull request and the accepted divergences.
 *
 * <pre>{@code
 * SessionScan scan = SessionScan.of(SecretScanner.of(SecretRules.bundled()));
 * boolean isPublishable = scan.scan(Session.open(directory)).isClean();
 * }</pre>
 *
 * <p>Ids, times, hashes and signatures of a line are scanned only for secrets with a prefix of
 * their own. Immutable and safe for use by several threads.
 */
public final class SessionScan {

  private final SecretScanner scanner;

  private SessionScan(SecretScanner scanner) {
    this.scanner = scanner;
  }

  /** Creates a scan with a scanner. */
  public static SessionScan of(SecretScanner scanner) {
    return new SessionScan(Objects.requireNonNull(scanner, "scanner"));
  }

  /**
   * Scans a session.
   *
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of the log cannot be read
   * @throws IOException if a file cannot be read
   */
  public ScanReport scan(Session session) throws IOException {
    IncrementalScan scan = new IncrementalScan(scanner);
    String log = String.valueOf(session.log().getFileName());
    boolean isPublished = false;
    try (ReplayReader reader = session.reader()) {
      boolean isFirst = true;
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        isPublished |= isFirst && line.json().has(Names.PUBLISHED);
        scan.line(log, isPublished ? withoutOpening(line.json(), isFirst) : line.json());
        isFirst = false;
      }
    }
    Path blobs = session.blobs();
    if (blobs != null && Files.isDirectory(blobs)) {
      try (Stream<Path> files = Files.list(blobs)) {
        for (Path blob : files.filter(Files::isRegularFile).sorted().toList()) {
          scan.file(Session.BLOBS_NAME + "/" + blob.getFileName(), blob);
        }
      }
    }
    Path directory = session.directory();
    if (directory != null) {
      scan(scan, directory.resolve(Session.RECEIPT_NAME));
      scan(scan, directory.resolve(Session.SUMMARY_NAME));
    }
    scan(scan, session.acceptedFile());
    return scan.report();
  }

  private static void scan(IncrementalScan scan, Path file) throws IOException {
    if (Files.isRegularFile(file)) {
      scan.file(String.valueOf(file.getFileName()), file);
    }
  }

  /** A line without the members of a published log that have random texts. */
  private static JsonObject withoutOpening(JsonObject line, boolean isFirst) {
    try {
      return PublishedLine.of(line, isFirst).shown();
    } catch (DocumentFormatException noOpening) {
      return line;
    }
  }
}
