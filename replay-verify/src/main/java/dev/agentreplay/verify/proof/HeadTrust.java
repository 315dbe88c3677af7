package dev.agentreplay.verify.proof;

import dev.agentreplay.model.TreeHead;
import dev.agentreplay.verify.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tree heads that a claim leads to, and those that are trusted.
 *
 * @param heads the heads of the claim
 * @param arePublic whether they are heads of a public tree, and not of the tree over the lines
 * @param trusted the trusted heads of either kind, in the order given
 */
record HeadTrust(List<TreeHead> heads, boolean arePublic, List<TrustedHead> trusted) {

  static HeadTrust of(List<TreeHead> heads, boolean arePublic, Collection<TrustedHead> trusted) {
    return new HeadTrust(List.copyOf(heads), arePublic, List.copyOf(trusted));
  }

  /** The trusted heads that state a root of the claim. */
  List<TrustedHead> supporting() {
    return ofTree().filter(head -> heads.contains(head.tree())).toList();
  }

  /** The trusted heads that state a different root for the same number of lines. */
  List<TrustedHead> contradicting() {
    return ofTree().filter(head -> heads.stream().anyMatch(head::contradicts)).toList();
  }

  /** The trusted heads of the tree that the claim is about. */
  private Stream<TrustedHead> ofTree() {
    return trusted.stream().filter(head -> head.isPublic() == arePublic);
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
