package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.LineDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares the Merkle tree over the lines of a log with the stated tree heads: in checkpoints of
 * the log, in earlier checkpoints kept elsewhere, and in the receipt. The first head that does not
 * match shows that the lines changed between it and the last that does; later heads would only
 * repeat that, except for the first checkpoint in the log, because it has a position.
 */
final class TreeVerifier {

  /** A tree head and its source. */
  private record Stated(TreeHead tree, String by) {}

  private static final String EARLIER = "an earlier checkpoint";

  private final Tally tally;
  private final LineDigest lines;
  private final SignatureCheck signatures;
  private final List<Stated> ahead = new ArrayList<>();
  private final @Nullable TreeHead receipt;
  private int next;
  /** Whether unsigned checkpoints in the log are the only statements about its lines. */
  private final boolean isAllThereIs;

  /** The number of lines, from the first, that a statement from outside the log confirms. */
  private long sound;

  /** The number of lines before the last matching checkpoint, signed or not. */
  private long fitting;

  private long signed;
  private @Nullable String signer;
  private boolean differs;

  /** Whether a finding with a position was reported, which is preferred to one without. */
  private boolean isLocated;

  private boolean damaged;

  /** Whether a SessionEnd was read: a shorter log lacks lines before it. */
  private boolean hasEnd;

  /**
   * Creates a verifier of one log.
   *
   * @param lines the digest of the accepted lines
   * @param earlier the tree heads of earlier checkpoints
   * @param receipt the tree head in the receipt; null when it has none
   */
  TreeVerifier(
      Tally tally,
      LineDigest lines,
      SignatureCheck signatures,
      List<TreeHead> earlier,
      @Nullable TreeHead receipt) {
    this.tally = tally;
    this.lines = lines;
    this.signatures = signatures;
    this.receipt = receipt;
    this.isAllThereIs = receipt == null && earlier.isEmpty() && !signatures.trustsAnybody();
    earlier.forEach(tree -> ahead.add(new Stated(tree, EARLIER)));
    if (receipt != null) {
      ahead.add(new Stated(receipt, "the receipt"));
    }
    ahead.sort(Comparator.comparingLong(stated -> stated.tree.size()));
  }

  /** Records that a line could not be read: the digest of later lines is not known. */
  void damaged() {
    damaged = true;
  }

  /** Accepts the next line, which has not been added to the {@link LineDigest lines} yet. */
  void accept(ReplayLine line) {
    compareHere();
    hasEnd |= line.event() instanceof SessionEnd;
    if (line.event() instanceof Checkpoint checkpoint) {
      accept(checkpoint, line);
    }
  }

  /** Completes the checks at the end of the log. */
  void finish() {
    compareHere();
    if (receipt != null && receipt.size() < lines.lines() && !damaged) {
      report(
          null,
          receipt,
          "the log has more than the %d lines that the receipt covers".formatted(receipt.size()));
    }
    for (; next < ahead.size() && !damaged; next++) {
      Stated stated = ahead.get(next);
      report(
          null,
          stated.tree,
          "%s covers %d lines, but the log has %d: %s"
              .formatted(
                  stated.by,
                  stated.tree.size(),
                  lines.lines(),
                  hasEnd ? "lines are missing" : "the log was truncated"));
    }
    tally.add(Counter.LINES_IN_TREE, sound);
  }

  /** The number of lines, from the first, that valid signed checkpoints cover. */
  long signed() {
    return signed;
  }

  /** The trusted key that signed the last of those checkpoints; null when there is none. */
  @Nullable
  String signer() {
    return signer;
  }

  private void compareHere() {
    for (; next < ahead.size() && ahead.get(next).tree.size() <= lines.lines(); next++) {
      Stated stated = ahead.get(next);
      if (damaged) {
        continue;
      }
      if (stated.tree.size() == lines.lines() && stated.tree.equals(lines.tree())) {
        if (!differs) {
          tally.count(Counter.TREE_ROOTS_VERIFIED);
          if (stated.by.equals(EARLIER)) {
            tally.count(Counter.EARLIER_TREES_VERIFIED);
          }
          sound = lines.lines();
        }
      } else {
        report(
            null,
            stated.tree,
            "%s states a different tree root over %s".formatted(stated.by, suspects()));
      }
    }
  }

  private void accept(Checkpoint checkpoint, ReplayLine line) {
    tally.count(Counter.CHECKPOINTS);
    String by = signatures.signer(checkpoint, line);
    if (damaged) {
      return;
    }
    TreeHead tree = lines.tree();
    if (checkpoint.tree().equals(tree)) {
      tally.count(Counter.CHECKPOINTS_VERIFIED);
      fitting = lines.lines();
      if (differs) {
        return; // it covers the alteration
      }
      if (by != null || isAllThereIs) {
        sound = lines.lines();
      }
      if (by != null) {
        signer = by;
        signed = lines.lines() + (isAsWritten(line) ? 1 : 0); // including this line
      }
    } else if (checkpoint.tree().size() != tree.size()) {
      report(
          line.position(),
          checkpoint.tree(),
          "the checkpoint covers %d lines, but %d precede it"
              .formatted(checkpoint.tree().size(), tree.size()));
    } else {
      report(
          line.position(),
          checkpoint.tree(),
          "the checkpoint states a different tree root over " + suspects());
    }
  }

  /** Whether the line is in canonical form and ends with a line feed. */
  private static boolean isAsWritten(ReplayLine line) {
    return line.isCanonical(CanonicalJson.SERDE) && line.hasLineFeed();
  }

  /** A description of the range of lines in which the change is. */
  private String suspects() {
    String before = "the first %d lines".formatted(lines.lines());
    if (sound > 0) {
      return before
          + ": one of lines %d to %d was altered, inserted or removed"
              .formatted(sound + 1, lines.lines());
    }
    return fitting == 0
        ? before
        : before
            + "; the last matching checkpoint, which no trusted key signed, covers lines 1 to "
            + fitting;
  }

  private void report(@Nullable Position at, TreeHead stated, String message) {
    if (!differs || (at != null && !isLocated)) {
      Finding finding = new Finding(FindingCode.TREE_ROOT_MISMATCH, at, message)
          .withValues(text(stated), text(lines.tree()));
      tally.report(finding);
      isLocated |= at != null;
    }
    differs = true;
  }

  private static String text(TreeHead tree) {
    return tree.size() + " lines, " + tree.root();
  }
}
