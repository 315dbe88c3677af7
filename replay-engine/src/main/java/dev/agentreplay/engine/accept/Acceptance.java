package dev.agentreplay.engine.accept;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The entries that apply to the comparisons and replays of one recording on one day: those of its
 * {@link AcceptedDivergences} that have not expired. None applies if the file belongs to a
 * different recording, and decides on divergences only: a replay that is incomplete or unverified
 * remains so.
 */
public final class Acceptance {

  private static final Acceptance NONE = new Acceptance("", List.of(), List.of(), null);

  /** The path of the file, for messages. */
  private final String file;

  private final List<AcceptedDivergence> inForce;
  private final List<AcceptedDivergence> expired;

  /** The reason why no entry applies; null if there is none. */
  private final @Nullable String fault;

  private Acceptance(
      String file,
      List<AcceptedDivergence> inForce,
      List<AcceptedDivergence> expired,
      @Nullable String fault) {
    this.file = file;
    this.inForce = List.copyOf(inForce);
    this.expired = List.copyOf(expired);
    this.fault = fault;
  }

  /** Nothing is accepted. */
  public static Acceptance none() {
    return NONE;
  }

  /**
   * Reads what is accepted for a recording. Its log is read if there is a file.
   *
   * @param today the present day in UTC
   * @throws dev.agentreplay.model.finding.DocumentFormatException if the file is not of its form
   * @throws IOException if the file or the log cannot be read
   */
  public static Acceptance read(Session recording, LocalDate today) throws IOException {
    AcceptedDivergences accepted = AcceptedDivergences.read(recording);
    return accepted == null
        ? NONE
        : of(
            accepted,
            AcceptedDivergences.file(recording),
            AcceptedDivergences.treeRoot(recording),
            today);
  }

  /**
   * Returns what applies to a recording.
   *
   * @param file the file, for messages
   * @param treeRoot the root of the tree over the lines of the recording
   * @param today the present day in UTC
   */
  public static Acceptance of(
      AcceptedDivergences accepted, Path file, ContentHash treeRoot, LocalDate today) {
    Objects.requireNonNull(today, "today");
    String path = PlainText.escaped(file.toString());
    if (!accepted.treeRoot().equals(treeRoot)) {
      String fault =
          ("%s belongs to a different recording, and does not apply: expected the tree root %s,"
                  + " found %s; delete it, and accept the divergences of this recording again")
              .formatted(path, treeRoot, accepted.treeRoot());
      return new Acceptance(path, List.of(), List.of(), fault);
    }
    return new Acceptance(
        path,
        accepted.withoutExpired(today).all(),
        accepted.all().stream().filter(each -> each.isExpired(today)).toList(),
        null);
  }

  /** The reason why no entry applies: the file belongs to a different recording; else null. */
  public @Nullable String fault() {
    return fault;
  }

  /** The entries that have expired, and do not apply. */
  public List<AcceptedDivergence> expired() {
    return expired;
  }

  /** Returns the options of a comparison with what is accepted. */
  public DiffOptions applyTo(DiffOptions options) {
    return options.accepting(
        inForce.stream().map(AcceptedDivergence::fingerprint).collect(Collectors.toSet()));
  }

  /** The entries that apply, and that no divergence of comparisons with them has. */
  public List<AcceptedDivergence> unused(List<SessionDiff> diffs) {
    return unused(diffs.stream().map(SessionDiff::notFound));
  }

  /**
   * The entries that apply, and that no divergence of replays with them has. None if a replay was
   * stopped: it did not reach everything.
   */
  public List<AcceptedDivergence> unusedInReplays(List<ReplayReport> reports) {
    return reports.stream().anyMatch(ReplayReport::isStopped)
        ? List.of()
        : unused(reports.stream().map(ReplayReport::notFound));
  }

  private List<AcceptedDivergence> unused(Stream<Set<ContentHash>> notFound) {
    List<AcceptedDivergence> unused = new ArrayList<>(inForce);
    notFound.forEach(each -> unused.removeIf(entry -> !each.contains(entry.fingerprint())));
    return List.copyOf(unused);
  }

  /** The notes for people on the file after comparisons, each in one sentence. */
  public List<String> notes(List<SessionDiff> diffs) {
    return lines(unused(diffs));
  }

  /** The notes for people on the file after replays, each in one sentence. */
  public List<String> notesOfReplays(List<ReplayReport> reports) {
    return lines(unusedInReplays(reports));
  }

  private List<String> lines(List<AcceptedDivergence> unused) {
    List<String> notes = new ArrayList<>();
    if (fault != null) {
      notes.add(fault);
    }
    for (AcceptedDivergence each : expired) {
      notes.add("accepted until %s, and not any more: %s".formatted(each.expires(), text(each)));
    }
    for (AcceptedDivergence each : unused) {
      notes.add("accepted, but not found: %s; its entry in %s can be removed"
          .formatted(text(each), file));
    }
    return notes;
  }

  private static String text(AcceptedDivergence entry) {
    return PlainText.of("%s of %s (%s)".formatted(entry.kind(), entry.step(), entry.reason()));
  }
}
