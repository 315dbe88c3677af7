package dev.agentreplay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.commitment.Disclosure;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.publish.policy.PublicationPolicy;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.proof.DisclosureCheck;
import dev.agentreplay.verify.proof.TrustedHead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Published copies that someone without the key has changed, with a receipt that fits the changed
 * lines: none verifies with the signed public checkpoint.
 */
class ForgedPublicationTest {

  private static final Ed25519Signer KEY = Ed25519Signer.generate();
  private static final SignatureVerifier KEYS = Ed25519Verifier.of(List.of(KEY.publicKey()));
  private static final JsonPointer PIN = JsonPointer.parse("/params/pin");

  @TempDir
  private Path directory;

  private Session session;
  private Path published;
  private List<String> lines;

  @BeforeEach
  void publish() throws IOException {
    session = record("recorded", 4711);
    published = publish(session, "published");
    lines = Files.readAllLines(published.resolve("REPLAY.jsonl"));
  }

  @Test
  void unchanged_copy_is_valid_and_signed() throws IOException {
    VerificationReport report = forged(lines);

    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.signers()).containsExactly(KEY.keyId());
  }

  @Test
  void lines_that_are_moved_dropped_or_repeated_are_found() throws IOException {
    for (int i = 1; i < lines.size(); i++) {
      List<String> dropped = new ArrayList<>(lines);
      dropped.remove(i);
      requireRefused(dropped, "dropped " + i);
      List<String> repeated = new ArrayList<>(lines);
      repeated.add(i, lines.get(i));
      requireRefused(repeated, "repeated " + i);
      if (i + 1 < lines.size()) {
        List<String> moved = new ArrayList<>(lines);
        Collections.swap(moved, i, i + 1);
        requireRefused(moved, "moved " + i);
      }
    }
  }

  @Test
  void line_of_another_session_is_found() throws IOException {
    Path other = publish(record("other", 4712), "of-other");
    List<String> others = Files.readAllLines(other.resolve("REPLAY.jsonl"));
    for (int i = 1; i < lines.size(); i++) {
      List<String> spliced = new ArrayList<>(lines);
      spliced.set(i, others.get(i));
      requireRefused(spliced, "spliced " + i);
    }
  }

  @Test
  @Tag("slow")
  void each_changed_value_and_seed_is_found() throws IOException {
    for (int i = 0; i < lines.size(); i++) {
      int number = i;
      forEachScalar(JsonText.parse(lines.get(i)), JsonPointer.ROOT, (place, value) -> {
        String name = place.toString();
        if (number == 0 && name.startsWith("/published")) {
          return; // the claim of the publisher, which nothing covers
        }
        List<String> changed = new ArrayList<>(lines);
        JsonValue line = Replaced.at(JsonText.parse(lines.get(number)), place, changed(value));
        changed.set(number, CanonicalJson.SERDE.text(line));
        try {
          requireRefused(changed, (number + 1) + name);
        } catch (IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
      });
    }
  }

  @Test
  void disclosure_of_another_place_line_seed_or_session_is_refused() throws IOException {
    SessionDiscloser discloser = SessionDiscloser.open(session, null);
    long line = discloser.lineOf(RecordedSecrets.CALL, PIN);
    Disclosure pin = discloser.disclose(line, PIN);
    Path checkpoint = published.resolve("PUBLIC_CHECKPOINT.json");
    assertThat(verdict(pin, checkpoint)).isEqualTo(Verdict.VALID);
    JsonObject json = pin.toJson();
    JsonPointer seed = JsonPointer.parse("/opening/members/params/members/pin");
    JsonPointer tool = JsonPointer.parse("/opening/members/tool");
    List<JsonObject> forged = List.of(
        json.with("line", line + 1),
        json.with("line", line - 1),
        json.with("pointer", "/params/cents"),
        json.with("pointer", "/params"),
        json.with("pointer", ""),
        Replaced.at(json, JsonPointer.parse("/shown/params/pin"), JsonNumber.of(4712))
            .asObject(),
        Replaced.at(json, JsonPointer.parse("/shown/params/pin"), JsonText.parse("4711.0"))
            .asObject(),
        Replaced.at(json, JsonPointer.parse("/shown/params/pin"), JsonString.of("4711"))
            .asObject(),
        Replaced.at(json, seed, tool.find(json)).asObject(),
        json.with("path", pin.toJson().get("path").asArray().values().subList(1, 2)));
    for (JsonObject each : forged) {
      Disclosure disclosure = Disclosure.fromJson(each);
      assertThat(disclosure.holds()).as("%s", each).isFalse();
      assertThat(verdict(disclosure, checkpoint)).isEqualTo(Verdict.INVALID);
    }
    // the path may lead to the root also in a tree of a different size, which none states
    Disclosure longer = Disclosure.fromJson(json.with("tree_size", pin.tree().size() + 1));
    assertThat(verdict(longer, checkpoint)).isNotEqualTo(Verdict.VALID);
    Path other = publish(record("other", 4711), "of-other");
    assertThat(verdict(pin, other.resolve("PUBLIC_CHECKPOINT.json"))).isNotEqualTo(Verdict.VALID);
  }

  private static Verdict verdict(Disclosure disclosure, Path checkpoint) throws IOException {
    return DisclosureCheck.of(disclosure, List.of(TrustedHead.read(checkpoint, KEYS)))
        .verdict();
  }

  private Session record(String name, int pin) throws IOException {
    return RecordedSecrets.record(
        directory.resolve(name),
        JsonObject.of("pin", pin, "cents", 1200, "to", List.of("a", "b")),
        JsonObject.of("state", "done"),
        KEY);
  }

  private Path publish(Session recorded, String name) throws IOException {
    Path out = directory.resolve(name);
    SessionPublisher.publish(
        recorded, out, PublishOptions.defaults().withPolicy(PublicationPolicy.OPEN_SOURCE));
    return out;
  }

  private void requireRefused(List<String> changed, String what) throws IOException {
    VerificationReport report = forged(changed);
    assertThat(report.verdict() == Verdict.VALID && report.unmet().isEmpty())
        .as(what)
        .isFalse();
    assertThat(report.signers()).as(what).isEmpty();
  }

  /** Verifies changed lines with a receipt that was made of them, and the signed checkpoint. */
  private VerificationReport forged(List<String> changed) throws IOException {
    Path forged = Files.createTempDirectory(directory, "forged");
    Files.write(forged.resolve("REPLAY.jsonl"), changed);
    Files.copy(
        published.resolve("PUBLIC_CHECKPOINT.json"), forged.resolve("PUBLIC_CHECKPOINT.json"));
    try {
      ReceiptFile.create(
          forged.resolve("RECEIPT.json"),
          Receipts.compute(Session.open(forged), Receipt.Form.SESSION));
    } catch (IOException | IllegalArgumentException unreadable) {
      Files.deleteIfExists(forged.resolve("RECEIPT.json"));
    }
    return SessionVerifier.of(VerifyPolicy.defaults().requiringSignature(KEYS))
        .verify(Session.open(forged));
  }

  private static JsonValue changed(JsonValue value) {
    if (value instanceof JsonString text) {
      String old = text.value();
      char last = old.isEmpty() ? 'a' : old.charAt(old.length() - 1);
      String beginning = old.isEmpty() ? "" : old.substring(0, old.length() - 1);
      return JsonString.of(beginning + (last == 'A' ? 'E' : 'A'));
    } else if (value instanceof JsonNumber number) {
      return JsonText.parse("1" + number.text());
    }
    return JsonString.of("x");
  }

  private static void forEachScalar(
      JsonValue value, JsonPointer at, BiConsumer<JsonPointer, JsonValue> action) {
    if (value instanceof JsonObject object) {
      object.forEach((name, member) -> forEachScalar(member, at.append(name), action));
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        forEachScalar(array.get(i), at.append(i), action);
      }
    } else {
      action.accept(at, value);
    }
  }
}
