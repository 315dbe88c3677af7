package dev.agentreplay.verify;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Signer;
import dev.agentreplay.verify.Attack.Target;
import dev.agentreplay.verify.Forgery.Edit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Attacks on the receipt and its signature, and on the log with them. */
final class SealAttacks {

  static final String ROLL_BACK = "roll back to an older checkpoint";

  private SealAttacks() {}

  /**
   * Returns all attacks.
   *
   * @param foreign another session of the same producer, signed with the same key
   * @param going the session before it ended
   * @param scratch a directory to write in
   */
  static List<Attack> all(Exhibit foreign, Exhibit going, Path scratch) {
    return List.of(
        new Attack("replace log and receipt, unsigned", exhibit -> replace(exhibit, null, scratch)),
        new Attack(
            "replace log and receipt, signed with another key",
            exhibit -> replace(exhibit, SealedSessions.STRANGER, scratch)),
        new Attack(ROLL_BACK, exhibit -> rollBack(exhibit, going, scratch)),
        new Attack("edit the receipt", SealAttacks::editReceipt),
        new Attack(
            "replace the receipt with that of another session",
            exhibit -> List.of(
                Attack.whole("", exhibit.withReceipt(foreign.receipt())),
                Attack.whole(
                    "", exhibit.withReceipt(foreign.receipt()).withEnvelope(foreign.envelope())))),
        new Attack("strip the signature", SealAttacks::strip),
        new Attack(
            "replace the envelope with that of another session",
            exhibit -> List.of(Attack.whole("", exhibit.withEnvelope(foreign.envelope())))));
  }

  private static List<Target> replace(Exhibit exhibit, Signer signer, Path scratch)
      throws IOException {
    Exhibit forged = SealedSessions.receipted(Forgery.rewritten(exhibit), signer, scratch);
    return List.of(
        Attack.whole("", forged),
        Attack.whole("", forged.withEnvelope(exhibit.envelope()))); // the old one is left
  }

  /** Restores genuine files of an earlier time, including the signature. */
  private static List<Target> rollBack(Exhibit exhibit, Exhibit going, Path scratch)
      throws IOException {
    Signer signer = exhibit.envelope() == null ? null : SealedSessions.SIGNER;
    List<Target> targets = new ArrayList<>();
    for (int size = 2; size < going.size(); size++) {
      targets.add(
          Attack.whole("", SealedSessions.receipted(going.truncate(size), signer, scratch)));
    }
    return targets;
  }

  private static List<Target> editReceipt(Exhibit exhibit) {
    JsonObject receipt = exhibit.receiptJson();
    List<Target> targets = new ArrayList<>();
    for (Edit edit : Forgery.edits(receipt)) {
      targets.add(Attack.whole(edit.path(), exhibit.withReceipt(edit.value().asObject())));
    }
    return targets;
  }

  private static List<Target> strip(Exhibit exhibit) {
    Exhibit stripped = exhibit.withReceipt(exhibit.receiptJson().with("signature", null));
    return List.of(Attack.whole("", stripped), Attack.whole("", stripped.withEnvelope(null)));
  }
}
