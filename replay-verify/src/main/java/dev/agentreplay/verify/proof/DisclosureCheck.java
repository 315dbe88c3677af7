package dev.agentreplay.verify.proof;

import dev.agentreplay.canonical.commitment.Disclosure;
import dev.agentreplay.verify.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * The result of checking a disclosed value with trusted public checkpoints: whether it leads to a
 * public root, and which of them state that root.
 *
 * <pre>{@code
 * Disclosure disclosure = Disclosure.fromJson(JsonText.parse(text).asObject());
 * TrustedHead head = TrustedHead.read(Path.of("PUBLIC_CHECKPOINT.json"), null);
 * boolean isProved =
 *     DisclosureCheck.of(disclosure, List.of(head)).verdict() == Verdict.VALID;
 * }</pre>
 *
 * <p>Immutable. {@link dev.agentreplay.verify.report.DisclosureReport} renders it.
 */
public final class DisclosureCheck {

  private final Disclosure disclosure;
  private final HeadTrust trust;

  private DisclosureCheck(Disclosure disclosure, HeadTrust trust) {
    this.disclosure = disclosure;
    this.trust = trust;
  }

  /** Checks a disclosure. */
  public static DisclosureCheck of(Disclosure disclosure, Collection<TrustedHead> trusted) {
    Objects.requireNonNull(disclosure, "disclosure");
    return new DisclosureCheck(disclosure, HeadTrust.of(List.of(disclosure.tree()), true, trusted));
  }

  /** The disclosure. */
  public Disclosure disclosure() {
    return disclosure;
  }

  /** The trusted heads, in the order given. */
  public List<TrustedHead> trusted() {
    return trust.trusted();
  }

  /**
   * The verdict: {@link Verdict#VALID} when the disclosure holds and every trusted head states its
   * root; {@link Verdict#INVALID} when it does not hold, or a trusted head contradicts it;
   * otherwise {@link Verdict#UNVERIFIED}, also when no heads are trusted.
   */
  public Verdict verdict() {
    return trust.verdict(disclosure.holds());
  }

  @Override
  public String toString() {
    return "%s: line %d, %s".formatted(verdict(), disclosure.line(), disclosure.pointer());
  }
}
