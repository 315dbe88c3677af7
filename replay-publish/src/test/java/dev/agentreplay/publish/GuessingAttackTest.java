package dev.agentreplay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.publish.PublishOptions.Hashes;
import dev.agentreplay.publish.policy.PublicationPolicy;
import dev.agentreplay.verify.proof.LogProver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Attacks on withheld values by guessing. Each attack is also made on published bytes that allow
 * it, where it must succeed.
 */
class GuessingAttackTest {

  private static final Ed25519Signer KEY = Ed25519Signer.generate();

  /** Values with few candidates, and the candidates. */
  enum Secret {
    PIN(
        JsonNumber.of(4711),
        IntStream.range(4650, 4750).mapToObj(JsonNumber::of).toList()),
    BOOLEAN(JsonValue.of(true), List.of(JsonValue.of(false), JsonValue.of(true))),
    ENUM(JsonString.of("denied"), strings("approved", "pending", "denied", "failed")),
    PATH(JsonString.of("/home/ada/loan.pdf"), strings("/etc/passwd", "/home/ada/loan.pdf"));

    final JsonValue value;
    final List<? extends JsonValue> candidates;

    Secret(JsonValue value, List<? extends JsonValue> candidates) {
      this.value = value;
      this.candidates = candidates;
    }

    private static List<JsonString> strings(String... texts) {
      return List.of(texts).stream().map(JsonString::of).toList();
    }
  }

  private static final JsonPointer PARAM = JsonPointer.parse("/params/pin");
  private static final JsonPointer OUTPUT = JsonPointer.parse("/output/state");

  @TempDir
  private Path directory;

  private Path recorded;

  @BeforeEach
  void name() {
    recorded = directory.resolve("recorded");
  }

  @ParameterizedTest
  @Tag("slow")
  @EnumSource
  void nothing_published_confirms_a_guess(Secret secret) throws IOException {
    Session session = record(secret);
    publish(session, "private", PublicationPolicy.PRIVATE_REPO);
    publish(session, "paranoid", PublicationPolicy.PARANOID);
    // all values are shown but the secret ones
    publish(session, "all-but-one", policy("withhold"));
    SessionDiscloser discloser = SessionDiscloser.open(session, null);
    List<byte[]> disclosures = new ArrayList<>();
    for (String other : List.of("/params/cents", "/params/to/0", "/params/to/1", "/tool")) {
      long line = discloser.lineOf(RecordedSecrets.CALL, JsonPointer.parse(other));
      disclosures.add(
          discloser.disclose(line, JsonPointer.parse(other)).toJson().toString().getBytes());
    }
    for (JsonPointer place : List.of(PARAM, OUTPUT)) {
      GuessingAttack attack = attack(session, place).with(directory.resolve("published"));
      disclosures.forEach(attack::with);
      assertThat(attack.guess(secret.candidates)).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void plain_hashes_confirm_a_guess_at_once(Secret secret) throws IOException {
    Session session = record(secret);
    Path out = directory.resolve("plain");
    SessionPublisher.publish(session, out, PublishOptions.defaults().withHashes(Hashes.PLAIN));

    assertThat(attack(session, PARAM).with(out).guess(secret.candidates)).isEqualTo(secret.value);
    assertThat(attack(session, OUTPUT).with(out).guess(secret.candidates)).isEqualTo(secret.value);
  }

  @Test
  void original_receipt_confirms_a_guess() throws IOException {
    Session session = record(Secret.PIN);

    assertThat(attack(session, PARAM)
            .with(Files.readAllBytes(session.receipt()))
            .guess(Secret.PIN.candidates))
        .isEqualTo(Secret.PIN.value);
  }

  @Test
  void raw_inclusion_proof_of_a_neighbor_confirms_a_guess() throws IOException {
    Session session = record(Secret.PIN);
    int line = lineOf(session, PARAM) + 1;
    LogProver prover = LogProver.open(session);
    int neighbor = line % 2 == 0 ? line - 1 : line + 1;
    String proof = prover.inclusion(neighbor, prover.size()).toJson().toString();

    assertThat(attack(session, PARAM).with(proof.getBytes()).guess(Secret.PIN.candidates))
        .isEqualTo(Secret.PIN.value);
  }

  @Test
  void disclosed_value_confirms_no_guess_of_another() throws IOException {
    Session session = RecordedSecrets.record(
        recorded, JsonObject.of("pin", 4711), JsonObject.of("state", 4712), KEY);
    SessionDiscloser discloser = SessionDiscloser.open(session, null);
    long line = discloser.lineOf(RecordedSecrets.CALL, PARAM);
    String disclosure = discloser.disclose(line, PARAM).toJson().toString();
    Path closed = publish(session, "closed", PublicationPolicy.PRIVATE_REPO);

    assertThat(attack(session, OUTPUT)
            .with(closed)
            .with(disclosure.getBytes())
            .guess(List.of(JsonNumber.of(4712), JsonNumber.of(4713))))
        .isNull();
  }

  @Test
  @Tag("slow")
  void many_candidates_are_not_confirmed() throws IOException {
    Session session = record(Secret.PIN);
    Path closed = publish(session, "closed", PublicationPolicy.PRIVATE_REPO);
    Path open = publish(session, "open", policy("withhold"));
    List<JsonNumber> all = IntStream.range(0, 2_000).mapToObj(JsonNumber::of).toList();

    assertThat(attack(session, PARAM).with(closed).with(open).guess(all)).isNull();
  }

  @Test
  void equal_values_have_commitments_that_differ() throws IOException {
    Session session = record(Secret.PIN);
    Path out = publish(session, "closed", PublicationPolicy.PRIVATE_REPO);
    List<JsonObject> lines = lines(Session.open(out));
    List<String> outputs = lines.stream()
        .filter(line -> line.has("output_hash"))
        .map(line -> line.at("/output_hash").asString())
        .toList();

    assertThat(outputs).hasSize(3).doesNotHaveDuplicates(); // two outputs are "text"
  }

  private Session record(Secret secret) throws IOException {
    JsonObject params = JsonObject.of("pin", secret.value, "cents", 1200, "to", List.of("a", "b"));
    return RecordedSecrets.record(
        recorded, params, JsonObject.of("state", secret.value, "fee", 3), KEY);
  }

  private Path publish(Session session, String name, PublicationPolicy policy) throws IOException {
    Path out = directory.resolve("published").resolve(name);
    SessionPublisher.publish(session, out, PublishOptions.defaults().withPolicy(policy));
    return out;
  }

  /** The policy that shows everything but the two secret values. */
  private static PublicationPolicy policy(String action) throws IOException {
    JsonObject open = PublicationPolicy.OPEN_SOURCE.toJson();
    return PublicationPolicy.parse(open.with("id", "all-but-one")
        .with(
            "rules",
            List.of(
                JsonObject.of("id", "pin", "pointer", PARAM.toString(), "action", action),
                JsonObject.of("id", "state", "pointer", OUTPUT.toString(), "action", action)))
        .toString());
  }

  private static GuessingAttack attack(Session session, JsonPointer place) throws IOException {
    List<JsonObject> lines = lines(session);
    lines.set(0, lines.get(0).without("salt"));
    return new GuessingAttack(lines, lineOf(session, place), place);
  }

  private static int lineOf(Session session, JsonPointer place) throws IOException {
    List<JsonObject> lines = lines(session);
    return IntStream.range(0, lines.size())
        .filter(i -> place.find(lines.get(i)) != null)
        .findFirst()
        .orElseThrow();
  }

  private static List<JsonObject> lines(Session session) throws IOException {
    List<JsonObject> lines = new ArrayList<>();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        lines.add(line.json());
      }
    }
    return lines;
  }
}
