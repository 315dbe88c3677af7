package dev.agentreplay.cli;

import dev.agentreplay.canonical.tree.GrowthProof;
import dev.agentreplay.canonical.tree.LineProof;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a proof comes to: whether it holds, and who that is trusted states the roots in it. */
final class ProofCheck {

  /**
   * Something that is proved, or is not.
   *
   * @param id of what it speaks, for programs
   */
  private record Point(String id, boolean isProved, String text) {}

  private final List<TrustedHead> trusted;
  private final List<Point> points = new ArrayList<>();
  private final boolean holds;
  private boolean isContradicted;

  /** Whether somebody who is trusted states a root. */
  private boolean isStated;

  /** Those who state one. */
  private final Set<TrustedHead> used = new HashSet<>();

  private ProofCheck(boolean holds, List<TrustedHead> trusted) {
    this.holds = holds;
    this.trusted = trusted;
  }

  /** Checks the proof of a line. */
  static ProofCheck of(LineProof proof, List<TrustedHead> trusted) {
    ProofCheck check = new ProofCheck(proof.holds(), trusted);
    check.add(
        "path",
        check.holds,
        check.holds
            ? "this is line %,d of the %s that have this root"
                .formatted(proof.line(), lines(proof.tree()))
            : "that this is line %,d: the path does not lead from it to the root"
                .formatted(proof.line()));
    check.root("root", proof.tree());
    check.add("others", false, "what any other line is");
    return check;
  }

  /** Checks the proof that a log has only grown. */
  static ProofCheck of(GrowthProof proof, List<TrustedHead> trusted) {
    ProofCheck check = new ProofCheck(proof.holds(), trusted);
    check.add(
        "path",
        check.holds,
        check.holds
            ? "the log of %s begins with the %s of the older one, and they are unchanged"
                .formatted(lines(proof.second()), lines(proof.first()))
            : "that the log has only grown: the path does not lead to the two roots");
    check.root("older", proof.first());
    check.root("newer", proof.second());
    return check;
  }

  /** What it comes to. */
  Verdict verdict() {
    if (!holds || isContradicted) {
      return Verdict.INVALID;
    }
    return isStated && used.size() == trusted.size() ? Verdict.VALID : Verdict.UNVERIFIED;
  }

  /** Whoever names what is trusted is not to be told that all is well when it says nothing. */
  int exitCode() {
    boolean isMissed = verdict() == Verdict.UNVERIFIED && !trusted.isEmpty();
    return verdict() == Verdict.INVALID || isMissed ? ExitCode.FINDINGS : ExitCode.OK;
  }

  /** What is proved, or what is not, in words. */
  List<String> texts(boolean areProved) {
    return points(areProved).map(Point::text).toList();
  }

  JsonObject toJson(JsonObject proof) {
    return JsonObject.of(
        "schema",
        "replay.check/1",
        "verdict",
        verdict().name().toLowerCase(Locale.ROOT),
        "holds",
        holds,
        "proved",
        json(true),
        "not_proved",
        json(false),
        "proof",
        proof);
  }

  private List<JsonObject> json(boolean areProved) {
    return points(areProved)
        .map(point -> JsonObject.of("id", point.id, "text", point.text))
        .toList();
  }

  private Stream<Point> points(boolean areProved) {
    return points.stream().filter(point -> point.isProved == areProved);
  }

  /** Says who states a root. */
  private void root(String id, TreeHead tree) {
    boolean isStatedHere = false;
    List<TrustedHead> ofOtherSizes = new ArrayList<>();
    for (TrustedHead head : trusted) {
      if (head.tree().equals(tree)) {
        add(id, true, "%s states the root over %s".formatted(head.name(), lines(tree)));
        isStatedHere = true;
        used.add(head);
      } else if (head.tree().size() == tree.size()) {
        add(
            id,
            false,
            "the root over %s: %s states another one".formatted(lines(tree), head.name()));
        isContradicted = true;
      } else {
        ofOtherSizes.add(head);
      }
    }
    isStated |= isStatedHere;
    if (!isStatedHere && ofOtherSizes.size() == trusted.size()) {
      add(id, false, "the root over %s: %s".formatted(lines(tree), unstated(ofOtherSizes)));
    }
  }

  private static String unstated(List<TrustedHead> ofOtherSizes) {
    return ofOtherSizes.isEmpty()
        ? "anybody can make one up; name what you trust with --checkpoint"
        : ofOtherSizes.stream()
            .map(head ->
                "%s is of %s".formatted(Style.plain(head.file().toString()), lines(head.tree())))
            .collect(Collectors.joining(", "));
  }

  private void add(String id, boolean isProved, String text) {
    points.add(new Point(id, isProved, text));
  }

  private static String lines(TreeHead tree) {
    return PlainText.count(tree.size(), "line");
  }
}
