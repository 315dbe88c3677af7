package dev.agentreplay.verify;

import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Severity;
import java.util.ArrayList;
import java.util.List;

/** Says what a report comes to: from its counters and findings alone. */
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
    long digests = count(Counter.LOG_DIGESTS_VERIFIED);
    if (isCut()) {
      notProved(Claim.LOG, "the log as a whole: " + unreadable());
    } else if (has(FindingCode.REPLAY_HASH_MISMATCH) || has(FindingCode.TREE_ROOT_MISMATCH)) {
      notProved(Claim.LOG, "the log as a whole: it is not what was stated of it");
    } else if (inTree == events && events > 0) {
      String also = digests == 0 ? "" : ", and so does the receipt's digest of the log";
      proved(
          Claim.LOG,
          "every line is as stated: the root of the tree over %s fits%s"
              .formatted(lines(events), also));
      return;
    } else if (digests > 0) {
      proved(Claim.LOG, "every event is as the receipt states: its digest of the log fits");
      return;
    } else if (isWhollySigned()) {
      proved(Claim.LOG, "every line is as was signed: the envelope has the hash of the log");
      return;
    } else if (inTree > 0) {
      notProved(
          Claim.LOG,
          "the last %s: no stated tree root covers more".formatted(lines(events - inTree)));
    } else if (count(Counter.RUN_DIGESTS_VERIFIED) > 0) {
      proved(
          Claim.LOG,
          "every event of the runtime is as the receipt states: its trajectory_hash fits");
      notProved(
          Claim.LOG,
          "the lines around them: trajectory_hash covers the events of the runtime only");
    } else {
      notProved(Claim.LOG, "the log as a whole: " + nothingStated());
    }
    if (inTree > 0) {
      proved(
          Claim.LOG,
          "the first %s are as stated: the root of the tree over them fits"
              .formatted(lines(inTree)));
    }
  }

  private void earlier() {
    if (count(Counter.EARLIER_TREES_VERIFIED) > 0) {
      proved(
          Claim.LOG,
          "the log begins with the lines that it had earlier: %d of the checkpoints named fit"
              .formatted(count(Counter.EARLIER_TREES_VERIFIED)));
    }
  }

  private void calls() {
    if (report.session().receipt() == null) {
      return;
    }
    long listed = count(Counter.RECEIPT_CALLS);
    long matched = count(Counter.RECEIPT_CALLS_MATCHED);
    boolean isClean = matched == listed && count(Counter.RECEIPT_CALLS_UNEXPECTED) == 0;
    if (isCut()) {
      notProved(Claim.CALLS, "the calls as the receipt lists them: " + unreadable());
    } else if (!isClean) {
      long others = count(Counter.RECEIPT_CALLS_UNEXPECTED);
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
          "%d of %d calls match the receipt, and there are no others".formatted(matched, listed));
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
  }

  private void hashes(
      Claim claim,
      String what,
      Counter all,
      Counter verified,
      Counter wrong,
      Counter unknown,
      Counter missing) {
    if (count(verified) > 0) {
      proved(
          claim,
          "%d of %d %s have the hash beside them".formatted(count(verified), count(all), what));
    }
    if (count(wrong) > 0) {
      notProved(
          claim, "%d of %d %s: their hash is another".formatted(count(wrong), count(all), what));
    }
    if (count(unknown) > 0) {
      notProved(
          claim,
          "%d of %d %s: the log does not hold the value"
              .formatted(count(unknown), count(all), what));
    }
    if (count(missing) > 0) {
      notProved(
          claim,
          "%d of %d %s: there is no hash beside them".formatted(count(missing), count(all), what));
    }
  }

  private void receipt() {
    if (has(FindingCode.RECEIPT_DIGEST_MISMATCH)) {
      notProved(Claim.RECEIPT, "the receipt: it has not the digest that is in it");
    } else if (count(Counter.RECEIPT_DIGESTS_VERIFIED) > 0) {
      proved(Claim.RECEIPT, "the receipt has the digest that is in it");
    }
  }

  private boolean isWhollySigned() {
    return count(Counter.LINES_SIGNED) == events && events > 0 && areLinesReadable();
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
    if (has(FindingCode.SESSION_END_MISSING)) {
      notProved(Claim.END, "that this is all of the session: it has no end");
    } else if (has(FindingCode.RECORDING_GAP)) {
      notProved(Claim.END, "that this is all of the session: there are events it does not record");
    } else if (areLinesReadable() && events > 0) {
      proved(Claim.END, "the session was recorded to its end");
    }
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
