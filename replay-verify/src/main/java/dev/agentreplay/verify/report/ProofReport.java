package dev.agentreplay.verify.report;

import dev.agentreplay.canonical.tree.ConsistencyProof;
import dev.agentreplay.canonical.tree.InclusionProof;
import dev.agentreplay.canonical.tree.MerkleProof;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.proof.ProofCheck;
import java.util.List;

/**
 * The report on the check of a Merkle proof, as text and as JSON with the same content. The schema
 * {@value #SCHEMA} is described in docs/reports.md. Immutable.
 */
public final class ProofReport {

  /** The member {@code schema} of the JSON form. */
  public static final String SCHEMA = "replay.check/1";

  private final ProofCheck check;
  private final HeadStatements statements;

  private ProofReport(ProofCheck check, String checkpoint, String publicKey) {
    this.check = check;
    this.statements = new HeadStatements(check.trusted(), false, checkpoint, publicKey);
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
    return statements.texts(true);
  }

  /** The statements that are not proved, each with the reason. */
  public List<String> notProved() {
    return statements.texts(false);
  }

  /** The JSON form. */
  public JsonObject toJson() {
    return JsonObject.of(
        "schema", SCHEMA,
        "verdict", check.verdict().id(),
        "holds", check.proof().holds(),
        "proved", statements.toJson(true),
        "not_proved", statements.toJson(false),
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
          .labelled("root", HeadStatements.rootText(inclusion.tree()));
    } else if (proof instanceof ConsistencyProof consistency) {
      out.labelled("older", HeadStatements.rootText(consistency.first()))
          .labelled("newer", HeadStatements.rootText(consistency.second()));
    }
    return out.labelled("proved", proved()).labelled("not proved", notProved()).toString();
  }

  private void inclusion(InclusionProof inclusion) {
    statements.add(
        "path",
        inclusion.holds(),
        inclusion.holds()
            ? "this is line %,d of the %s that have this root"
                .formatted(inclusion.line(), HeadStatements.lines(inclusion.tree()))
            : "that this is line %,d: the path does not lead from it to the root"
                .formatted(inclusion.line()));
    statements.root("root", inclusion.tree());
    statements.add("others", false, "the content of any other line");
  }

  private void consistency(ConsistencyProof consistency) {
    statements.add(
        "path",
        consistency.holds(),
        consistency.holds()
            ? "the log of %s begins with the %s of the older one, and they are unchanged"
                .formatted(
                    HeadStatements.lines(consistency.second()),
                    HeadStatements.lines(consistency.first()))
            : "that lines were only appended: the path does not lead to the two roots");
    statements.root("older", consistency.first());
    statements.root("newer", consistency.second());
  }
}
