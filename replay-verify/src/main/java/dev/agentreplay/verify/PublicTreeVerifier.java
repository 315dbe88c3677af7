package dev.agentreplay.verify;

import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublicTree;
import dev.agentreplay.canonical.commitment.PublishedHeader;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.EnvelopeCheck.SignedCheckpoint;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares the public tree of a log with what states its head: a public checkpoint next to the log,
 * public checkpoints kept elsewhere, and the receipt. A log with a salt determines the tree, and a
 * published log by its openings; it is computed only if its head is stated or requested.
 */
final class PublicTreeVerifier {

  private static final String CHECKPOINT = Session.PUBLIC_CHECKPOINT_NAME;
  private static final String RECEIPT = "the receipt";

  private final Tally tally;
  private final LogCanonicalization canonicalization;
  private final PublishedLines published;
  private final boolean isCheckpointMalformed;
  private final @Nullable SignedCheckpoint checkpoint;
  private final List<TreeHead> trusted;
  private final @Nullable PublicForm requested;

  /** The root and the form that the receipt states; null when it states none that is known. */
  private @Nullable ContentHash receiptRoot;

  private @Nullable PublicForm receiptForm;

  /** The trees of a log with a salt, of each form that is stated or requested. */
  private final Map<PublicForm, PublicTree> trees = new HashMap<>();

  private @Nullable Salt salt;
  private boolean damaged;
  private long count;
  private int next;
  private int trustedMatches;
  private long confirmed;
  private Publication.Checkpoint state;

  /**
   * Creates a verifier of one log.
   *
   * @param isPresent whether there is a public checkpoint next to the log
   * @param checkpoint that checkpoint; null when there is none, or it is malformed
   * @param trusted the heads of public trees that the caller trusts
   * @param receipt the receipt; null when there is none
   * @param requested the form of a tree to compute in any case; null for none
   */
  PublicTreeVerifier(
      Tally tally,
      LogCanonicalization canonicalization,
      PublishedLines published,
      boolean isPresent,
      @Nullable SignedCheckpoint checkpoint,
      List<TreeHead> trusted,
      @Nullable PresentedReceipt receipt,
      @Nullable PublicForm requested) {
    this.tally = tally;
    this.canonicalization = canonicalization;
    this.published = published;
    this.isCheckpointMalformed = isPresent && checkpoint == null;
    this.checkpoint = checkpoint;
    this.trusted =
        trusted.stream().sorted(Comparator.comparingLong(TreeHead::size)).toList();
    this.requested = requested;
    this.state = isCheckpointMalformed
        ? Publication.Checkpoint.MALFORMED
        : checkpoint == null ? Publication.Checkpoint.MISSING : Publication.Checkpoint.UNCOMPARED;
    if (receipt != null) {
      receipt(receipt.source());
    }
  }

  private void receipt(JsonObject receipt) {
    JsonValue root = receipt.get(Names.PUBLIC_ROOT);
    if (root == null) {
      return;
    }
    receiptRoot = root instanceof JsonString text ? ContentHash.tryParse(text.value()) : null;
    JsonValue form = receipt.get(Names.PUBLIC_FORM);
    if (receiptRoot == null || !(form instanceof JsonString id)) {
      String name = receiptRoot == null ? Names.PUBLIC_ROOT : Names.PUBLIC_FORM;
      tally.report(Finding.of(
              FindingCode.FIELD_INVALID,
              "receipt: %s must be %s, found %s"
                  .formatted(
                      name,
                      receiptRoot == null ? "a hash" : "the id of a public form",
                      Excerpt.of(String.valueOf(receipt.get(name)))))
          .withMember(name));
      receiptRoot = null;
      return;
    }
    receiptForm = PublicForm.tryParse(id.value());
    if (receiptForm == null) {
      unverifiable(RECEIPT, "its public form %s is not known".formatted(Excerpt.of(id.value())));
      receiptRoot = null;
    }
  }

  /** Records that a line could not be read, so that the tree over later lines is not known. */
  void damaged() {
    damaged = true;
    published.damaged();
  }

  /**
   * Accepts the next line.
   *
   * @param dialect the dialect of the log; null when its first line has no event tag
   */
  void accept(ReplayLine line, @Nullable Dialect dialect) {
    if (count == 0 && line.position().line() == 1 && line.event() instanceof ReplayHeader header) {
      begin(header, line);
    }
    published.accept(line, dialect);
    if (!trees.isEmpty()) {
      byte[] raw = line.bytes();
      trees.values().forEach(tree -> tree.add(raw, line.json(), canonicalization.get()));
    }
    count++;
    for (; next < trusted.size() && trusted.get(next).size() <= count; next++) {
      compareTrusted(trusted.get(next));
    }
  }

  private void begin(ReplayHeader header, ReplayLine line) {
    published.begin(line);
    salt = header.salt();
    if (published.isPublished() || salt == null || canonicalization.get() == null) {
      return;
    }
    addTree(requested);
    addTree(receiptForm);
    addTree(checkpoint == null ? null : checkpoint.checkpoint().form());
    addTree(trees.isEmpty() && !trusted.isEmpty() ? PublicForm.DEFAULT : null);
  }

  private void addTree(@Nullable PublicForm form) {
    if (form != null) {
      trees.computeIfAbsent(form, added -> new PublicTree(added, Objects.requireNonNull(salt)));
    }
  }

  /** The checkpoint of the tree of the requested form; null when the log has no salt. */
  @Nullable
  PublicCheckpoint requested() {
    PublicTree tree = trees.get(requested);
    return tree == null ? null : PublicCheckpoint.of(tree.form(), tree.head(), tree.original());
  }

  /** Completes the checks at the end of the log, whose lines were all read. */
  void finish() {
    for (; next < trusted.size(); next++) {
      mismatch(
          "a trusted public checkpoint covers %d lines, but the log has %d"
              .formatted(trusted.get(next).size(), count),
          trusted.get(next),
          null);
    }
    if (checkpoint != null) {
      compareCheckpoint(checkpoint.checkpoint());
    }
    if (receiptRoot != null && receiptForm != null) {
      compare(RECEIPT, receiptForm, new TreeHead(count, receiptRoot));
    }
    if (published.isPublished()) {
      tally.add(Counter.PUBLISHED_LINES_VERIFIED, confirmed);
    }
  }

  private void compareTrusted(TreeHead head) {
    TreeHead shown = published.tree();
    boolean isMatch = shown != null
        ? shown.equals(head)
        : trees.values().stream().anyMatch(tree -> tree.head().equals(head));
    if (isMatch) {
      trustedMatches++;
      confirmed = count;
    } else if (shown != null || (!trees.isEmpty() && !damaged)) {
      mismatch("a trusted public checkpoint states a different public root", head, shown);
    } else if (!damaged && !published.hasCommitments()) {
      mismatch("a trusted public checkpoint cannot be compared: " + reason(), head, null);
    }
  }

  private void compareCheckpoint(PublicCheckpoint stated) {
    Boolean isMatch = compare(CHECKPOINT, stated.form(), stated.tree());
    if (isMatch == null) {
      return;
    }
    state = isMatch ? Publication.Checkpoint.MATCHING : Publication.Checkpoint.DIFFERENT;
    if (isMatch) {
      confirmed = count;
      compareOriginal(stated);
    }
  }

  /** Compares the commitment to the tree over the lines of the session itself. */
  private void compareOriginal(PublicCheckpoint stated) {
    PublicTree tree = trees.get(stated.form());
    if (tree != null && stated.original() != null && !stated.original().equals(tree.original())) {
      mismatch(CHECKPOINT + " states a commitment to a different tree over the lines", null, null);
    }
  }

  /** Returns whether a stated head is that of the log; null if this cannot be determined. */
  private @Nullable Boolean compare(String by, PublicForm form, TreeHead head) {
    if (published.hasCommitments()) {
      TreeHead shown = published.tree();
      if (shown == null) {
        return null; // a finding says why
      }
      PublishedHeader header = Objects.requireNonNull(published.header());
      if (!form.equals(header.publicForm())) {
        mismatch(
            "%s is of the public form %s, but the log is of %s"
                .formatted(by, form.id(), header.form()),
            head,
            shown);
        return false;
      }
      return compare(by, head, shown);
    }
    PublicTree tree = trees.get(form);
    if (tree == null) {
      if (canonicalization.get() != null) {
        unverifiable(by, reason());
      }
      return null;
    }
    return compare(by, head, tree.head());
  }

  private boolean compare(String by, TreeHead head, TreeHead found) {
    if (head.equals(found)) {
      return true;
    }
    String message = head.size() == found.size()
        ? "%s states a different public root: a value was altered, or it belongs to a different"
            + " session"
        : "%s states a public tree over a different number of lines";
    mismatch(message.formatted(by), head, found);
    return false;
  }

  /** The reason why the log does not determine a public tree. */
  private String reason() {
    return published.isPublished()
        ? "the log is published without commitments"
        : "the header has no salt";
  }

  private void unverifiable(String by, String why) {
    tally.report(
        FindingCode.HASH_UNVERIFIABLE,
        null,
        "the public root in %s cannot be checked: %s".formatted(by, why));
  }

  private void mismatch(String message, @Nullable TreeHead stated, @Nullable TreeHead found) {
    tally.report(new Finding(FindingCode.PUBLIC_ROOT_MISMATCH, null, message)
        .withValues(text(stated), text(found)));
  }

  private static @Nullable String text(@Nullable TreeHead tree) {
    return tree == null ? null : tree.size() + " lines, " + tree.root();
  }

  /** The publication; null when the log does not state a readable one. */
  @Nullable
  Publication publication() {
    PublishedHeader header = published.header();
    return header == null
        ? null
        : new Publication(
            header,
            published.tree(),
            state,
            checkpoint != null && checkpoint.checkpoint().isSigned(),
            signer(),
            trustedMatches);
  }

  /**
   * The trusted key whose signature covers all values that a published log shows; null when no
   * trusted key did, or the log is not published.
   */
  @Nullable
  String signer() {
    return published.isPublished()
            && state == Publication.Checkpoint.MATCHING
            && checkpoint != null
            && !tally.findingCounts().containsKey(FindingCode.DISCLOSURE_INVALID)
        ? checkpoint.signer()
        : null;
  }
}
