package dev.agentreplay.convert.trace;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Compares the values of a source with those of the sessions that were imported from it: each text
 * and number must be in a session, or the ledger must state that it was dropped, or is there in
 * another form only. A number or a boolean must have its name, or be moved. The source is read by
 * itself, as lines or as a document.
 */
final class LeafAccount {

  private final Set<String> found = new HashSet<>();
  private final Set<String> excused = new HashSet<>();
  private final Set<String> moved = new HashSet<>();
  private final Set<String> missing = new TreeSet<>();

  private LeafAccount() {}

  /** The pointers of the values that are in no session and in no ledger. */
  static Set<String> missing(ImportReport report) throws IOException {
    return missing(report, documents(report.source()));
  }

  /** The same for a source whose documents the caller has read. */
  static Set<String> missing(ImportReport report, List<JsonValue> documents) throws IOException {
    LeafAccount account = new LeafAccount();
    for (Path directory : TraceChecks.sessions(report)) {
      account.addSession(directory);
    }
    for (ImportedSession session : report.sessions()) {
      for (Entry entry : session.ledger().entries()) {
        boolean isInOtherForm =
            entry.action() == Action.DERIVED && SourceRecord.OTHER_FORM.equals(entry.note());
        if (entry.action() == Action.DROPPED || isInOtherForm) {
          account.excused.add(entry.member());
        }
        if (entry.action() == Action.MOVED) {
          account.moved.add(entry.member());
        }
      }
    }
    for (JsonValue document : documents) {
      account.check(document, "");
    }
    return account.missing;
  }

  private static List<JsonValue> documents(Path source) throws IOException {
    byte[] bytes = Files.readAllBytes(source);
    try {
      return List.of(JsonText.parse(bytes));
    } catch (JsonSyntaxException notOneDocument) {
      List<JsonValue> lines = new ArrayList<>();
      for (String line : Files.readAllLines(source)) {
        try {
          lines.add(JsonText.parse(line));
        } catch (JsonSyntaxException broken) {
          lines.add(JsonValue.of(line.strip()));
        }
      }
      return lines;
    }
  }

  private void addSession(Path directory) throws IOException {
    Session session = Session.open(directory);
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        addAll(line.json());
      }
    }
    Path blobs = directory.resolve(Session.BLOBS_NAME);
    if (Files.isDirectory(blobs)) {
      try (Stream<Path> files = Files.list(blobs)) {
        for (Path blob : files.toList()) {
          addAll(JsonText.parse(Files.readAllBytes(blob)));
        }
      }
    }
  }

  private void addAll(JsonValue value) {
    if (value instanceof JsonObject object) {
      object.forEach((name, member) -> {
        addAll(member);
        found.add(name.substring(name.lastIndexOf('.') + 1) + " " + key(member));
      });
    } else if (value instanceof JsonArray array) {
      array.forEach(this::addAll);
    } else {
      found.add(key(value));
    }
  }

  private static String key(JsonValue value) {
    if (value instanceof JsonString text) {
      return "\"" + text.value();
    }
    if (value instanceof JsonNumber number) {
      try {
        return Double.toString(Double.parseDouble(number.text())) + "/" + number.asLong();
      } catch (ArithmeticException notAnInteger) {
        return Double.toString(Double.parseDouble(number.text()));
      }
    }
    return value.toString();
  }

  private void check(JsonValue value, String pointer) {
    if (value instanceof JsonObject object) {
      object.forEach((name, member) -> check(member, pointer + "/" + name));
    } else if (value instanceof JsonArray array) {
      array.forEach(element -> check(element, pointer + "/*"));
    } else if (!isFound(value, pointer) && !isStated(excused, pointer)) {
      missing.add(pointer);
    }
  }

  private boolean isFound(JsonValue value, String pointer) {
    String name = pointer.substring(pointer.lastIndexOf('/') + 1);
    boolean isNamed = !(value instanceof JsonString) && !name.matches("\\*|value|[a-z]+Value");
    if (name.equals("type") && isStated(moved, pointer)) {
      return true; // the kind of the event states it
    }
    return isNamed && !isStated(moved, pointer)
        ? found.contains(name.substring(name.lastIndexOf('.') + 1) + " " + key(value))
        : isFound(value);
  }

  private boolean isFound(JsonValue value) {
    if (found.contains(key(value)) || !(value instanceof JsonString text)) {
      return found.contains(key(value));
    }
    JsonValue parsed = JsonText.parseContainer(text.value());
    return parsed != null && areFound(parsed);
  }

  /** Whether all values of a text that was JSON are in a session. */
  private boolean areFound(JsonValue value) {
    if (value instanceof JsonObject object) {
      return object.toMap().values().stream().allMatch(this::areFound);
    } else if (value instanceof JsonArray array) {
      return array.stream().allMatch(this::areFound);
    }
    return isFound(value);
  }

  /** Whether the ledger names the member, or one that it is in, in a record anywhere above it. */
  private static boolean isStated(Set<String> members, String pointer) {
    String[] tokens = pointer.split("/", -1);
    for (int from = 1; from <= tokens.length; from++) {
      StringBuilder member = new StringBuilder();
      for (int to = from; to < tokens.length; to++) {
        member.append('/').append(tokens[to]);
        if (members.contains(member.toString())) {
          return true;
        }
      }
    }
    return false;
  }
}
