package dev.agentreplay.verify.report;

import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.proof.TrustedHead;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The statements of a report on a claim about tree heads. */
final class HeadStatements {

  /** A statement that is proved, or not proved. */
  private record Statement(String id, boolean isProved, String text) {}

  private final List<TrustedHead> trusted;
  private final boolean arePublic;
  private final String checkpoint;
  private final String publicKey;
  private final List<Statement> statements = new ArrayList<>();

  /**
   * Creates an empty list.
   *
   * @param arePublic whether the claim is about a public tree, and not about the tree over the
   *     lines
   * @param checkpoint the option for a trusted checkpoint or receipt
   * @param publicKey the option for the key that must have signed it
   */
  HeadStatements(
      List<TrustedHead> trusted, boolean arePublic, String checkpoint, String publicKey) {
    this.trusted = trusted;
    this.arePublic = arePublic;
    this.checkpoint = checkpoint;
    this.publicKey = publicKey;
  }

  void add(String id, boolean isProved, String text) {
    statements.add(new Statement(id, isProved, text));
  }

  /** Adds the trusted heads that state or contradict a root. */
  void root(String id, TreeHead tree) {
    boolean isUnstated = true;
    for (TrustedHead head : trusted) {
      if (head.isPublic() != arePublic) {
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
    return trusted.isEmpty()
        ? "anyone can forge one; name what you trust with " + checkpoint
        : trusted.stream()
            .map(head -> head.isPublic() == arePublic
                ? "%s covers %s".formatted(file(head), lines(head.tree()))
                : "%s states only the root of the %s"
                    .formatted(file(head), head.isPublic() ? "public tree" : "tree over the lines"))
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

  /** The texts of the statements that are proved, or of the others. */
  List<String> texts(boolean areProved) {
    return statements.stream()
        .filter(statement -> statement.isProved == areProved)
        .map(Statement::text)
        .toList();
  }

  /** The statements that are proved, or the others, as JSON. */
  List<JsonObject> toJson(boolean areProved) {
    return statements.stream()
        .filter(statement -> statement.isProved == areProved)
        .map(statement -> JsonObject.of("id", statement.id, "text", statement.text))
        .toList();
  }

  private static String file(TrustedHead head) {
    return PlainText.of(head.file().toString());
  }

  static String rootText(TreeHead tree) {
    return "%s over %s".formatted(tree.root(), lines(tree));
  }

  static String lines(TreeHead tree) {
    return PlainText.count(tree.size(), "line");
  }
}
