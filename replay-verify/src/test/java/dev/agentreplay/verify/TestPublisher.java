package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.commitment.Commitment;
import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublicTree;
import dev.agentreplay.canonical.commitment.PublishedHeader;
import dev.agentreplay.canonical.commitment.PublishedLine;
import dev.agentreplay.canonical.commitment.Seed;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Publishes small sessions with commitments: hides the salt, and what a test says by names of
 * members.
 */
final class TestPublisher {

  static final Salt SALT = Salt.of(new byte[Salt.BYTES]);
  static final ContentHash POLICY = ContentHash.sha256(new byte[] {1});

  private final PublicForm form;
  private final Committer committer;
  private final Set<String> hidden;
  private final Set<String> redacted;
  private final Set<String> committed;

  /**
   * Creates a publisher.
   *
   * @param hidden the members at the top level that are withheld, with their names
   * @param redacted those that are replaced by the text "[REDACTED:test]"
   * @param committed the hashes that are replaced by commitments
   */
  TestPublisher(PublicForm form, Set<String> hidden, Set<String> redacted, Set<String> committed) {
    this.form = form;
    this.committer = new Committer(form);
    this.hidden = hidden;
    this.redacted = redacted;
    this.committed = committed;
  }

  /** Withholds parameters and outputs. */
  static TestPublisher closed() {
    return new TestPublisher(
        PublicForm.DEFAULT,
        Set.of("salt", "params"),
        Set.of("output"),
        Set.of("params_hash", "output_hash"));
  }

  /** Withholds the salt only. */
  static TestPublisher open() {
    return new TestPublisher(PublicForm.DEFAULT, Set.of("salt"), Set.of(), Set.of());
  }

  PublicForm form() {
    return form;
  }

  Committer committer() {
    return committer;
  }

  /** The lines of a log, whose header gets a salt. */
  static List<JsonObject> salted(TestLog log) {
    List<JsonObject> lines = new ArrayList<>();
    for (int i = 1; i <= log.size(); i++) {
      lines.add(i == 1 ? log.json(i).with("salt", SALT.text()) : log.json(i));
    }
    return lines;
  }

  static byte[] bytes(List<JsonObject> lines) {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(CanonicalJson.SERDE.text(line)).append('\n'));
    return text.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  PublicTree tree(List<JsonObject> lines) {
    PublicTree tree = new PublicTree(form, SALT);
    lines.forEach(line -> tree.add(raw(line), line, CanonicalJson.SERDE));
    return tree;
  }

  PublicCheckpoint checkpoint(List<JsonObject> lines) {
    return PublicCheckpoint.of(form, tree(lines).head(), null);
  }

  JsonObject header(String formId) {
    return new PublishedHeader(formId, "test", POLICY, null, "valid").toJson();
  }

  List<JsonObject> publish(List<JsonObject> lines) {
    List<JsonObject> published = new ArrayList<>();
    for (int i = 1; i <= lines.size(); i++) {
      JsonObject line = publish(lines.get(i - 1), seed(lines.get(i - 1), i)).toJson();
      published.add(i == 1 ? line.with("published", header(form.id())) : line);
    }
    return published;
  }

  Seed seed(JsonObject line, int number) {
    return committer.line(SALT, number, raw(line));
  }

  private static byte[] raw(JsonObject line) {
    return CanonicalJson.SERDE.bytes(line);
  }

  PublishedLine publish(JsonObject line, Seed seed) {
    Opening.Members all = (Opening.Members) committer.expand(line, new Opening.Complete(seed));
    Map<String, Opening> members = new TreeMap<>();
    List<Commitment> others = new ArrayList<>(all.others());
    JsonObject.Builder shown = JsonObject.builder();
    line.forEach((name, value) -> {
      Commitment commitment = committer.commit(value, committer.member(seed, name));
      if (hidden.contains(name)) {
        others.add(committer.memberDigest(name, commitment));
      } else if (redacted.contains(name)) {
        members.put(name, new Opening.Withheld(commitment, "secret:test"));
        shown.add(name, JsonValue.of("[REDACTED:test]"));
      } else if (committed.contains(name)) {
        members.put(name, new Opening.Withheld(commitment, "commitment"));
        shown.add(name, JsonValue.of(commitment.toHash().toString()));
      } else {
        members.put(name, all.members().get(name));
        shown.add(name, value);
      }
    });
    others.sort(null);
    return new PublishedLine(shown.build(), new Opening.Members(all.blinding(), members, others));
  }

  /**
   * Writes a published session, with a receipt and the checkpoint, signed unless there is no key.
   */
  Session write(Path directory, TestLog log, Signer signer) throws IOException {
    List<JsonObject> lines = salted(log);
    PublicCheckpoint checkpoint = checkpoint(lines);
    return write(directory, publish(lines), signer == null ? checkpoint : checkpoint.sign(signer));
  }

  static Session write(Path directory, List<JsonObject> published, PublicCheckpoint checkpoint)
      throws IOException {
    Files.createDirectories(directory);
    Files.write(directory.resolve(Session.LOG_NAME), bytes(published));
    Files.deleteIfExists(directory.resolve(Session.RECEIPT_NAME));
    Files.deleteIfExists(directory.resolve(Session.PUBLIC_CHECKPOINT_NAME));
    Receipt receipt = Receipts.compute(Session.open(directory), Receipt.Form.SESSION);
    ReceiptFile.create(directory.resolve(Session.RECEIPT_NAME), receipt);
    if (checkpoint != null) {
      Files.write(directory.resolve(Session.PUBLIC_CHECKPOINT_NAME), checkpoint.toBytes());
    }
    return Session.open(directory);
  }
}
