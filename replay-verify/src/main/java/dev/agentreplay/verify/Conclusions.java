package dev.agentreplay.verify;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ImportOrigin;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport.Claim;
import dev.agentreplay.verify.VerificationReport.Conclusion;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Derives the conclusions of a report from its verdict, counters and findings alone. A proved claim
 * was checked, and holds even if the session is invalid; nothing about the whole log or its end is
 * proved if a finding contradicts it.
 */
final class Conclusions {

  private final VerificationReport report;
  private final List<Conclusion> conclusions = new ArrayList<>();
  private final long events;

  private Conclusions(VerificationReport report) {
    this.report = report;
    this.events = count(Counter.EVENTS);
  }

  /** Returns the claims that are proved and those that are not, in the order of {@link Claim}. */
  static List<Conclusion> of(VerificationReport report) {
    Conclusions conclusions = new Conclusions(report);
    if (report.count(FindingCode.UNSUPPORTED_VERSION) > 0) {
      conclusions.notProved(Claim.LOG, "anything: the version of the log is not supported");
    } else {
      conclusions.log();
      conclusions.earlier();
      conclusions.calls();
      conclusions.hashes();
      conclusions.receipt();
      conclusions.signer();
      conclusions.end();
      conclusions.publication();
      conclusions.fork();
      conclusions.imported();
    }
    return conclusions.conclusions;
  }

  private void log() {
    long inTree = Math.min(count(Counter.LINES_IN_TREE), events);
    if (isCut()) {
      notProved(Claim.LOG, "the log as a whole: " + unreadable());
    } else if (isContradicted()) {
      notProved(Claim.LOG, "the log as a whole: it differs from what was stated about it");
    } else if (isInTree()) {
      String also = isDigested() ? ", and so does the receipt's digest of the log" : "";
      proved(
          Claim.LOG,
          "every line is as stated: the tree root over %s matches%s"
              .formatted(lines(events), also));
      return;
    } else if (isDigested()) {
      proved(Claim.LOG, "every line is as the receipt states: its digest of the log matches");
      return;
    } else if (isWhollySigned()) {
      proved(Claim.LOG, everyLine() + " is as a trusted key has signed it");
      return;
    } else if (areEventsDigested()) {
      proved(
          Claim.LOG,
          "every event except the header is as the receipt states: its trajectory_hash matches");
      notProved(Claim.LOG, "the header: no hash in the receipt covers it");
    } else if (inTree > 0) {
      notProved(
          Claim.LOG,
          "the last %s: no stated tree root covers them".formatted(lines(events - inTree)));
    } else if (count(Counter.RUN_DIGESTS_VERIFIED) > 0) {
      proved(
          Claim.LOG,
          "type, key, payload, time and number of every event of the runtime are as the receipt"
              + " states: its trajectory_hash matches");
      notProved(
          Claim.LOG,
          "the other lines, and the other members of these: trajectory_hash does not cover them");
    } else {
      notProved(Claim.LOG, "the log as a whole: " + nothingStated());
    }
    if (inTree > 0) {
      boolean isOwn =
          count(Counter.TREE_ROOTS_VERIFIED) == 0 && count(Counter.SIGNATURES_VERIFIED) == 0;
      proved(
          Claim.LOG,
          "the first %s are as %s: the tree root over them matches"
              .formatted(lines(inTree), isOwn ? "an unsigned checkpoint states" : "stated"));
    }
  }

  private void earlier() {
    long trees = count(Counter.EARLIER_TREES_VERIFIED);
    if (trees > 0) {
      proved(
          Claim.LOG,
          "the log begins with the lines that it had at %d earlier checkpoint%s"
              .formatted(trees, trees == 1 ? "" : "s"));
    }
  }

  private void calls() {
    if (report.session().receipt() == null) {
      return;
    }
    long listed = count(Counter.RECEIPT_CALLS);
    long matched = count(Counter.RECEIPT_CALLS_MATCHED);
    long others = count(Counter.RECEIPT_CALLS_UNEXPECTED);
    if (isCut()) {
      notProved(Claim.CALLS, "the calls as the receipt lists them: " + unreadable());
      return;
    }
    if (matched != listed || others > 0) {
      notProved(
          Claim.CALLS,
          "the calls as the receipt lists them: %d of %d match%s"
              .formatted(
                  matched,
                  listed,
                  others == 0 ? "" : ", and the log has %d others".formatted(others)));
    } else if (listed > 0) {
      proved(
          Claim.CALLS,
          "%d of %d calls match the receipt, and there are no other answered ones"
              .formatted(matched, listed));
    } else if (count(Counter.ANSWERED_CALLS) > 0) {
      notProved(Claim.CALLS, "the calls: the receipt lists none");
    }
    if (!isWhole()) {
      unlisted(count(Counter.UNANSWERED_CALLS), "unanswered call is", "unanswered calls are");
      unlisted(
          count(Counter.TOOL_RESULTS) - count(Counter.ANSWERED_CALLS),
          "result without a call is",
          "results without a call are");
    }
  }

  /** Adds calls or results that a receipt cannot list, so that it does not limit their number. */
  private void unlisted(long n, String one, String many) {
    if (n > 0) {
      notProved(
          Claim.CALLS,
          "%d %s not in the receipt, which lists answered ones".formatted(n, n == 1 ? one : many));
    }
  }

  private void hashes() {
    hashes(
        Claim.PARAMS,
        "parameters",
        Counter.TOOL_CALLS,
        Counter.PARAMS_HASHES_VERIFIED,
        Counter.PARAMS_HASHES_MISMATCHED,
        Counter.PARAMS_HASHES_UNVERIFIABLE,
        Counter.PARAMS_HASHES_MISSING);
    hashes(
        Claim.OUTPUTS,
        "outputs",
        Counter.TOOL_RESULTS,
        Counter.OUTPUT_HASHES_VERIFIED,
        Counter.OUTPUT_HASHES_MISMATCHED,
        Counter.OUTPUT_HASHES_UNVERIFIABLE,
        Counter.OUTPUT_HASHES_MISSING);
    long payloads = count(Counter.PAYLOAD_HASHES_VERIFIED)
        + count(Counter.PAYLOAD_HASHES_MISMATCHED)
        + count(Counter.PAYLOAD_HASHES_UNVERIFIABLE);
    values(
        Claim.PAYLOADS,
        payloads,
        "prompts, answers and payloads",
        Counter.PAYLOAD_HASHES_VERIFIED,
        Counter.PAYLOAD_HASHES_MISMATCHED,
        Counter.PAYLOAD_HASHES_UNVERIFIABLE);
    previews();
    snapshots();
  }

  private void snapshots() {
    long all = count(Counter.SNAPSHOT_FILES);
    long verified = count(Counter.SNAPSHOT_FILES_VERIFIED);
    long wrong = count(Counter.SNAPSHOT_FILES_MISMATCHED);
    long missing = count(Counter.SNAPSHOT_FILES_UNVERIFIABLE);
    String what = "files of the snapshot";
    if (verified > 0) {
      proved(Claim.SNAPSHOT, "%d of %d %s match their hash".formatted(verified, all, what));
    }
    if (wrong > 0) {
      notProved(
          Claim.SNAPSHOT,
          "%d of %d %s: the bytes do not match the hash".formatted(wrong, all, what));
    }
    if (missing > 0) {
      notProved(Claim.SNAPSHOT, "%d of %d %s: missing".formatted(missing, all, what));
    }
  }

  private void previews() {
    long verified = count(Counter.PREVIEWS_VERIFIED);
    long wrong = count(Counter.PREVIEWS_MISMATCHED);
    long unknown = count(Counter.PREVIEWS_UNVERIFIABLE);
    long all = verified + wrong + unknown;
    if (verified > 0) {
      proved(Claim.PREVIEWS, "%d of %d previews follow from the value".formatted(verified, all));
    }
    if (wrong > 0) {
      notProved(
          Claim.PREVIEWS,
          "%d of %d previews: the value has a different preview".formatted(wrong, all));
    }
    if (unknown > 0) {
      notProved(
          Claim.PREVIEWS,
          ("%d of %d previews: there is no full value to compare with: it is not in the log, its"
                  + " blob is missing or altered, or the canonicalization is unknown")
              .formatted(unknown, all));
    }
  }

  private void hashes(
      Claim claim,
      String what,
      Counter all,
      Counter verified,
      Counter wrong,
      Counter unknown,
      Counter missing) {
    values(claim, count(all), what, verified, wrong, unknown);
    if (count(missing) > 0) {
      notProved(
          claim, "%d of %d %s: no hash was recorded".formatted(count(missing), count(all), what));
    }
  }

  private void values(
      Claim claim, long all, String what, Counter verified, Counter wrong, Counter unknown) {
    if (count(verified) > 0) {
      proved(claim, "%d of %d %s match their hash".formatted(count(verified), all, what));
    }
    if (count(wrong) > 0) {
      notProved(
          claim,
          "%d of %d %s: the value does not match its hash".formatted(count(wrong), all, what));
    }
    if (count(unknown) > 0) {
      notProved(
          claim,
          "%d of %d %s: %s"
              .formatted(
                  count(unknown),
                  all,
                  what,
                  report.publication() == null
                      ? "the value is missing or too large, or the canonicalization is unknown"
                      : "the value or its hash is withheld"));
    }
  }

  private void receipt() {
    if (has(FindingCode.RECEIPT_DIGEST_MISMATCH)) {
      notProved(Claim.RECEIPT, "the receipt: it does not match its own digest");
    } else if (count(Counter.RECEIPT_DIGESTS_VERIFIED) > 0) {
      proved(Claim.RECEIPT, "the receipt matches its own digest");
    }
  }

  private void signer() {
    long signed = Math.min(count(Counter.LINES_SIGNED), events);
    boolean isWhole = isWhollySigned();
    if (signed > 0) {
      String by = String.join(", ", report.signers());
      proved(
          Claim.SIGNER,
          "a trusted key has signed %s%s"
              .formatted(
                  isWhole ? everyLine() : "the first " + lines(signed),
                  by.isEmpty() ? "" : ": " + by));
    }
    if (has(FindingCode.SIGNATURE_INVALID)) {
      notProved(Claim.SIGNER, "the author: a signature is invalid");
    } else if (signed > 0 && !isWhole) {
      notProved(Claim.SIGNER, "the author of the lines after them: they are not signed");
    } else if (!isWhole) {
      notProved(Claim.SIGNER, "the author: " + unsigned());
    }
  }

  private String everyLine() {
    Publication publication = report.publication();
    return publication == null || publication.signer() == null
        ? "every line"
        : "every value that is shown unchanged";
  }

  private void end() {
    String by = coverOfEnd();
    if (has(FindingCode.BEING_WRITTEN)) {
      notAll("it is still being written");
    } else if (has(FindingCode.SESSION_END_MISSING)) {
      notAll("it has no end");
    } else if (!areLinesReadable()) {
      notAll(unreadable());
    } else if (has(FindingCode.RECORDING_GAP)) {
      notAll("some events were not recorded");
    } else if (events == 0) {
      return;
    } else if (isRefuted()) {
      notAll("its end is unreliable because of other findings");
    } else if (report.unmet().contains(Requirement.SIGNATURE)) {
      notAll("no trusted key has signed its end");
    } else if (by == null) {
      notAll("only the log says that it ended");
    } else {
      proved(Claim.END, "the session was recorded to its end: %s covers it".formatted(by));
    }
  }

  private void publication() {
    Publication publication = report.publication();
    if (publication == null) {
      return;
    }
    String policy = "the policy " + Excerpt.of(publication.policyId())
        + (publication.policyHash() == null ? "" : " (%s)".formatted(publication.policyHash()));
    if (publication.isPlain()) {
      notProved(
          Claim.PUBLICATION,
          "that values are unchanged: the log has no commitments; %s determined what it shows"
              .formatted(policy));
    } else {
      commitments(publication);
      long withheld = count(Counter.VALUES_WITHHELD);
      long redacted = count(Counter.VALUES_REDACTED);
      if (withheld + redacted > 0) {
        notProved(
            Claim.PUBLICATION,
            "%s withheld and %d redacted by %s; what is shown in place of a value is not proved"
                .formatted(count(withheld, "value"), redacted, policy));
      }
    }
    notProved(
        Claim.PUBLICATION,
        "the verdict on the session that was published: only the publisher states it, as "
            + publication.source());
  }

  private void imported() {
    ImportOrigin origin = report.importedFrom();
    if (origin != null) {
      notProved(
          Claim.IMPORT,
          "that the trace is true: this is an import of %s, and what is proved is the copy"
              .formatted(Excerpt.of(origin.format())));
    }
  }

  private void fork() {
    long before = count(Counter.PARENT_LINES_VERIFIED);
    long other =
        report.count(FindingCode.PARENT_MISMATCH) + report.count(FindingCode.FORK_PREFIX_MISMATCH);
    boolean isSound = report.verdict() == Verdict.VALID || report.verdict() == Verdict.UNVERIFIED;
    if (before > 0 && other == 0 && isSound) {
      long events = count(Counter.FORKED_EVENTS_VERIFIED);
      String repeated = events == 1
          ? "1 call, result or value"
          : "%d calls, results and values".formatted(events);
      proved(
          Claim.FORK,
          "the session is a fork: the %s before its point are those of the parent"
                  .formatted(lines(before))
              + (events == 0
                  ? ""
                  : ", and it repeats the %s in them unchanged".formatted(repeated)));
    } else if (before > 0 || other > 0) {
      notProved(Claim.FORK, "that the session is a fork of the parent");
    }
  }

  private void commitments(Publication publication) {
    String shown = "%s of %s are unchanged"
        .formatted(
            count(count(Counter.VALUES_SHOWN), "value"), lines(count(Counter.PUBLISHED_LINES)));
    boolean isMatching = publication.checkpoint() == Publication.Checkpoint.MATCHING;
    if (count(Counter.PUBLISHED_LINES_VERIFIED) < events
        || publication.tree() == null
        || has(FindingCode.PUBLIC_ROOT_MISMATCH)) {
      notProved(Claim.PUBLICATION, "that %s: %s".formatted(shown, unconfirmed(publication)));
      return;
    }
    List<String> roots = new ArrayList<>();
    if (isMatching) {
      roots.add("the public root in %s%s"
          .formatted(
              Session.PUBLIC_CHECKPOINT_NAME,
              publication.signer() == null
                  ? ""
                  : ", signed by the trusted key " + publication.signer()));
    }
    if (publication.trusted() > 0) {
      roots.add("the root of " + count(publication.trusted(), "trusted public checkpoint"));
    }
    proved(
        Claim.PUBLICATION,
        "%s: their commitments lead to %s".formatted(shown, String.join(", and to ", roots)));
    if (publication.signer() == null && publication.trusted() == 0) {
      notProved(
          Claim.PUBLICATION,
          "the author of the public root: "
              + (publication.isSigned()
                  ? "it is signed, but not with a trusted key"
                  : "it is not signed, so anyone can make one that matches"));
    }
  }

  private String unconfirmed(Publication publication) {
    if (isCut()) {
      return unreadable();
    } else if (publication.tree() == null) {
      return "an opening does not fit what the log shows, or cannot be checked";
    } else if (has(FindingCode.PUBLIC_ROOT_MISMATCH)) {
      return "their commitments do not lead to the stated public root";
    } else if (count(Counter.PUBLISHED_LINES_VERIFIED) > 0) {
      return "the trusted public checkpoints cover only the first "
          + lines(count(Counter.PUBLISHED_LINES_VERIFIED));
    }
    return publication.checkpoint() == Publication.Checkpoint.MALFORMED
        ? Session.PUBLIC_CHECKPOINT_NAME + " is malformed"
        : "there is no public checkpoint: " + Session.PUBLIC_CHECKPOINT_NAME;
  }

  private static String count(long n, String noun) {
    return "%d %s%s".formatted(n, noun, n == 1 ? "" : "s");
  }

  private void notAll(String why) {
    notProved(Claim.END, "that the session is complete: " + why);
  }

  /** The verified statement that covers the last line; null when there is none. */
  private @Nullable String coverOfEnd() {
    if (isCut() || isContradicted()) {
      return null;
    }
    return isWhollySigned()
        ? "a trusted signature"
        : isInTree()
            ? "a verified tree root"
            : isDigested()
                ? "the receipt's digest of the log"
                : areEventsDigested() ? "the receipt's trajectory_hash" : null;
  }

  /** Whether a verified statement covers every byte of the log. */
  private boolean isWhole() {
    return !isCut() && !isContradicted() && (isInTree() || isDigested() || isWhollySigned());
  }

  private boolean isInTree() {
    return count(Counter.LINES_IN_TREE) >= events && events > 0;
  }

  private boolean isDigested() {
    return count(Counter.LOG_DIGESTS_VERIFIED) > 0;
  }

  private boolean areEventsDigested() {
    return count(Counter.EVENT_DIGESTS_VERIFIED) > 0;
  }

  private boolean isWhollySigned() {
    return count(Counter.LINES_SIGNED) == events && events > 0 && areLinesReadable();
  }

  /** Whether the log as a whole differs from what a presented file or the caller states of it. */
  private boolean isContradicted() {
    return has(FindingCode.REPLAY_HASH_MISMATCH)
        || has(FindingCode.TREE_ROOT_MISMATCH)
        || has(FindingCode.PUBLIC_ROOT_MISMATCH)
        || has(FindingCode.LINE_ENDINGS_CONVERTED)
        || has(FindingCode.EXPECTATION_UNMET);
  }

  /** Whether any error was found, so that the end in the log is not reliable. */
  private boolean isRefuted() {
    return report.verdict() == Verdict.INVALID
        || report.verdict() == Verdict.UNREADABLE
        || report.findingCounts().keySet().stream()
            .anyMatch(code -> code.severity().compareTo(Severity.ERROR) <= 0);
  }

  private String unsigned() {
    boolean isTrusted = count(Counter.SIGNATURES_VERIFIED) > 0;
    if (count(Counter.SIGNATURES_UNVERIFIABLE) > 0 || has(FindingCode.SIGNATURE_UNVERIFIABLE)) {
      return isTrusted
          ? "not every signature was made with a trusted key"
          : "it is signed, but not with a trusted key";
    }
    if (isTrusted) {
      return "what a trusted key has signed does not cover the lines";
    }
    return report.session().receipt() == null
        ? "nothing is signed"
        : "nothing is signed, so anyone who can edit both log and receipt can make them agree";
  }

  private String nothingStated() {
    return report.session().receipt() == null
        ? "there is no receipt or other statement to compare it with"
        : "the receipt has neither a digest of it nor a tree root over its lines";
  }

  private String unreadable() {
    return areLinesReadable()
        ? "the receipt cannot be read"
        : lines(count(Counter.UNREADABLE_LINES)) + " cannot be read";
  }

  /** Whether anything could not be read, so that the session is not completely known. */
  private boolean isCut() {
    return report.findingCounts().keySet().stream()
        .anyMatch(code -> code.severity() == Severity.UNREADABLE);
  }

  private boolean areLinesReadable() {
    return count(Counter.UNREADABLE_LINES) == 0;
  }

  private long count(Counter counter) {
    return report.count(counter);
  }

  private boolean has(FindingCode code) {
    return report.count(code) > 0;
  }

  private static String lines(long n) {
    return count(n, "line");
  }

  private void proved(Claim claim, String text) {
    conclusions.add(new Conclusion(claim, true, text));
  }

  private void notProved(Claim claim, String text) {
    conclusions.add(new Conclusion(claim, false, text));
  }
}
