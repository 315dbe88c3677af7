package dev.agentreplay.verify.proof;

import dev.agentreplay.model.TreeHead;
import dev.agentreplay.verify.Verdict;
import java.util.Collection;
import java.util.List;

/**
 * The tree heads that a claim leads to, and those that are trusted.
 *
 * @param heads the heads of the claim
 * @param trusted the trusted heads, in the order given
 */
record HeadTrust(List<TreeHead> heads, List<TrustedHead> trusted) {

  static HeadTrust of(List<TreeHead> heads, Collection<TrustedHead> trusted) {
    return new HeadTrust(List.copyOf(heads), List.copyOf(trusted));
  }

  /** The trusted heads that state a root of the claim. */
  List<TrustedHead> supporting() {
    return trusted.stream().filter(head -> heads.contains(head.tree())).toList();
  }

  /** The trusted heads that state a different root for the same number of lines. */
  List<TrustedHead> contradicting() {
    return trusted.stream()
        .filter(head -> heads.stream().anyMatch(head::contradicts))
        .toList();
  }

  /** The verdict on a claim that holds by itself or not. */
  Verdict verdict(boolean holds) {
    if (!holds || !contradicting().isEmpty()) {
      return Verdict.INVALID;
    }
    boolean isEachUsed = supporting().size() == trusted.size();
    return isEachUsed && !trusted.isEmpty() ? Verdict.VALID : Verdict.UNVERIFIED;
  }
}
