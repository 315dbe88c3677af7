package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.Checkpoint;
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
 * Holds the tree over the lines of a log against what is stated of it: by checkpoints in the log,
 * by those that were kept elsewhere, and by the receipt. The first statement that is not so tells
 * that a line is another one between it and the last that is so; what is stated after it would only
 * repeat that, but for the first checkpoint, which has a place in the log.
 */
final class TreeVerifier {

  /** A head of the tree and who states it. */
  private record Stated(TreeHead tree, String by) {}

  private static final String EARLIER = "an earlier checkpoint";

  private final Tally tally;
  private final LineDigest lines;
  private final SignatureCheck signatures;
  private final List<Stated> ahead = new ArrayList<>();
  private final @Nullable TreeHead receipt;
  private int next;
  /** Whether nothing but unsigned checkpoints in the log says what it should be. */
  private final boolean isAllThereIs;

  /** How many lines, from the first, are as somebody has stated who is not the log itself. */
  private long sound;

  /** How many lines are before the last checkpoint that is so, whoever made it. */
  private long fitting;

  private long signed;
  private @Nullable String signer;
  private boolean differs;

  /** Whether a finding with a place was reported, which is better than one without. */
  private boolean isLocated;

  private boolean damaged;

  /**
   * Of one log.
   *
   * @param lines has the lines that were accepted
   * @param earlier what the log was earlier
   * @param receipt what the receipt says it is; null when it says nothing
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

  /** A line could not be read: the lines of the log are not known from here on. */
  void damaged() {
    damaged = true;
  }

  /** The next line, which is not among {@link LineDigest lines} yet. */
  void accept(ReplayLine line) {
    compareHere();
    if (line.event() instanceof Checkpoint checkpoint) {
      accept(checkpoint, line);
    }
  }

  /** The log is at its end. */
  void finish() {
    compareHere();
    if (receipt != null && receipt.size() < lines.lines() && !damaged) {
      report(
          null,
          receipt,
          "the log goes on behind the %d lines of the receipt".formatted(receipt.size()));
    }
    for (; next < ahead.size() && !damaged; next++) {
      Stated stated = ahead.get(next);
      report(
          null,
          stated.tree,
          "%s is of %d lines, but the log has %d: some were cut off"
              .formatted(stated.by, stated.tree.size(), lines.lines()));
    }
    tally.add(Counter.LINES_IN_TREE, sound);
  }

  /** How many lines, from the first, signed checkpoints cover that are true. */
  long signed() {
    return signed;
  }

  /** The trusted key that has signed the last of those checkpoints; null when there is none. */
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
            null, stated.tree, "%s states another tree over %s".formatted(stated.by, suspects()));
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
        return; // it states what was altered before it
      }
      if (by != null || isAllThereIs) {
        sound = lines.lines();
      }
      if (by != null) {
        signer = by;
        signed = lines.lines() + (isAsWritten(line) ? 1 : 0); // with itself
      }
    } else if (checkpoint.tree().size() != tree.size()) {
      report(
          line.position(),
          checkpoint.tree(),
          "the checkpoint is of %d lines, but %d are before it"
              .formatted(checkpoint.tree().size(), tree.size()));
    } else {
      report(
          line.position(),
          checkpoint.tree(),
          "the checkpoint states another tree over " + suspects());
    }
  }

  /** Whether its bytes follow from what it says, also that a line feed ends it. */
  private static boolean isAsWritten(ReplayLine line) {
    return line.isCanonical(CanonicalJson.SERDE) && line.hasLineFeed();
  }

  /** Among which lines the one is that is another. */
  private String suspects() {
    String before = "the %d lines before it".formatted(lines.lines());
    if (sound > 0) {
      return before
          + ": one of lines %d to %d was altered, added or left out"
              .formatted(sound + 1, lines.lines());
    }
    return fitting == 0
        ? before
        : before + "; the last checkpoint that fits, which nobody vouches for, is of " + fitting;
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
