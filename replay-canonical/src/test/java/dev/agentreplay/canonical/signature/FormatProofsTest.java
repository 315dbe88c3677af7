package dev.agentreplay.canonical.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.tree.ConsistencyProof;
import dev.agentreplay.canonical.tree.InclusionProof;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.model.signature.KeyPem;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The trees, proofs and signatures in docs/receipts.md are those that the library makes. */
class FormatProofsTest {

  private static final Path FORMAT = Path.of("../docs/format.md");
  private static final Path RECEIPTS = Path.of("../docs/receipts.md");

  /** The key of the first test vector of RFC 8032, section 7.1, which is public. */
  private final Ed25519Signer signer = Ed25519Signer.of(
      KeyPem.parsePrivateKey(
          """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
      -----END PRIVATE KEY-----
      """));

  private final SignatureVerifier verifier = Ed25519Verifier.of(Set.of(signer.publicKey()));

  FormatProofsTest() throws IOException {}

  @Test
  void heads_are_those_of_the_example() throws IOException {
    List<String> lines = example();
    MerkleTree tree = new MerkleTree();
    StringBuilder rows = new StringBuilder(row(tree));
    for (String line : lines) {
      tree.add(line.getBytes(UTF_8));
      rows.append(row(tree));
    }
    assertThat(section(RECEIPTS, "Merkle tree")).contains(rows);
  }

  private static String row(MerkleTree tree) {
    TreeHead head = tree.head();
    return "| %d | `%s` |\n".formatted(head.size(), head.root());
  }

  @Test
  void proofs_are_those_of_the_example_and_hold() throws IOException {
    List<String> lines = example();
    InclusionProof.Builder line = InclusionProof.builder(5, 6);
    ConsistencyProof.Builder growth = ConsistencyProof.builder(4, 6);
    for (String text : lines) {
      line.add(text.getBytes(UTF_8));
      growth.add(text.getBytes(UTF_8));
    }
    List<String> examples = blocks(section(RECEIPTS, "Proofs"));

    assertThat(examples)
        .containsExactly(
            line.build().toJson().toString(), growth.build().toJson().toString());
    assertThat(InclusionProof.fromJson(object(examples.get(0))).holds()).isTrue();
    assertThat(ConsistencyProof.fromJson(object(examples.get(1))).holds()).isTrue();
  }

  @Test
  void signatures_are_those_of_the_example_and_valid() throws IOException {
    String log = example().stream().map(line -> line + "\n").collect(Collectors.joining());
    MerkleTree tree = new MerkleTree();
    example().forEach(line -> tree.add(line.getBytes(UTF_8)));
    JsonObject event = JsonObject.of(
        "event",
        "Checkpoint",
        "t",
        "2026-01-13T10:00:06Z",
        "tree_root",
        tree.head().root().toString(),
        "tree_size",
        tree.size());
    String signature = SignedJson.sign(event, SignedJson.CHECKPOINT, CanonicalJson.SERDE, signer)
        .toString();
    Statement statement = Statement.ofCheckpoint(
        ContentHash.sha256(log.getBytes(UTF_8)),
        log.getBytes(UTF_8).length,
        tree.head(),
        "sess_abc123");
    String section = section(RECEIPTS, "Signatures");
    List<String> examples = blocks(section);

    assertThat(section).contains(KeyPem.text(signer.publicKey())).contains(signer.keyId());
    assertThat(examples)
        .containsExactly(
            new String(
                SignedJson.message(event, SignedJson.CHECKPOINT, CanonicalJson.SERDE), UTF_8),
            CanonicalJson.SERDE.text(event.with("signature", signature)),
            CanonicalJson.SERDE.text(statement.toJson()),
            statement.sign(signer).toString());
    assertThat(SignedJson.verify(
            object(examples.get(1)), SignedJson.CHECKPOINT, CanonicalJson.SERDE, verifier))
        .isEqualTo(Outcome.VALID);
    DsseEnvelope envelope = DsseEnvelope.fromJson(object(examples.get(3)));
    assertThat(envelope.verify(verifier)).isEqualTo(Outcome.VALID);
    assertThat(Statement.in(envelope)).isEqualTo(statement);
  }

  private static JsonObject object(String text) {
    return JsonText.parse(text).asObject();
  }

  /** The whole session that the document shows. */
  private static List<String> example() throws IOException {
    String section = section(FORMAT, "Example session");
    int from = section.indexOf("```jsonl\n") + "```jsonl\n".length();
    return section.substring(from, section.indexOf("```", from)).lines().toList();
  }

  private static String section(Path document, String title) throws IOException {
    Matcher found = Pattern.compile("(?ms)^## " + title + "\\n(.*?)(?=^## |\\z)")
        .matcher(Files.readString(document));
    assertThat(found.find()).as(title).isTrue();
    return found.group(1);
  }

  /** The examples of one line each. */
  private static List<String> blocks(String section) {
    return Pattern.compile("```json\\n([^\\n]*)\\n```")
        .matcher(section)
        .results()
        .map(block -> block.group(1))
        .toList();
  }
}
