package dev.agentreplay.verify;

import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.verify.VerificationReport.Claim;
import dev.agentreplay.verify.VerificationReport.Conclusion;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says what a report comes to, from its verdict, counters and findings alone. What is proved was
 * checked, and is so also in a session that is invalid: of the whole log and of its end nothing is
 * proved beside a finding that contradicts it.
 */
final class Conclusions {

  private final VerificationReport report;
  private final List<Conclusion> conclusions = new ArrayList<>();
  private final long events;

  private Conclusions(VerificationReport report) {
    this.report = report;
    this.events = count(Counter.EVENTS);
  }

  /** What is proved and what is not, in the order of the claims. */
  static List<Conclusion> of(VerificationReport report) {
    Conclusions conclusions = new Conclusions(report);
    if (report.count(FindingCode.UNSUPPORTED_VERSION) > 0) {
      conclusions.notProved(Claim.LOG, "anything: the log is of a version that is not read");
    } else {
      conclusions.log();
      conclusions.earlier();
      conclusions.calls();
      conclusions.hashes();
      conclusions.receipt();
      conclusions.signer();
      conclusions.end();
    }
    return conclusions.conclusions;
  }

  private void log() {
    long inTree = Math.min(count(Counter.LINES_IN_TREE), events);
    if (isCut()) {
      notProved(Claim.LOG, "the log as a whole: " + unreadable());
    } else if (isContradicted()) {
      notProved(Claim.LOG, "the log as a whole: it is not what was stated of it");
    } else if (isInTree()) {
      String also = isDigested() ? ", and so does the receipt's digest of the log" : "";
      proved(
          Claim.LOG,
          "every line is as stated: the root of the tree over %s fits%s"
              .formatted(lines(events), also));
      return;
    } else if (isDigested()) {
      proved(Claim.LOG, "every line is as the receipt states: its digest of the log fits");
      return;
    } else if (isWhollySigned()) {
      proved(Claim.LOG, "every line is as a trusted key has signed it");
      return;
    } else if (areEventsDigested()) {
      proved(
          Claim.LOG,
          "every event but the header is as the receipt states: its trajectory_hash fits");
      notProved(Claim.LOG, "the header: no hash in the receipt covers it");
    } else if (inTree > 0) {
      notProved(
          Claim.LOG,
          "the last %s: no stated tree root covers more".formatted(lines(events - inTree)));
    } else if (count(Counter.RUN_DIGESTS_VERIFIED) > 0) {
      proved(
          Claim.LOG,
          "type, key, payload, time and number of every event of the runtime are as the receipt"
              + " states: its trajectory_hash fits");
      notProved(
          Claim.LOG,
          "the lines around them, and their other members: trajectory_hash does not cover them");
    } else {
      notProved(Claim.LOG, "the log as a whole: " + nothingStated());
    }
    if (inTree > 0) {
      boolean isOwn =
          count(Counter.TREE_ROOTS_VERIFIED) == 0 && count(Counter.SIGNATURES_VERIFIED) == 0;
      proved(
          Claim.LOG,
          "the first %s are as %s: the root of the tree over them fits"
              .formatted(lines(inTree), isOwn ? "an unsigned checkpoint behind them" : "stated"));
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

  /** What a receipt cannot list, so that it says nothing of how many there should be. */
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
          "%d of %d previews: they do not follow from the value".formatted(wrong, all));
    }
    if (unknown > 0) {
      notProved(
          Claim.PREVIEWS,
          "%d of %d previews: the value to compare with is missing".formatted(unknown, all));
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
          claim,
          "%d of %d %s: there is no hash beside them".formatted(count(missing), count(all), what));
    }
  }

  private void values(
      Claim claim, long all, String what, Counter verified, Counter wrong, Counter unknown) {
    if (count(verified) > 0) {
      proved(claim, "%d of %d %s have the hash beside them".formatted(count(verified), all, what));
    }
    if (count(wrong) > 0) {
      notProved(claim, "%d of %d %s: their hash is another".formatted(count(wrong), all, what));
    }
    if (count(unknown) > 0) {
      notProved(claim, "%d of %d %s: the value is missing".formatted(count(unknown), all, what));
    }
  }

  private void receipt() {
    if (has(FindingCode.RECEIPT_DIGEST_MISMATCH)) {
      notProved(Claim.RECEIPT, "the receipt: it has not the digest that is in it");
    } else if (count(Counter.RECEIPT_DIGESTS_VERIFIED) > 0) {
      proved(Claim.RECEIPT, "the receipt has the digest that is in it");
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
                  isWhole ? "every line" : "the first " + lines(signed),
                  by.isEmpty() ? "" : ": " + by));
    }
    if (has(FindingCode.SIGNATURE_INVALID)) {
      notProved(Claim.SIGNER, "who made it: a signature does not fit");
    } else if (signed > 0 && !isWhole) {
      notProved(Claim.SIGNER, "who made the lines after them: they are not signed");
    } else if (!isWhole) {
      notProved(Claim.SIGNER, "who made it: " + unsigned());
    }
  }

  private void end() {
    String by = coverOfEnd();
    if (has(FindingCode.BEING_WRITTEN)) {
      notAll("it is being written");
    } else if (has(FindingCode.SESSION_END_MISSING)) {
      notAll("it has no end");
    } else if (!areLinesReadable()) {
      notAll(unreadable());
    } else if (has(FindingCode.RECORDING_GAP)) {
      notAll("there are events it does not record");
    } else if (events == 0) {
      return;
    } else if (isRefuted()) {
      notAll("its end is not to be believed beside what was found");
    } else if (report.unmet().contains(Requirement.SIGNATURE)) {
      notAll("no trusted key has signed its end");
    } else if (by == null) {
      notAll("only the log says that it ended");
    } else {
      proved(Claim.END, "the session was recorded to its end: %s covers it".formatted(by));
    }
  }

  private void notAll(String why) {
    notProved(Claim.END, "that this is all of the session: " + why);
  }

  /** What was verified that covers the last line; null when nothing does. */
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

  /** Whether something verified covers every byte of the log. */
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

  /** Whether the log as a whole is not what something that was presented states. */
  private boolean isContradicted() {
    return has(FindingCode.REPLAY_HASH_MISMATCH)
        || has(FindingCode.TREE_ROOT_MISMATCH)
        || has(FindingCode.LINE_ENDINGS_CONVERTED)
        || has(FindingCode.EXPECTATION_UNMET);
  }

  /** Whether anything at all is wrong, so that what the log says of its end is worth nothing. */
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
          ? "not all that is signed is signed with a key that is trusted here"
          : "it is signed, but by no key that is trusted here";
    }
    if (isTrusted) {
      return "what a trusted key has signed does not say what the lines are";
    }
    return report.session().receipt() == null
        ? "nothing is signed"
        : "nothing is signed, and who can change log and receipt can make them agree";
  }

  private String nothingStated() {
    return report.session().receipt() == null
        ? "there is no receipt, and nothing else states what it should be"
        : "the receipt holds no digest of it, and no root of a tree over its lines";
  }

  private String unreadable() {
    return areLinesReadable()
        ? "the receipt cannot be read"
        : lines(count(Counter.UNREADABLE_LINES)) + " cannot be read";
  }

  /** Whether something could not be read, so that the whole is not known. */
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
    return "%d line%s".formatted(n, n == 1 ? "" : "s");
  }

  private void proved(Claim claim, String text) {
    conclusions.add(new Conclusion(claim, true, text));
  }

  private void notProved(Claim claim, String text) {
    conclusions.add(new Conclusion(claim, false, text));
  }
}
