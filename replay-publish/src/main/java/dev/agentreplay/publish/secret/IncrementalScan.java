package dev.agentreplay.publish.secret;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.session.Session;
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
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Scans the lines of a log, and then other files of its session, one after the other for secrets,
 * as {@link SessionScan} does. Not safe for use by several threads.
 */
public final class IncrementalScan {

  private static final long MAX_FILE_BYTES = 64 << 20;

  private final TextScan scan;
  private final List<SecretFinding> findings = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private final List<String> path = new ArrayList<>();
  private String file = "";
  private @Nullable Long line;
  private long lines;

  /** Creates a scan that has scanned nothing. */
  public IncrementalScan(TextScan scan) {
    this.scan = Objects.requireNonNull(scan, "scan");
  }

  /**
   * Scans the next line of a log.
   *
   * @param log the name of the log
   * @param shown the line, of a published log without the members that have random texts
   */
  public void line(String log, JsonObject shown) {
    file = log;
    line = ++lines;
    object(shown, true);
  }

  /**
   * Scans a file that is not a log: a value of JSON, or a text. A file of more than 64 MiB is not
   * scanned, but reported as {@link ScanReport#skipped}.
   *
   * @throws IOException if it cannot be read
   */
  public void file(String name, Path path) throws IOException {
    if (Files.size(path) > MAX_FILE_BYTES) {
      skipped.add(name);
      return;
    }
    file = name;
    line = null;
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

  /** The findings so far. */
  public ScanReport report() {
    return new ScanReport(findings, skipped, lines);
  }

  /** The JSON value of a file; null if it is a text. */
  private static @Nullable JsonValue json(byte[] bytes) {
    try {
      return JsonText.parse(bytes);
    } catch (IllegalArgumentException notJson) {
      return null;
    }
  }

  private void text(String text) {
    for (SecretMatch match : scan.scan(text)) {
      long at = text.substring(0, match.from()).lines().count();
      findings.add(new SecretFinding(match.rule(), file, Math.max(1, at), null, false));
    }
  }

  private void object(JsonObject object, boolean isLine) {
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      List<SecretMatch> inName = scan.scan(name);
      add(inName, true);
      path.add(inName.isEmpty() ? name : SecretScanner.replaced(name, inName));
      JsonValue value = object.value(i);
      if (isLine && IdentityMembers.isIdentity(name) && value instanceof JsonString string) {
        if (!IdentityMembers.isExempt(name, string.value())) {
          add(scan.scanIdentifier(string.value()), false);
        }
      } else if (isLine && PreviewParts.isPreview(name) && value instanceof JsonString preview) {
        PreviewParts.of(preview.value()).forEach(part -> add(scan.scan(part), false));
      } else {
        value(name, value);
      }
      path.remove(path.size() - 1);
    }
  }

  private void value(String name, JsonValue value) {
    if (value instanceof JsonString string) {
      add(scan.scan(name, string.value()), false);
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
