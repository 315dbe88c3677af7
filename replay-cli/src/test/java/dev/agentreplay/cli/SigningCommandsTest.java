package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys and signatures on the command line. */
class SigningCommandsTest extends AuditedSession {

  @Test
  void keygen_writes_both_keys_the_private_one_for_its_owner_alone() throws IOException {
    assertThat(keyId).matches("[0-9a-f]{64}");
    assertThat(Files.readString(key)).startsWith("-----BEGIN PRIVATE KEY-----\n");
    assertThat(Files.readString(pub())).startsWith("-----BEGIN PUBLIC KEY-----\n");
    FileStore store = Files.getFileStore(key);
    Assumptions.assumeThat(store.supportsFileAttributeView("posix")).isTrue();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
    assertThat(console("keygen", key, "--overwrite").exit()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
  }

  @Test
  void keygen_replaces_a_key_only_on_request() throws IOException {
    String kept = Files.readString(key);
    Console refused = console("keygen", key);
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .isEqualTo("replay: %s exists; --overwrite replaces it\n".formatted(key));
    Files.delete(key);
    assertThat(console("keygen", key).err()).contains("key.pub exists; --overwrite replaces it");
    assertThat(key).doesNotExist();
    Files.writeString(key, kept);
    assertThat(console("keygen", key, "--overwrite").out()).isNotEqualTo(keyId + "\n");
    assertThat(Files.readString(key)).isNotEqualTo(kept);
    assertThat(home.toFile().list()).containsExactlyInAnyOrder("key", "key.pub", "one");
  }

  @Test
  void keygen_into_a_directory_or_below_none_says_so() {
    assertThat(console("keygen", home).err()).contains("is a directory");
    Console below = console("keygen", home.resolve("no/key"));
    assertThat(below.exit()).isEqualTo(3);
    assertThat(below.err()).contains("no: no such file or directory");
  }

  @Test
  void session_that_is_signed_verifies_by_the_public_key() {
    Console signed = console("sign", session, "--key", key);
    assertThat(signed.exit()).as(signed.err()).isZero();
    assertThat(signed.out())
        .isEqualTo(
            """
            signed %s
                   %s
                   %s
            by     %s
            """
                .formatted(
                    session.resolve("RECEIPT.json"),
                    session.resolve("RECEIPT.dsse.json"),
                    session.resolve("PUBLIC_CHECKPOINT.json"),
                    keyId));
    Console verified =
        console("verify", session, "--public-key", pub(), "--require", "signature,tree,receipt");
    assertThat(verified.exit()).as(verified.out()).isZero();
    assertThat(verified.out()).contains("a trusted key has signed every line");
    Console untrusted = console("verify", session);
    assertThat(untrusted.exit()).isZero();
    assertThat(untrusted.out()).contains("it is signed, but not with a trusted key");
  }

  @Test
  void session_without_a_signature_of_the_public_key_fails() throws IOException {
    Console unsigned = console("verify", session, "--public-key", pub());
    assertThat(unsigned.exit()).isEqualTo(1);
    assertThat(unsigned.out()).contains("required    a trusted key's signature over every line");
    Console.run("keygen", home.resolve("forger").toString());
    assertThat(console("sign", session, "--key", home.resolve("forger")).exit()).isZero();
    Console foreign = console("verify", session, "--public-key", pub());
    assertThat(foreign.exit()).isEqualTo(1);
    assertThat(foreign.out()).startsWith("unverified").contains("SIGNATURE_UNVERIFIABLE");
    assertThat(console(
                "verify",
                session,
                "--public-key",
                pub(),
                "--public-key",
                home.resolve("forger.pub"))
            .exit())
        .isZero();
    Path log = session.resolve("REPLAY.jsonl");
    Files.writeString(log, Files.readString(log).replace("0.9", "0.8"));
    assertThat(console("verify", session, "--public-key", home.resolve("forger.pub"))
            .out())
        .startsWith("invalid")
        .contains("SIGNATURE_INVALID");
  }

  @Test
  void session_is_signed_again_only_on_request() {
    assertThat(console("sign", session, "--key", key).exit()).isZero();
    Console again = console("sign", session, "--key", key);
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("RECEIPT.json is signed already; --overwrite signs it again");
    Console.run("keygen", home.resolve("other").toString());
    assertThat(console("sign", session, "--key", home.resolve("other"), "--overwrite")
            .exit())
        .isZero();
    assertThat(console("verify", session, "--public-key", pub()).exit()).isEqualTo(1);
    assertThat(console("verify", session, "--public-key", home.resolve("other.pub"))
            .exit())
        .isZero();
  }

  @Test
  void envelope_of_an_older_receipt_does_not_prevent_signing_again() throws IOException {
    assertThat(console("sign", session, "--key", key).exit()).isZero();
    Path receipt = session.resolve("RECEIPT.json");
    assertThat(console("receipt", session, "--form", "draft", "--out", receipt, "--overwrite")
            .exit())
        .isZero();
    assertThat(console("verify", session, "--public-key", pub()).exit()).isEqualTo(1);
    assertThat(console("sign", session, "--key", key).exit()).isEqualTo(2);
    assertThat(console("sign", session, "--key", key, "--overwrite").exit()).isZero();
    assertThat(console("verify", session, "--public-key", pub()).exit()).isZero();
  }

  @Test
  void session_that_contradicts_itself_is_not_signed() throws IOException {
    Path log = session.resolve("REPLAY.jsonl");
    Files.writeString(log, Files.readString(log).replace("fn main", "fn evil"));
    String receipt = Files.readString(session.resolve("RECEIPT.json"));
    Console console = console("sign", session, "--key", key);
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out()).isEmpty();
    assertThat(console.err())
        .startsWith("replay: nothing was signed, because the session is not valid:\ninvalid")
        .contains("OUTPUT_HASH_MISMATCH");
    assertThat(session.resolve("RECEIPT.json")).hasContent(receipt);
    assertThat(session.resolve("RECEIPT.dsse.json")).doesNotExist();
  }

  @Test
  void session_without_a_receipt_is_not_signed_and_the_message_says_how_to_get_one()
      throws IOException {
    Path receipt = session.resolve("RECEIPT.json");
    Files.delete(receipt);
    Console console = console("sign", session, "--key", key);
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.err())
        .isEqualTo(
            "replay: %s: there is no receipt to sign; replay receipt %s --out %s creates it\n"
                .formatted(receipt, session, receipt));
    assertThat(console("receipt", session, "--out", receipt).exit()).isZero();
    assertThat(console("sign", session, "--key", key).exit()).isZero();
  }

  @Test
  void keys_of_the_wrong_kind_are_distinguished() {
    Console publicOne = console("sign", session, "--key", pub());
    assertThat(publicOne.exit()).isEqualTo(3);
    assertThat(publicOne.err())
        .isEqualTo("replay: %s: expected PRIVATE KEY, found PUBLIC KEY;".formatted(pub())
            + " expected the private key, which keygen writes to the file without .pub\n");
    Console privateOne = console("verify", session, "--public-key", key);
    assertThat(privateOne.exit()).isEqualTo(3);
    assertThat(privateOne.err())
        .isEqualTo("replay: %s: expected PUBLIC KEY, found PRIVATE KEY;".formatted(key)
            + " expected the public key, which keygen writes to %s\n".formatted(pub()));
  }

  @ParameterizedTest
  @CsvSource({"'', is empty", "garbage, no key in PEM", "é\u0000, no key in PEM"})
  void file_other_than_a_key_is_reported(String text, String message) throws IOException {
    Path file = Files.writeString(home.resolve("k"), text);
    for (Console console : new Console[] {
      console("sign", session, "--key", file),
      console("checkpoint", session, "--key", file),
      console("verify", session, "--public-key", file)
    }) {
      assertThat(console.exit()).isEqualTo(3);
      assertThat(console.out()).isEmpty();
      assertThat(console.err()).contains(file + ": ", message).hasLineCount(1);
    }
    assertThat(console("sign", session, "--key", home).err()).contains(home + ": is a directory");
    assertThat(console("sign", session, "--key", home.resolve("no")).err())
        .contains("no: no such file or directory");
    assertThat(console("sign", session).exit()).isEqualTo(2);
  }
}
