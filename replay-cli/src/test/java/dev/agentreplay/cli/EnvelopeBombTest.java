package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An envelope of 1 MB that costs much to verify. */
class EnvelopeBombTest extends AuditedSession {

  /** The command takes 2 s at most on slow machines; 5,500 signatures took 9 to 13 s more. */
  private static final Duration CPU = Duration.ofSeconds(8);

  @Test
  @Tag("slow")
  void envelope_with_thousands_of_signatures_costs_little() throws Exception {
    assertThat(console("sign", session, "--key", key).exit()).isZero();
    Path envelope = session.resolve("RECEIPT.dsse.json");
    JsonObject json = JsonText.parse(Files.readAllBytes(envelope)).asObject();
    JsonArray wrong = JsonArray.copyOf(
        IntStream.range(0, 5_500).mapToObj(this::wrongSignature).toList());
    Files.writeString(envelope, json.with("signatures", wrong) + "\n");
    assertThat(Files.size(envelope)).isBetween(900_000L, 1_100_000L);

    BoundedRun run = BoundedRun.of(CPU, home, "verify", session, "--public-key", pub());
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(1);
    assertThat(run.out()).contains("SIGNATURE_INVALID", "maxSignatures");
  }

  private JsonObject wrongSignature(int number) {
    byte[] value = new byte[64];
    value[0] = (byte) number;
    value[1] = (byte) (number >> 8);
    return JsonObject.of("keyid", keyId, "sig", Base64.getEncoder().encodeToString(value));
  }
}
