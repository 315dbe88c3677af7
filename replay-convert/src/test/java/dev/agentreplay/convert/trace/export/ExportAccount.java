package dev.agentreplay.convert.trace.export;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.report.TraceLedger;
import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares the values of a session with those of the document that it was exported to: each text
 * and number of a line must be in the document, or the ledger must name its member as derived or
 * dropped. Within a value that is in a different form, such as a prompt, only the words that state
 * the form may be missing.
 */
final class ExportAccount {

  /** The members that state the form of a part of a message, or how a prompt changed. */
  private static final Set<String> FORMS = Set.of("type", "role", "thought");

  private final Set<String> found = new HashSet<>();
  private final Set<String> excused = new HashSet<>();
  private final Set<String> missing = new TreeSet<>();

  private ExportAccount(TraceLedger ledger) {
    for (Entry entry : ledger.entries()) {
      if (entry.action() == Action.DERIVED || entry.action() == Action.DROPPED) {
        excused.add(entry.record() + entry.member());
      }
    }
  }

  /** The kinds and pointers of the values that are neither in the document nor in the ledger. */
  static Set<String> missing(Session session, JsonValue document, TraceLedger ledger)
      throws IOException {
    ExportAccount account = new ExportAccount(ledger);
    account.add(document);
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        JsonValue tag = line.json().get(reader.dialect().tagName());
        account.check(line.json(), tag instanceof JsonString text ? text.value() : "");
      }
    }
    return account.missing;
  }

  private void add(JsonValue value) {
    if (value instanceof JsonObject object) {
      object.forEach((name, member) -> add(member));
    } else if (value instanceof JsonArray array) {
      array.forEach(this::add);
    } else if (value instanceof JsonString text) {
      JsonValue parsed = JsonText.parseContainer(text.value());
      if (parsed != null) {
        add(parsed);
      }
      found.add(text.value());
      int bytes = text.value().indexOf(";base64,");
      if (text.value().startsWith("data:") && bytes > 0) { // an image with its media type
        found.add(text.value().substring("data:".length(), bytes));
        found.add(text.value().substring(bytes + ";base64,".length()));
      }
    } else {
      found.add(key(value));
    }
  }

  private static String key(JsonValue value) {
    return value instanceof JsonNumber number
        ? Double.toString(number.asDouble())
        : value.toString();
  }

  private void check(JsonValue value, String pointer) {
    if (value instanceof JsonObject object) {
      object.forEach((name, member) -> check(member, pointer + "/" + name));
    } else if (value instanceof JsonArray array) {
      array.forEach(element -> check(element, pointer + "/*"));
    } else if (!isFound(value) && !isExcused(pointer)) {
      missing.add(pointer);
    }
  }

  private boolean isFound(JsonValue value) {
    if (value instanceof JsonString text) {
      JsonValue parsed =
          found.contains(text.value()) ? null : JsonText.parseContainer(text.value());
      return found.contains(text.value()) || (parsed != null && areFound(parsed));
    }
    return value instanceof JsonBoolean
        || value == JsonNull.NULL
        || found.contains(key(value))
        || found.contains(value.toString());
  }

  private boolean areFound(JsonValue value) {
    if (value instanceof JsonObject object) {
      return object.names().stream().map(object::get).allMatch(this::areFound);
    }
    return value instanceof JsonArray array
        ? array.stream().allMatch(this::areFound)
        : isFound(value);
  }

  private boolean isExcused(String pointer) {
    String name = pointer.substring(pointer.lastIndexOf('/') + 1);
    if (excused.contains(pointer)) {
      return true;
    }
    boolean isForm = FORMS.contains(name) || pointer.startsWith("ModelCall/prompt_delta/");
    for (int end = pointer.lastIndexOf('/'); isForm && end > 0; ) {
      if (excused.contains(pointer.substring(0, end))) {
        return true;
      }
      end = pointer.lastIndexOf('/', end - 1);
    }
    return false;
  }
}
