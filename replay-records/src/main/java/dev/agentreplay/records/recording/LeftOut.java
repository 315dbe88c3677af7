package dev.agentreplay.records.recording;

import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.text.PlainText;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Counts the data of a log that a record does not have. */
final class LeftOut {

  /** A number of lines, and the first of them. */
  private static final class Lines {
    private int count;
    private @Nullable String first;

    void add(String line) {
      count++;
      first = first == null ? line : first;
    }

    boolean isEmpty() {
      return count == 0;
    }

    /** Returns the first line, and the number of the others. */
    @Override
    public String toString() {
      return first + (count > 1 ? " and %d more".formatted(count - 1) : "");
    }
  }

  private final Map<String, Integer> events = new TreeMap<>();
  private final Lines unknownTexts = new Lines();
  private final Lines untimed = new Lines();
  private final Lines findings = new Lines();
  private @Nullable String firstFinding;

  void event(ReplayEvent event) {
    String name = event instanceof UnknownEvent ? "unknown" : event.kind().id();
    events.merge(name, 1, Integer::sum);
  }

  void unknownText(String line) {
    unknownTexts.add(line);
  }

  void untimed(String line) {
    untimed.add(line);
  }

  void findings(List<Finding> found, String line) {
    for (Finding finding : found) {
      findings.add(line);
      firstFinding =
          firstFinding == null ? finding.code() + ": " + finding.message() : firstFinding;
    }
  }

  /** Adds the statements. */
  void state(Ledger ledger, boolean hasTimes) {
    if (!events.isEmpty()) {
      ledger.leftOut(
          "trace.rounds[].messages[]",
          events.entrySet().stream()
              .map(entry -> PlainText.count(entry.getValue(), entry.getKey() + " event"))
              .collect(Collectors.joining(", ")),
          "A record does not have these events.");
    }
    if (!unknownTexts.isEmpty()) {
      ledger.leftOut(
          "trace.rounds[].messages[]",
          unknownTexts.toString(),
          "The session does not have the value of this result: it is not a message.");
    }
    if (!untimed.isEmpty()) {
      ledger.assumed(
          "trace.rounds[].messages[].timestamp",
          hasTimes
              ? "An event without a time has that of the event before it: %s.".formatted(untimed)
              : "No event states a time: all have that of the record.");
    }
    if (!findings.isEmpty()) {
      ledger.noted(
          "trace",
          findings.toString(),
          "The log is not as the format requires: " + firstFinding + ".");
    }
  }
}
