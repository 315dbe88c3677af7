package dev.agentreplay.canonical.commitment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.signature.DsseEnvelope;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.canonical.signature.Statement;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.KeyPem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The bytes of the example in docs/format.md and of the public checkpoint in docs/receipts.md are
 * those that the library computes, and those of a second implementation.
 */
class PublicFormDocumentTest {

  private static final String SALT = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
  private static final String HEADER =
      "{\"created_at\":\"2026-01-13T10:00:00Z\",\"event\":\"ReplayHeader\",\"replay_version\":1,"
          + "\"salt\":\"" + SALT + "\"}";
  private static final String LINE = "{\"event\":\"Login\",\"pin\":\"4711\",\"tags\":[\"a\",true]}";

  private final Committer committer = new Committer(PublicForm.DEFAULT);
  private final Reference reference = new Reference(1);
  private final JsonObject line = JsonText.parse(LINE).asObject();
  private final Seed seed = committer.line(new Salt(SALT), 2, LINE.getBytes(UTF_8));

  @Test
  void example_has_the_bytes_that_are_computed() throws IOException {
    String format = Files.readString(Path.of("../docs/format.md"), UTF_8);
    PublishedLine published = published();
    assertThat(format).contains(example(published));
  }

  private String example(PublishedLine published) {
    Seed pin = committer.member(seed, "pin");
    Seed tags = committer.member(seed, "tags");
    Commitment ofPin = committer.commit(line.get("pin"), pin);
    return """
        ```
        salt                 %s
        line 1               %s
        line 2               %s

        leaf hash of line 2  %s
        seed of line 2       %s
        blinding of line 2   %s
        seed of /pin         %s
        commitment of /pin   %s
        m of pin             %s
        seed of /tags/1      %s
        commitment of line 1 %s
        commitment of line 2 %s
        public_root          %s
        tree_root            %s
        original             %s

        published line 2     %s
        ```
        """
        .formatted(
            hex(new Salt(SALT).toBytes()),
            HEADER,
            LINE,
            MerkleTree.leafHash(LINE.getBytes(UTF_8)).hex(),
            hex(seed.array()),
            hex(Reference.hmac(seed.array(), "b")),
            hex(pin.array()),
            hex(ofPin.toBytes()),
            hex(committer.memberDigest("pin", ofPin).toBytes()),
            hex(committer.element(tags, 1).array()),
            hex(committer
                .commit(
                    JsonText.parse(HEADER),
                    committer.line(new Salt(SALT), 1, HEADER.getBytes(UTF_8)))
                .toBytes()),
            hex(committer.commit(line, seed).toBytes()),
            tree().head().root().hex(),
            log().root().hex(),
            hex(tree().original().toBytes()),
            CanonicalJson.SERDE.text(published.toJson()));
  }

  private PublishedLine published() {
    Opening.Members all = (Opening.Members) committer.expand(line, new Opening.Complete(seed));
    Seed tags = committer.member(seed, "tags");
    Opening.Elements elements =
        (Opening.Elements) committer.expand(line.get("tags"), new Opening.Complete(tags));
    Commitment first =
        committer.commit(line.get("tags").asArray().get(0), committer.element(tags, 0));
    Opening opening = new Opening.Members(
        all.blinding(),
        Map.of(
            "event",
            all.members().get("event"),
            "tags",
            new Opening.Elements(
                elements.blinding(),
                List.of(new Opening.Withheld(first, null), elements.elements().get(1)))),
        List.of(committer.memberDigest(
            "pin", committer.commit(line.get("pin"), committer.member(seed, "pin")))));
    return new PublishedLine(
        JsonObject.of("event", "Login", "tags", JsonArray.of(null, true)), opening);
  }

  private static TreeHead log() {
    MerkleTree log = new MerkleTree();
    log.add(HEADER.getBytes(UTF_8));
    log.add(LINE.getBytes(UTF_8));
    return log.head();
  }

  private PublicTree tree() {
    PublicTree tree = new PublicTree(PublicForm.DEFAULT, new Salt(SALT));
    tree.add(HEADER.getBytes(UTF_8), JsonText.parse(HEADER).asObject(), CanonicalJson.SERDE);
    tree.add(LINE.getBytes(UTF_8), line, CanonicalJson.SERDE);
    return tree;
  }

  @Test
  void example_is_what_a_second_implementation_computes() throws Exception {
    byte[] salt = new Salt(SALT).toBytes();
    byte[] second = reference.commit(line, Reference.lineSeed(salt, 2, LINE.getBytes(UTF_8)));
    byte[] first = reference.commit(
        JsonText.parse(HEADER), Reference.lineSeed(salt, 1, HEADER.getBytes(UTF_8)));
    PublishedLine published = published();

    assertThat(committer.verify(published.shown(), published.opening()).toBytes())
        .isEqualTo(second);
    assertThat(reference.open(published.shown(), published.opening().toJson())).isEqualTo(second);
    assertThat(hex(Reference.sha256(1, Reference.sha256(0, first), Reference.sha256(0, second))))
        .isEqualTo(tree().head().root().hex());
    assertThat(PublishedLine.of(published.toJson(), false)).isEqualTo(published);
    String text = "2 " + log().root().hex();
    byte[] key = Reference.hmac(salt, "replay.public/1\noriginal\n" + text);
    assertThat(tree().original().toBytes())
        .isEqualTo(Reference.sha256(2, key, ("\"" + text + "\"").getBytes(UTF_8)));
  }

  @Test
  void public_checkpoint_has_the_bytes_of_the_document() throws IOException {
    Ed25519Signer signer = Ed25519Signer.of(
        KeyPem.parsePrivateKey(
            """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
            -----END PRIVATE KEY-----
            """));
    PublicCheckpoint unsigned =
        PublicCheckpoint.of(PublicForm.DEFAULT, tree().head(), tree().original());
    PublicCheckpoint signed = unsigned.sign(signer);
    DsseEnvelope envelope = DsseEnvelope.fromJson(signed.toJson());
    String receipts = Files.readString(Path.of("../docs/receipts.md"), UTF_8);

    assertThat(receipts.substring(receipts.indexOf("\n## Public checkpoints\n")))
        .contains("```json\n%s\n```\n\n```json\n%s\n```\n\n```json\n%s\n```\n"
            .formatted(
                CanonicalJson.SERDE.text(unsigned.toJson()),
                CanonicalJson.SERDE.text(Statement.in(envelope).toJson()),
                signed));
    assertThat(PublicCheckpoint.fromJson(signed.toJson()).statesSameAs(unsigned))
        .isTrue();
    assertThat(signed.toBytes()).isEqualTo((signed + "\n").getBytes(UTF_8));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
