package dev.agentreplay.junit.accepted;

import dev.agentreplay.engine.accept.Acceptance;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The divergences that are accepted for the recording of a test: the entries of its file
 * {@code ACCEPTED.json}. Those that have expired or are not found, and a file of a different
 * recording, are notes.
 */
public final class RecordingAcceptance {

  /** The handling of accepted divergences, which the property {@code replay.accepted} states. */
  public enum Handling {
    /** The file is honored, and the notes are printed. */
    REPORT,
    /** The file is honored, and a test with notes fails. */
    FAIL,
    /** The file is not read. */
    NONE
  }

  private final Acceptance acceptance;
  private final boolean isStrict;

  private RecordingAcceptance(Acceptance acceptance, boolean isStrict) {
    this.acceptance = acceptance;
    this.isStrict = isStrict;
  }

  /**
   * Reads what is accepted for a recording today.
   *
   * @throws IOException if the file of the recording cannot be read, or is malformed
   */
  public static RecordingAcceptance of(Session recording, Handling handling) throws IOException {
    return new RecordingAcceptance(
        handling == Handling.NONE
            ? Acceptance.none()
            : Acceptance.read(recording, LocalDate.now(ZoneOffset.UTC)),
        handling == Handling.FAIL);
  }

  /** Returns the options of a comparison with what is accepted. */
  public DiffOptions applyTo(DiffOptions options) {
    return acceptance.applyTo(options);
  }

  /** Lines of the message of a failure, each after a line feed; empty if there are none. */
  public String text(List<SessionDiff> diffs) {
    return lines(acceptance.notes(diffs));
  }

  /** Lines of the message of a failure, each after a line feed; empty if there are none. */
  public String text(ReplayReport report) {
    return lines(acceptance.notesOfReplays(List.of(report)));
  }

  private static String lines(List<String> notes) {
    return notes.stream().map(note -> "\nnote:     " + note).collect(Collectors.joining());
  }

  /** Prints the notes on a test that passes; returns the reason why it fails, or null. */
  public @Nullable String passed(List<SessionDiff> diffs) {
    return passed(acceptance.notes(diffs), acceptance.unused(diffs).size());
  }

  /** Prints the notes on a test that passes; returns the reason why it fails, or null. */
  public @Nullable String passed(ReplayReport report) {
    List<ReplayReport> reports = List.of(report);
    return passed(
        acceptance.notesOfReplays(reports), acceptance.unusedInReplays(reports).size());
  }

  private @Nullable String passed(List<String> notes, int unused) {
    if (isStrict && !notes.isEmpty()) {
      return reason(unused) + lines(notes);
    }
    notes.forEach(note -> System.out.println("replay: " + note));
    return null;
  }

  private String reason(int unused) {
    if (acceptance.fault() != null) {
      return "the accepted divergences are those of a different recording";
    }
    int expired = acceptance.expired().size();
    List<String> parts = new ArrayList<>();
    if (expired > 0) {
      parts.add(PlainText.count(expired, "accepted divergence") + " expired");
    }
    if (unused > 0) {
      parts.add(PlainText.count(unused, "accepted divergence") + " not found");
    }
    return String.join(", ", parts);
  }
}
