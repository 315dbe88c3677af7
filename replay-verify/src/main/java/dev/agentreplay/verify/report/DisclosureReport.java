package dev.agentreplay.verify.report;

import dev.agentreplay.canonical.commitment.Disclosure;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.LabelledText;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.proof.DisclosureCheck;
import java.util.List;

/**
 * The report on the check of a disclosed value, as text and as JSON with the same content. The
 * schema {@value ProofReport#SCHEMA} is described in docs/reports.md. Immutable.
 */
public final class DisclosureReport {

  private final DisclosureCheck check;
  private final HeadStatements statements;

  private DisclosureReport(DisclosureCheck check, String checkpoint, String publicKey) {
    this.check = check;
    this.statements = new HeadStatements(check.trusted(), true, checkpoint, publicKey);
    Disclosure disclosure = check.disclosure();
    String fault = disclosure.fault();
    String place =
        "line %,d has this value at %s".formatted(disclosure.line(), disclosure.pointer());
    statements.add(
        "value",
        fault == null,
        fault == null ? place + ", unchanged" : "that %s: %s".formatted(place, fault));
    statements.root("root", disclosure.tree());
    statements.add("others", false, "any other value of the session");
  }

  /** Returns the report on a check. */
  public static DisclosureReport of(DisclosureCheck check) {
    return of(check, "a checkpoint", "public key");
  }

  /**
   * Returns the report on a check, for a user who specifies trusted files with options.
   *
   * @param checkpoint the option for a trusted public checkpoint, as the report names it
   * @param publicKey the option for the key that must have signed it, as the report names it
   */
  public static DisclosureReport of(DisclosureCheck check, String checkpoint, String publicKey) {
    return new DisclosureReport(check, checkpoint, publicKey);
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
        "schema", ProofReport.SCHEMA,
        "verdict", check.verdict().id(),
        "holds", check.disclosure().holds(),
        "proved", statements.toJson(true),
        "not_proved", statements.toJson(false),
        "proof", check.disclosure().toJson());
  }

  /** The whole report as text; each line ends with a line feed. */
  public String render(String name, VerificationText.Style style) {
    Disclosure disclosure = check.disclosure();
    LabelledText out = new LabelledText()
        .append(VerificationText.verdict(check.verdict(), style))
        .append("  " + style.bold(PlainText.of(name)) + "\n")
        .labelled(
            "place",
            "line %,d of %,d, %s"
                .formatted(
                    disclosure.line(),
                    disclosure.tree().size(),
                    PlainText.of(disclosure.pointer().toString())))
        .labelled(
            "value", PlainText.fit(String.valueOf(disclosure.value()), LabelledText.TEXT_WIDTH))
        .labelled("shown", PlainText.fit(disclosure.shown().toString(), LabelledText.TEXT_WIDTH))
        .labelled("root", HeadStatements.rootText(disclosure.tree()));
    return out.labelled("proved", proved()).labelled("not proved", notProved()).toString();
  }
}
