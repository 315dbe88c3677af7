package dev.agentreplay.verify.proof;

import dev.agentreplay.canonical.tree.ConsistencyProof;
import dev.agentreplay.canonical.tree.InclusionProof;
import dev.agentreplay.canonical.tree.MerkleProof;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The worth of a proof, given the heads that are trusted: whether its path leads to its roots, and
 * which trusted heads state those.
 *
 * <pre>{@code
 * MerkleProof proof = MerkleProof.fromJson(JsonText.parse(text).asObject());
 * TrustedHead monday = TrustedHead.read(Path.of("monday.json"), null);
 * boolean isProved = ProofCheck.of(proof, List.of(monday)).verdict() == Verdict.VALID;
 * }</pre>
 *
 * <p>Immutable.
 */
public final class ProofCheck {

  /** The member {@code schema} of the JSON form. */
  public static final String SCHEMA = "replay.check/1";

  /** A statement that is proved, or is not. */
  private record Point(String id, boolean isProved, String text) {}

  private final MerkleProof proof;
  private final List<TrustedHead> trusted;
  private final List<Point> points = new ArrayList<>();
  private boolean isContradicted;

  /** The trusted heads that state a root of the proof. */
  private final Set<TrustedHead> used = new HashSet<>();

  private ProofCheck(MerkleProof proof, Collection<TrustedHead> trusted) {
    this.proof = Objects.requireNonNull(proof, "proof");
    this.trusted = List.copyOf(trusted);
  }

  /** Checks a proof. */
  public static ProofCheck of(MerkleProof proof, Collection<TrustedHead> trusted) {
    ProofCheck check = new ProofCheck(proof, trusted);
    if (proof instanceof InclusionProof inclusion) {
      check.inclusion(inclusion);
    } else if (proof instanceof ConsistencyProof consistency) {
      check.consistency(consistency);
    }
    return check;
  }

  private void inclusion(InclusionProof inclusion) {
    add(
        "path",
        proof.holds(),
        proof.holds()
            ? "this is line %,d of the %s that have this root"
                .formatted(inclusion.line(), lines(inclusion.tree()))
            : "that this is line %,d: the path does not lead from it to the root"
                .formatted(inclusion.line()));
    root("root", inclusion.tree());
    add("others", false, "what any other line is");
  }

  private void consistency(ConsistencyProof consistency) {
    add(
        "path",
        proof.holds(),
        proof.holds()
            ? "the log of %s begins with the %s of the older one, and they are unchanged"
                .formatted(lines(consistency.second()), lines(consistency.first()))
            : "that the log has only grown: the path does not lead to the two roots");
    root("older", consistency.first());
    root("newer", consistency.second());
  }

  /**
   * The verdict: {@link Verdict#VALID} when the proof holds and every trusted head states a root of
   * it; {@link Verdict#INVALID} when it does not hold, or a trusted head contradicts it; else
   * {@link Verdict#UNVERIFIED}, also when nothing is trusted.
   */
  public Verdict verdict() {
    if (!proof.holds() || isContradicted) {
      return Verdict.INVALID;
    }
    return !used.isEmpty() && used.containsAll(trusted) ? Verdict.VALID : Verdict.UNVERIFIED;
  }

  /** The statements that are proved, in words. */
  public List<String> proved() {
    return points(true).stream().map(Point::text).toList();
  }

  /** The statements that are not proved, in words. */
  public List<String> notProved() {
    return points(false).stream().map(Point::text).toList();
  }

  /** The JSON form. */
  public JsonObject toJson() {
    return JsonObject.of(
        "schema",
        SCHEMA,
        "verdict",
        verdict().name().toLowerCase(Locale.ROOT),
        "holds",
        proof.holds(),
        "proved",
        json(true),
        "not_proved",
        json(false),
        "proof",
        proof.toJson());
  }

  private List<JsonObject> json(boolean areProved) {
    return points(areProved).stream()
        .map(point -> JsonObject.of("id", point.id, "text", point.text))
        .toList();
  }

  private List<Point> points(boolean areProved) {
    return points.stream().filter(point -> point.isProved == areProved).toList();
  }

  /** Says which trusted heads state a root. */
  private void root(String id, TreeHead tree) {
    boolean isSpokenOf = false;
    for (TrustedHead head : trusted) {
      if (head.tree().equals(tree)) {
        add(id, true, "%s states the root over %s".formatted(head.name(), lines(tree)));
        used.add(head);
      } else if (head.tree().size() == tree.size()) {
        add(
            id,
            false,
            "the root over %s: %s states another one".formatted(lines(tree), head.name()));
        isContradicted = true;
      }
      isSpokenOf |= head.tree().size() == tree.size();
    }
    if (!isSpokenOf) {
      add(id, false, "the root over %s: %s".formatted(lines(tree), unstated()));
    }
  }

  private String unstated() {
    return trusted.isEmpty()
        ? "anybody can make one up; name what you trust with --checkpoint"
        : trusted.stream()
            .map(head ->
                "%s is of %s".formatted(PlainText.of(head.file().toString()), lines(head.tree())))
            .collect(Collectors.joining(", "));
  }

  private void add(String id, boolean isProved, String text) {
    points.add(new Point(id, isProved, text));
  }

  private static String lines(TreeHead tree) {
    return "%,d line%s".formatted(tree.size(), tree.size() == 1 ? "" : "s");
  }
}
