package dev.agentreplay.publish.secret;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.commitment.PublishedLine;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Scans a session for secrets: each value and each name of a member in its log, its blobs, its
 * receipt and the summary for a pull request.
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

  private static final long MAX_FILE_BYTES = 64 << 20;

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
    return scan(session, List.of());
  }

  /**
   * Scans a session, and other files in its directory.
   *
   * @param others the names of the files
   * @throws IOException as {@link #scan(Session)} throws it
   */
  public ScanReport scan(Session session, Collection<String> others) throws IOException {
    Run run = new Run();
    boolean isPublished = false;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        run.lines++;
        run.file = String.valueOf(session.log().getFileName());
        run.line = run.lines;
        isPublished |= run.lines == 1 && line.json().has(Names.PUBLISHED);
        JsonObject json = line.json();
        run.object(isPublished ? withoutOpening(json, run.lines == 1) : json, true);
      }
    }
    run.line = null;
    Path blobs = session.blobs();
    if (blobs != null && Files.isDirectory(blobs)) {
      try (Stream<Path> files = Files.list(blobs)) {
        for (Path blob : files.filter(Files::isRegularFile).sorted().toList()) {
          run.scanFile(Session.BLOBS_NAME + "/" + blob.getFileName(), blob);
        }
      }
    }
    Path directory = session.directory();
    Set<String> names = new LinkedHashSet<>(List.of(Session.RECEIPT_NAME, Session.SUMMARY_NAME));
    names.addAll(others);
    for (String name : names) {
      Path file = directory == null ? null : directory.resolve(name);
      if (file != null && Files.isRegularFile(file)) {
        run.scanFile(name, file);
      }
    }
    return new ScanReport(run.findings, run.skipped, run.lines);
  }

  /** A line without the members of a published log that have random texts. */
  private static JsonObject withoutOpening(JsonObject line, boolean isFirst) {
    try {
      return PublishedLine.of(line, isFirst).shown();
    } catch (DocumentFormatException noOpening) {
      return line;
    }
  }

  /** One scan. */
  private final class Run {
    private final List<SecretFinding> findings = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<String> path = new ArrayList<>();
    private String file = "";
    private @Nullable Long line;
    private long lines;

    void scanFile(String name, Path path) throws IOException {
      if (Files.size(path) > MAX_FILE_BYTES) {
        skipped.add(name);
        return;
      }
      file = name;
      byte[] bytes = Files.readAllBytes(path);
      JsonValue json = name.endsWith(".md") ? null : json(bytes);
      if (json instanceof JsonObject object) {
        object(object, name.equals(Session.RECEIPT_NAME));
      } else if (json != null) {
        value("", json);
      } else {
        text(new String(bytes, StandardCharsets.UTF_8));
      }
    }

    /** The JSON value of a file; null if it is a text. */
    private @Nullable JsonValue json(byte[] bytes) {
      try {
        return JsonText.parse(bytes);
      } catch (IllegalArgumentException notJson) {
        return null;
      }
    }

    private void text(String text) {
      for (SecretMatch match : scanner.scan(text)) {
        long at = text.substring(0, match.from()).lines().count();
        findings.add(new SecretFinding(match.rule(), file, Math.max(1, at), null, false));
      }
    }

    void object(JsonObject object, boolean isLine) {
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        List<SecretMatch> inName = scanner.scan(name);
        add(inName, true);
        path.add(inName.isEmpty() ? name : SecretScanner.replaced(name, inName));
        JsonValue value = object.value(i);
        if (isLine && IdentityMembers.isIdentity(name) && value instanceof JsonString string) {
          if (!IdentityMembers.isExempt(name, string.value())) {
            add(scanner.scanIdentifier(string.value()), false);
          }
        } else if (isLine && PreviewParts.isPreview(name) && value instanceof JsonString preview) {
          PreviewParts.of(preview.value()).forEach(part -> add(scanner.scan(part), false));
        } else {
          value(name, value);
        }
        path.remove(path.size() - 1);
      }
    }

    private void value(String name, JsonValue value) {
      if (value instanceof JsonString string) {
        add(scanner.scan(name, string.value()), false);
      } else if (value instanceof JsonObject object) {
        object(object, false);
      } else if (value instanceof JsonArray array) {
        for (int i = 0; i < array.size(); i++) {
          path.add(Integer.toString(i));
          value(name, array.get(i));
          path.remove(path.size() - 1);
        }
      }
    }

    private void add(List<SecretMatch> matches, boolean isName) {
      for (SecretMatch match : matches) {
        findings.add(
            new SecretFinding(match.rule(), file, line, new JsonPointer(path).toString(), isName));
      }
    }
  }
}
