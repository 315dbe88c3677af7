package dev.agentreplay.verify;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.Attack.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Attacks on parts that no receipt, end or blob covers. */
final class UncoveredAttacks {

  static final Attack DELETE_BLOBS =
      new Attack("delete a blob", log -> List.of(Attack.whole("", log.withBlobs(Map.of()))));

  static final Attack EDIT_PREVIEW = new Attack(
      "edit a preview whose value is in the log or in a blob", UncoveredAttacks::editPreviews);

  static final Attack EDIT_PREVIEW_OF_NOTHING = new Attack(
      "edit a preview whose value is missing", log -> editPreviews(log.withBlobs(Map.of())).stream()
          .filter(target -> target.label().equals("blob"))
          .toList());

  static final Attack EDIT_HEADER = new Attack("edit the header", UncoveredAttacks::editHeader);

  static final Attack REMOVE_HEADER =
      new Attack("remove the header", log -> List.of(Attack.whole("", log.remove(1))));

  static final Attack HIDE_CALL = new Attack(
      "insert a call without a result, and adjust the totals", log -> List.of(hideCall(log)));

  static final Attack FORGE_END = new Attack("forge the end", UncoveredAttacks::forgeEnd);

  private static final List<String> HEADERS = List.of(
      "{\"producer\":\"evil@1\"}",
      "{\"created_at\":\"1999-01-13T10:00:00Z\"}",
      "{\"canonicalization\":\"serde-ryu\"}",
      "{\"anything\":\"new\"}");

  private static final List<String> PREVIEWED = List.of("output", "payload", "prompt", "answer");

  private static final String UNANSWERED =
      TestLog.call("hidden", "transfer_money", JsonObject.of("to", "x"), 0);

  private UncoveredAttacks() {}

  static List<Attack> all() {
    return List.of(
        DELETE_BLOBS,
        EDIT_PREVIEW,
        EDIT_PREVIEW_OF_NOTHING,
        EDIT_HEADER,
        REMOVE_HEADER,
        HIDE_CALL,
        FORGE_END);
  }

  /** Returns the session with a receipt that lists the calls, and has no digest of the log. */
  static Exhibit undigested(Exhibit exhibit) {
    return exhibit.withReceipt(
        exhibit.receiptJson().without("replay_hash", "tree_root", "tree_size"));
  }

  /** Edits the preview of each value that may have one. */
  private static List<Target> editPreviews(Exhibit log) {
    List<Target> targets = new ArrayList<>();
    for (int number = 1; number <= log.size(); number++) {
      JsonObject line = log.json(number);
      for (String member : PREVIEWED) {
        if (line.has(member + "_hash")) {
          targets.add(new Target(
              line.has(member) ? "log" : "blob",
              log.replace(number, line.with(member + "_preview", "ALL PASS")),
              Set.of(number),
              Attack.callId(log, number)));
        }
      }
    }
    return targets;
  }

  private static List<Target> editHeader(Exhibit log) {
    List<Target> targets = new ArrayList<>();
    for (String members : HEADERS) {
      JsonObject header = log.json(1);
      for (Map.Entry<String, JsonValue> member :
          JsonText.parse(members).asObject().toMap().entrySet()) {
        header = header.with(member.getKey(), member.getValue());
      }
      targets.add(new Target(members, log.replace(1, header), Set.of(1), null));
    }
    return targets;
  }

  private static Target hideCall(Exhibit log) {
    int number = log.size();
    return new Target(
        "", Forgery.totalled(log.insert(number, UNANSWERED)), Set.of(number), "hidden");
  }

  private static List<Target> forgeEnd(Exhibit log) {
    int end = log.size();
    JsonObject forged = log.json(end).with("status", "Failed");
    return List.of(new Target("", log.replace(end, forged), Set.of(end), null));
  }
}
