package dev.agentreplay.records.recording;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.recording.InvalidExportException.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads an export, and collects its problems. */
final class ExportReader {

  private static final String MESSAGES = "messages";

  private final byte[] utf8;
  private final List<Problem> problems = new ArrayList<>();
  private final List<ThreadMessage> messages = new ArrayList<>();
  private final Ledger ledger = new Ledger();

  /** The numbers of the messages that have an id. */
  private final Map<Long, Integer> numbers = new HashMap<>();

  /** The number of messages with each member that is not used, in the order of the export. */
  private final Map<String, Integer> unused = new LinkedHashMap<>();

  private @Nullable String threadId;
  private int count;

  ExportReader(byte[] utf8) {
    this.utf8 = utf8;
  }

  MessageExport read() {
    readText();
    if (problems.isEmpty() && count == 0) {
      problems.add(new Problem(null, null, "", "expected at least one message, found none"));
    }
    if (!problems.isEmpty()) {
      throw new InvalidExportException(problems);
    }
    noteOrder();
    unused.forEach((member, times) -> ledger.leftOut(
        "trace.rounds[].messages[]",
        "member %s of %s".formatted(shown(member), PlainText.count(times, "message")),
        "A record does not have this member of messages."));
    return new MessageExport(threadId, messages, ledger.entries());
  }

  private void readText() {
    if (utf8.length > JsonLimits.defaults().maxBytes()) {
      problems.add(new Problem(
          null,
          null,
          "",
          "expected at most %,d bytes, found more"
              .formatted(JsonLimits.defaults().maxBytes())));
      return;
    }
    JsonValue value;
    try {
      value = JsonText.parse(utf8);
    } catch (JsonSyntaxException e) {
      if (isFirstLineObject()) {
        readLines();
      } else {
        report(null, ElementLines.lineOf(utf8, e.offset()), "", String.valueOf(e.getMessage()));
      }
      return;
    }
    if (value instanceof JsonArray array) {
      readArray(array);
    } else if (value instanceof JsonObject object && object.has(MESSAGES)) {
      readObject(object);
    } else if (value instanceof JsonObject object) {
      readOne(object);
    } else {
      report(
          null,
          null,
          "",
          "expected an array, lines or an object of messages, found "
              + MessageMembers.shown(value));
    }
  }

  /** Reads the only value of the text, which is a message unless it has nothing of one. */
  private void readOne(JsonObject object) {
    if (MessageMembers.isMessage(object)) {
      count++;
      message(object, ElementLines.lineOf(utf8, start()));
      return;
    }
    boolean isRecord = object.has("inputs") && object.has("trace");
    report(
        null,
        null,
        "",
        "expected an array, lines or an object of messages, found "
            + (isRecord ? "a session record" : MessageMembers.shown(object)));
  }

  /** Whether the text has several lines, the first of which is an object: JSON lines. */
  private boolean isFirstLineObject() {
    int start = start();
    try {
      return JsonText.parse(utf8, start, lineEnd(start)) instanceof JsonObject;
    } catch (JsonSyntaxException notJson) {
      return false;
    }
  }

  /** The index of the first byte that is not blank. */
  private int start() {
    int start = 0;
    while (start < utf8.length && isBlank(utf8[start])) {
      start++;
    }
    return start;
  }

  private int lineEnd(int start) {
    int end = start;
    while (end < utf8.length && utf8[end] != '\n') {
      end++;
    }
    return end;
  }

  private void readLines() {
    int line = 1;
    for (int start = 0; start < utf8.length; line++) {
      int end = lineEnd(start);
      if (!isBlank(start, end)) {
        count++;
        try {
          message(JsonText.parse(utf8, start, end), line);
        } catch (JsonSyntaxException e) {
          report(count, line, "", e.getMessage() + " of the line");
        }
      }
      start = end + 1;
    }
  }

  private boolean isBlank(int start, int end) {
    for (int i = start; i < end; i++) {
      if (!isBlank(utf8[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBlank(byte c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  private void readObject(JsonObject object) {
    object.forEach((name, value) -> {
      if (value instanceof JsonArray array && name.equals(MESSAGES)) {
        readArray(array);
      } else if (name.equals(MESSAGES)) {
        report(null, null, MESSAGES, "expected an array, found " + MessageMembers.shown(value));
      } else {
        ledger.leftOut(
            "", "member " + shown(name), "A record does not have this member of an export.");
      }
    });
  }

  private void readArray(JsonArray array) {
    List<Integer> lines = ElementLines.of(utf8);
    for (int i = 0; i < array.size(); i++) {
      count++;
      message(array.get(i), i < lines.size() ? lines.get(i) : null);
    }
  }

  private void message(JsonValue value, @Nullable Integer line) {
    if (!(value instanceof JsonObject object)) {
      report(count, line, "", "expected an object, found " + MessageMembers.shown(value));
      return;
    }
    int number = count;
    int before = problems.size();
    MessageMembers members =
        new MessageMembers(object, (member, message) -> report(number, line, member, message));
    String source = InvalidExportException.place(number, line);
    ThreadMessage message = members.read(source);
    unique(members.id(), number, line);
    thread(members.threadId(), number, line);
    members.unused().forEach(member -> unused.merge(member, 1, Integer::sum));
    if (message != null && problems.size() == before) {
      String differing = members.differingType();
      if (differing != null) {
        ledger.noted("trace.rounds[].messages[].type", source, differing);
      }
      messages.add(message);
    }
  }

  private void unique(@Nullable Long id, int number, @Nullable Integer line) {
    Integer other = id == null ? null : numbers.putIfAbsent(id, number);
    if (other != null) {
      report(
          number,
          line,
          "id",
          "expected a unique number, found %d, the one of message %d".formatted(id, other));
    }
  }

  private void thread(@Nullable String id, int number, @Nullable Integer line) {
    if (threadId == null) {
      threadId = id;
    } else if (id != null && !id.equals(threadId)) {
      report(
          number,
          line,
          "thread_id",
          "expected one thread, \"%s\", found \"%s\"".formatted(shown(threadId), shown(id)));
    }
  }

  /** Notes that messages are not in the order of their times. */
  private void noteOrder() {
    ThreadMessage first = null;
    int times = 0;
    for (int i = 1; i < messages.size(); i++) {
      if (ThreadRound.BY_TIME.compare(
              messages.get(i).time(), messages.get(i - 1).time())
          < 0) {
        first = first == null ? messages.get(i) : first;
        times++;
      }
    }
    if (first != null) {
      ledger.noted(
          "trace.rounds[].messages[].timestamp",
          first.source() + (times == 1 ? "" : " and %d more".formatted(times - 1)),
          "The time is before that of the previous message. The order of the export is kept.");
    }
  }

  private void report(
      @Nullable Integer number, @Nullable Integer line, String member, String message) {
    problems.add(new Problem(number, line, member, message));
  }

  private static String shown(String text) {
    return Excerpt.of(PlainText.escaped(text));
  }
}
