package dev.agentreplay.verify;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.LineDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks a log against the {@link Expectation}s of a policy. */
final class ExpectationCheck {

  private final Tally tally;
  private final PublishedLines published;
  private final List<String> ids = new ArrayList<>();
  private final List<ContentHash> roots = new ArrayList<>();
  private final List<Expectation.Shown> shown = new ArrayList<>();

  private final List<ParentCheck> parents = new ArrayList<>();

  /** The values that at least one event has, or withholds. */
  private final Set<Expectation.Shown> decided = new HashSet<>();

  private boolean isNamed;

  /**
   * Creates a check of one log.
   *
   * @param published the openings of the lines, if the log is published: no commitment covers an id
   *     that is not shown unchanged
   */
  ExpectationCheck(Tally tally, PublishedLines published, VerifyPolicy policy) {
    this.tally = tally;
    this.published = published;
    for (Expectation expectation : policy.expectations()) {
      if (expectation instanceof Expectation.SessionId session) {
        ids.add(session.id());
      } else if (expectation instanceof Expectation.Root root) {
        roots.add(root.root());
      } else if (expectation instanceof Expectation.Shown value) {
        shown.add(value);
      } else if (expectation instanceof Expectation.ForkOf fork) {
        parents.add(new ParentCheck(tally, fork.parent(), policy.keys()));
      }
    }
  }

  /**
   * Accepts the next line.
   *
   * @param dialect the dialect of the log; null when its first line has no event tag
   */
  void accept(ReplayLine line, @Nullable Dialect dialect) {
    acceptId(line);
    parents.forEach(parent -> parent.accept(line));
    boolean hasWithheldType = !shown.isEmpty() && published.hasWithheldType(dialect);
    for (Expectation.Shown value : shown) {
      if (hasWithheldType) {
        missing(
            line,
            "the type of the event is withheld, and may be %s, of which %s is expected to be shown"
                .formatted(value.kind().id(), place(value)));
      } else if (line.event().kind() == value.kind()) {
        accept(line, value);
      }
    }
  }

  private void accept(ReplayLine line, Expectation.Shown value) {
    String reason = published.reasonNotShown(value.pointer(), line);
    if (reason != null) {
      missing(line, "%s %s, but is expected to be shown".formatted(place(value), reason));
      decided.add(value);
    } else if (isThere(line, value.pointer())) {
      decided.add(value);
    }
  }

  /** Whether the session has a value at a place; content may also be in a blob, or a change. */
  private static boolean isThere(ReplayLine line, JsonPointer pointer) {
    boolean isContent = !pointer.tokens().isEmpty()
        && pointer.tokens().get(0).equals(line.event().kind().contentName());
    return pointer.find(line.json()) != null
        || (isContent && line.event().content().blob() != null)
        || (isContent && line.json().has(Names.PROMPT_DELTA));
  }

  private void missing(ReplayLine line, String message) {
    FindingCode code = FindingCode.DISCLOSURE_MISSING;
    tally.report(code, () -> new Finding(code, line.position(), message)
        .withId(line.event().callId()));
  }

  private static String place(Expectation.Shown value) {
    return value.pointer().tokens().isEmpty()
        ? "the line"
        : Excerpt.of(value.pointer().toString());
  }

  private void acceptId(ReplayLine line) {
    String found = line.event().meta().sessionId();
    if (found == null || !published.isUnchanged(Names.SESSION_ID)) {
      return;
    }
    isNamed = true;
    for (String id : ids) {
      if (!id.equals(found)) {
        FindingCode code = FindingCode.EXPECTATION_UNMET;
        tally.report(code, () -> new Finding(
                code,
                line.position(),
                "session_id is \"%s\", but \"%s\" is expected"
                    .formatted(Excerpt.of(found), Excerpt.of(id)))
            .withValues(id, found));
      }
    }
  }

  /** Completes the checks at the end of the log, after every line was read. */
  void finish(LineDigest lines) {
    parents.forEach(ParentCheck::finish);
    for (Expectation.Shown value : shown) {
      if (!decided.contains(value)) {
        unmet(
            "no %s has %s, which is expected to be shown"
                .formatted(value.kind().id(), place(value)),
            null,
            null);
      }
    }
    if (!isNamed) {
      for (String id : ids) {
        unmet(
            "no event %s a session_id, but \"%s\" is expected"
                .formatted(published.isPublished() ? "shows unchanged" : "has", Excerpt.of(id)),
            id,
            null);
      }
    }
    if (roots.isEmpty()) {
      return;
    }
    ContentHash found = lines.tree().root();
    for (ContentHash root : roots) {
      if (root.equals(found)) {
        tally.count(Counter.TREE_ROOTS_VERIFIED);
        tally.add(Counter.LINES_IN_TREE, lines.lines() - tally.get(Counter.LINES_IN_TREE));
      } else {
        unmet(
            "the tree over the %d lines has the root %s, but %s is expected"
                .formatted(lines.lines(), found, root),
            root.toString(),
            found.toString());
      }
    }
  }

  private void unmet(String message, @Nullable String expected, @Nullable String found) {
    tally.report(Finding.of(FindingCode.EXPECTATION_UNMET, message).withValues(expected, found));
  }
}
