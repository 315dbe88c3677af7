package dev.agentreplay.records.report;

import dev.agentreplay.engine.report.XmlText;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.replay.DivergenceTally;
import dev.agentreplay.records.replay.InputDifference;
import dev.agentreplay.records.replay.MessageDivergence;
import dev.agentreplay.records.replay.MessagePair;
import dev.agentreplay.records.replay.SessionReplayRefusedException;
import dev.agentreplay.records.replay.SessionReplayResult;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * Renders the replay of a session record as JUnit XML for build servers. Each compared message is a
 * test case; one that diverges with at least a given severity, by default minor, is a failure that
 * shows the difference. A less severe divergence is shown in the output of a test case that passes.
 * A message that cannot be compared is an error; one whose round was not replayed is skipped.
 *
 * <p>The last test case is the verdict on the session: a failure if the session diverged, an error
 * if the replay is incomplete or undecided. Of a trace each message is a test case: a failure if
 * its text was altered, an error if it is missing.
 */
public final class SessionReplayJUnit {

  private static final int NAME = 200;

  private final SessionReplayResult result;
  private final Severity failOn;
  private final StringBuilder cases = new StringBuilder();
  private int tests;
  private int failures;
  private int errors;
  private int skipped;

  private SessionReplayJUnit(SessionReplayResult result, Severity failOn) {
    this.result = Objects.requireNonNull(result, "result");
    this.failOn = Objects.requireNonNull(failOn, "failOn");
  }

  /**
   * Renders a replay as an XML document. Divergences that are at least minor are failures.
   *
   * @throws IOException if a text of a trace cannot be read
   */
  public static String render(SessionReplayResult result) throws IOException {
    return render(result, Severity.MINOR);
  }

  /**
   * Renders a replay as an XML document.
   *
   * @param failOn the lowest severity that makes a divergence a failure
   * @throws IOException if a text of a trace cannot be read
   */
  public static String render(SessionReplayResult result, Severity failOn) throws IOException {
    return new SessionReplayJUnit(result, failOn).render();
  }

  /** Renders the refusal of a replay, of which nothing ran, as an XML document with one error. */
  public static String refused(SessionRecord record, SessionReplayRefusedException refusal) {
    String message = String.valueOf(refusal.getMessage());
    String totals = "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0.000\"";
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        + "<testsuites name=\"replay session\" %s>\n".formatted(totals)
        + "<testsuite name=\"%s\" %s>\n".formatted(name(record.id()), totals)
        + "<testcase classname=\"replay.session\" name=\"the replay is complete\">\n"
        + "<error type=\"%s\" message=\"%s\"/>\n".formatted(refusal.reason(), name(message))
        + "</testcase>\n</testsuite>\n</testsuites>\n";
  }

  private String render() throws IOException {
    for (MessagePair pair : result.alignment()) {
      if (result.report().mode() == Mode.TRACE) {
        text(pair);
      } else if (!pair.isInput()) {
        message(pair);
      }
    }
    verdict();
    String totals = "tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"0.000\""
        .formatted(tests, failures, errors, skipped);
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        + "<testsuites name=\"replay session\" %s>\n".formatted(totals)
        + "<testsuite name=\"%s\" %s>\n".formatted(name(SessionWording.title(result)), totals)
        + properties()
        + cases
        + "</testsuite>\n</testsuites>\n";
  }

  private String properties() {
    StringBuilder properties = new StringBuilder("<properties>\n");
    property(properties, "verdict", result.verdict().id());
    property(properties, "mode", result.report().mode().id());
    property(properties, "record", result.original().id());
    property(properties, "replayed_at", result.report().replayedAt().text());
    property(properties, "rounds", SessionWording.rounds(result));
    property(properties, "messages", SessionWording.messages(result));
    if (result.report().mode() != Mode.TRACE) {
      double similarity = result.report().similarity().percentage();
      property(properties, "similarity", SessionWording.percent(similarity));
      property(properties, "artifact_similarity", SessionWording.artifact(result));
      String divergences = SessionWording.divergences(DivergenceTally.of(result));
      property(properties, "divergences", divergences);
      property(properties, "thresholds", SessionWording.thresholds(result));
    }
    for (InputDifference input : result.inputs()) {
      property(properties, "input", input.message());
    }
    return properties.append("</properties>\n").toString();
  }

  private static void property(StringBuilder properties, String name, String value) {
    properties.append("<property name=\"%s\" value=\"%s\"/>\n".formatted(name, escape(value)));
  }

  private void message(MessagePair pair) {
    MessageDivergence divergence = pair.divergence();
    begin("replay.message", title(pair));
    if (divergence == null) {
      cases.append("/>\n");
      return;
    }
    List<String> lines = List.of(
        "Original: " + SessionWording.summary(divergence, true),
        "Replay: " + SessionWording.summary(divergence, false),
        "Semantic match: " + SessionWording.semanticMatch(divergence),
        "Decided by: " + SessionWording.explanation(divergence));
    Severity severity = divergence.reported().severity();
    if (SessionWording.isNotReplayed(pair)) {
      skipped++;
      cases.append(">\n<skipped message=\"%s\"/>\n</testcase>\n"
          .formatted(name(SessionWording.explanation(divergence))));
    } else if (divergence.kind() == MessageDivergence.Kind.UNDECIDED) {
      fault("error", divergence.kind().id(), SessionWording.explanation(divergence), lines);
    } else if (severity.compareTo(failOn) < 0) {
      cases.append(">\n<system-out>%s</system-out>\n</testcase>\n".formatted(text(lines)));
    } else {
      String message =
          SessionWording.kind(divergence) + ": " + SessionWording.explanation(divergence);
      fault("failure", divergence.kind().id(), message, lines);
    }
  }

  private String title(MessagePair pair) {
    return SessionWording.place(result, pair) + " "
        + pair.any().message().type().id() + " of " + pair.any().message().from();
  }

  /** The check of the text of a message of a trace. */
  private void text(MessagePair pair) throws IOException {
    begin("replay.text", title(pair));
    StoredText stored = StoredText.of(pair.any().message(), result.originalTexts());
    if (stored.text() != null) {
      cases.append("/>\n");
    } else {
      String element = stored.isAltered() ? "failure" : "error";
      String type = stored.isAltered() ? "altered" : "missing";
      fault(element, type, stored.problem(), List.of(stored.problem()));
    }
  }

  private void verdict() {
    boolean isTrace = result.report().mode() == Mode.TRACE;
    begin("replay.session", isTrace ? "the texts match their hashes" : "the session matches");
    String conclusion = result.report().conclusion();
    switch (result.verdict()) {
      case MATCHED -> cases.append("/>\n");
      case DIVERGED -> fault("failure", result.verdict().id(), conclusion, List.of(conclusion));
      case UNDECIDED, INCOMPLETE ->
        fault("error", result.verdict().id(), conclusion, List.of(conclusion));
    }
  }

  private void begin(String className, String name) {
    tests++;
    cases.append(
        "<testcase classname=\"%s\" name=\"%s\" time=\"0.000\"".formatted(className, name(name)));
  }

  private void fault(String element, String type, String message, List<String> lines) {
    boolean isError = element.equals("error");
    errors += isError ? 1 : 0;
    failures += isError ? 0 : 1;
    cases.append(">\n<%1$s type=\"%2$s\" message=\"%3$s\">%4$s</%1$s>\n</testcase>\n"
        .formatted(element, type, name(message), text(lines)));
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines.stream().map(SessionReplayJUnit::escape).toList());
  }

  private static String name(String text) {
    return XmlText.escape(PlainText.fit(text, NAME));
  }

  private static String escape(String text) {
    return XmlText.escape(PlainText.of(text));
  }
}
