package dev.agentreplay.verify.report;

import dev.agentreplay.canonical.tree.ConsistencyProof;
import dev.agentreplay.canonical.tree.InclusionProof;
import dev.agentreplay.canonical.tree.MerkleProof;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.proof.ProofCheck;
import dev.agentreplay.verify.proof.TrustedHead;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The report on the check of a Merkle proof, as text and as JSON with the same content. The schema
 * {@value #SCHEMA} is described in docs/reports.md. Immutable.
 */
public final class ProofReport {

  /** The member {@code schema} of the JSON form. */
  public static final String SCHEMA = "replay.check/1";

  /** A statement that is proved, or not proved. */
  private record Statement(String id, boolean isProved, String text) {}

  private final ProofCheck check;
  private final String checkpoint;
  private final String publicKey;
  private final List<Statement> statements = new ArrayList<>();

  private ProofReport(ProofCheck check, String checkpoint, String publicKey) {
    this.check = check;
    this.checkpoint = checkpoint;
    this.publicKey = publicKey;
    if (check.proof() instanceof InclusionProof inclusion) {
      inclusion(inclusion);
    } else if (check.proof() instanceof ConsistencyProof consistency) {
      consistency(consistency);
    }
  }

  /** Returns the report on a check. */
  public static ProofReport of(ProofCheck check) {
    return of(check, "a checkpoint", "public key");
  }

  /**
   * Returns the report on a check, for a user who specifies trusted files with options.
   *
   * @param checkpoint the option for a trusted checkpoint or receipt, as the report names it
   * @param publicKey the option for the key that must have signed it, as the report names it
   */
  public static ProofReport of(ProofCheck check, String checkpoint, String publicKey) {
    return new ProofReport(check, checkpoint, publicKey);
  }

  /** The statements that are proved. */
  public List<String> proved() {
    return statements(true).stream().map(Statement::text).toList();
  }

  /** The statements that are not proved, each with the reason. */
  public List<String> notProved() {
    return statements(false).stream().map(Statement::text).toList();
  }

  /** The JSON form. */
  public JsonObject toJson() {
    return JsonObject.of(
        "schema", SCHEMA,
        "verdict", check.verdict().id(),
        "holds", check.proof().holds(),
        "proved", json(true),
        "not_proved", json(false),
        "proof", check.proof().toJson());
  }

  /** The whole report as text; each line ends with a line feed. */
  public String render(String name, VerificationText.Style style) {
    LabelledText out = new LabelledText()
        .append(VerificationText.verdict(check.verdict(), style))
        .append("  " + style.bold(PlainText.of(name)) + "\n");
    MerkleProof proof = check.proof();
    if (proof instanceof InclusionProof inclusion) {
      out.labelled(
              "line", "%,d of %,d".formatted(inclusion.line(), inclusion.tree().size()))
          .labelled("text", PlainText.fit(inclusion.text(), LabelledText.TEXT_WIDTH))
          .labelled("root", rootText(inclusion.tree()));
    } else if (proof instanceof ConsistencyProof consistency) {
      out.labelled("older", rootText(consistency.first()))
          .labelled("newer", rootText(consistency.second()));
    }
    return out.labelled("proved", proved()).labelled("not proved", notProved()).toString();
  }

  private List<JsonObject> json(boolean areProved) {
    return statements(areProved).stream()
        .map(statement -> JsonObject.of("id", statement.id, "text", statement.text))
        .toList();
  }

  private List<Statement> statements(boolean areProved) {
    return statements.stream()
        .filter(statement -> statement.isProved == areProved)
        .toList();
  }

  private void inclusion(InclusionProof inclusion) {
    add(
        "path",
        inclusion.holds(),
        inclusion.holds()
            ? "this is line %,d of the %s that have this root"
                .formatted(inclusion.line(), lines(inclusion.tree()))
            : "that this is line %,d: the path does not lead from it to the root"
                .formatted(inclusion.line()));
    root("root", inclusion.tree());
    add("others", false, "the content of any other line");
  }

  private void consistency(ConsistencyProof consistency) {
    add(
        "path",
        consistency.holds(),
        consistency.holds()
            ? "the log of %s begins with the %s of the older one, and they are unchanged"
                .formatted(lines(consistency.second()), lines(consistency.first()))
            : "that lines were only appended: the path does not lead to the two roots");
    root("older", consistency.first());
    root("newer", consistency.second());
  }

  /** Adds the trusted heads that state or contradict a root. */
  private void root(String id, TreeHead tree) {
    boolean isUnstated = true;
    for (TrustedHead head : check.trusted()) {
      if (head.isPublic()) {
        continue;
      }
      if (head.tree().equals(tree)) {
        add(id, true, "%s states the root over %s".formatted(subject(head), lines(tree)));
        isUnstated = false;
      } else if (head.contradicts(tree)) {
        add(
            id,
            false,
            "the root over %s: %s states a different one".formatted(lines(tree), subject(head)));
        isUnstated = false;
      }
    }
    if (isUnstated) {
      add(id, false, "the root over %s: %s".formatted(lines(tree), unstated()));
    }
  }

  private String unstated() {
    return check.trusted().isEmpty()
        ? "anyone can forge one; name what you trust with " + checkpoint
        : check.trusted().stream()
            .map(head -> head.isPublic()
                ? file(head) + " states only the root of the public tree"
                : "%s covers %s".formatted(file(head), lines(head.tree())))
            .collect(Collectors.joining(", "));
  }

  /** The file of a head and the state of its signature: the subject of a sentence. */
  private String subject(TrustedHead head) {
    String why = head.isVerified()
        ? "which a trusted key has signed"
        : head.isSigned()
            ? "whose signature was not checked because no %s was given".formatted(publicKey)
            : "which is not signed";
    return "%s, %s,".formatted(file(head), why);
  }

  private void add(String id, boolean isProved, String text) {
    statements.add(new Statement(id, isProved, text));
  }

  private static String file(TrustedHead head) {
    return PlainText.of(head.file().toString());
  }

  private static String rootText(TreeHead tree) {
    return "%s over %s".formatted(tree.root(), lines(tree));
  }

  private static String lines(TreeHead tree) {
    return PlainText.count(tree.size(), "line");
  }
}
