package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.proof.LogCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Checkpoints on the command line. */
class CheckpointCommandsTest extends AuditedSession {

  @Test
  void checkpoint_is_printed_or_written_and_signed_on_request() throws IOException {
    Console printed = console("checkpoint", session);
    JsonObject json = JsonText.parse(printed.out()).asObject();
    assertThat(json.at("/schema").asString()).isEqualTo("replay.checkpoint/1");
    assertThat(json.at("/session_id").asString()).isEqualTo("one");
    assertThat(json.at("/bytes").asLong()).isEqualTo(Files.size(session.resolve("REPLAY.jsonl")));
    assertThat(json.at("/tree_size").asLong()).isEqualTo(7);
    assertThat(json.at("/tree_root").asString())
        .isEqualTo(JsonText.parse(Files.readString(session.resolve("RECEIPT.json")))
            .at("/tree_root")
            .asString());
    Path signed = run("c.json", "checkpoint", session, "--key", key);
    assertThat(LogCheckpoint.read(signed).isSigned()).isTrue();
    Console again = console("checkpoint", session, "--out", signed);
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("c.json exists; --overwrite replaces it");
    assertThat(console("checkpoint", session, "--out", signed, "--overwrite").exit())
        .isZero();
    assertThat(signed).hasContent(printed.out());
    assertThat(console("checkpoint", session, "--overwrite").err())
        .contains("--overwrite requires --out");
  }

  @Test
  void checkpoint_of_a_torn_log_names_the_byte() throws IOException {
    Path log = session.resolve("REPLAY.jsonl");
    String text = Files.readString(log);
    Files.writeString(log, text.substring(0, text.length() - 1));
    int last = text.lastIndexOf('\n', text.length() - 2) + 1;
    for (String command : new String[] {"checkpoint", "prove"}) {
      String option = command.equals("prove") ? "--line=1" : "--sessions=" + home;
      Console console = console(command, session, option);
      assertThat(console.exit()).isEqualTo(3);
      assertThat(console.err())
          .contains("line 7, byte " + last + ": the last line has no line feed");
    }
  }

  @Test
  void log_that_was_cut_off_or_changed_fails_by_a_checkpoint() throws IOException {
    Path five = run("five.json", "checkpoint", beginning("five", 5));
    Path whole = run("whole.json", "checkpoint", session, "--key", key);
    assertThat(console("verify", session, "--checkpoint", five, "--checkpoint", whole)
            .exit())
        .isZero();
    Console cut = console("verify", beginning("five", 5), "--checkpoint", whole);
    assertThat(cut.exit()).isEqualTo(1);
    assertThat(cut.out()).contains("covers 7 lines, but the log has 5: the log was truncated");
    assertThat(cut.err())
        .isEqualTo("replay: %s: the signature is not checked, because there is no --public-key\n"
            .formatted(whole));
    Path altered = beginning("altered", 7).resolve("REPLAY.jsonl");
    String text = Files.readString(altered);
    assertThat(text).contains("\"confidence\":0.9");
    Files.writeString(altered, text.replace("\"confidence\":0.9", "\"confidence\":0.8"));
    assertThat(console("verify", altered, "--checkpoint", five).exit()).isZero();
    assertThat(console("verify", altered, "--checkpoint", whole).exit()).isEqualTo(1);
  }

  @Test
  void public_checkpoint_is_trusted_like_a_checkpoint() throws IOException {
    assertThat(console("sign", session, "--key", key).exit()).isZero();
    Path own = session.resolve("PUBLIC_CHECKPOINT.json");
    Path two = record("two");
    assertThat(console("sign", two, "--key", key).exit()).isZero();
    Path other = two.resolve("PUBLIC_CHECKPOINT.json");

    Console same = console("verify", session, "--checkpoint", own, "--public-key", pub());
    assertThat(same.exit()).as(same.out()).isZero();
    assertThat(same.err()).isEmpty();
    Console different = console("verify", session, "--checkpoint", other);
    assertThat(different.exit()).isEqualTo(1);
    assertThat(different.out()).contains("PUBLIC_ROOT_MISMATCH");
    assertThat(different.err()).contains("the signature is not checked");
    Files.writeString(
        other, Files.readString(other).replaceFirst("\"sig\":\"....", "\"sig\":\"AAAA"));
    Console forged = console("verify", session, "--checkpoint", other, "--public-key", pub());
    assertThat(forged.exit()).isEqualTo(3);
    assertThat(forged.err()).contains("the public checkpoint is not what was signed");
  }

  @Test
  void public_checkpoint_does_not_explain_a_different_tree() throws IOException {
    assertThat(console("sign", session, "--key", key).exit()).isZero();
    Path own = session.resolve("PUBLIC_CHECKPOINT.json");
    Path two = run("two.json", "checkpoint", record("two"));

    Console console = console("verify", session, "--checkpoint", own, "--checkpoint", two);

    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out()).contains("TREE_ROOT_MISMATCH");
  }

  @Test
  void checkpoint_of_a_different_session_is_reported_as_such() throws IOException {
    Path two = run("two.json", "checkpoint", record("two"));
    Console console = console("verify", session, "--checkpoint", two);
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out()).contains("TREE_ROOT_MISMATCH");
    String fault = "%s is a checkpoint of session \"two\", but %s is a log of session \"one\"\n"
        .formatted(two, session.resolve("REPLAY.jsonl"));
    assertThat(console.err()).isEqualTo("replay: warning: " + fault);
    Console proof = console("prove", session, "--since", two);
    assertThat(proof.exit()).isEqualTo(3);
    assertThat(proof.out()).isEmpty();
    assertThat(proof.err()).isEqualTo("replay: " + fault);
  }

  @Test
  void checkpoint_that_is_signed_must_be_by_one_of_the_keys_if_there_are_any() throws IOException {
    assertThat(console("sign", session, "--key", key).exit()).isZero();
    Console.run("keygen", home.resolve("forger").toString());
    Path forged = run("forged.json", "checkpoint", session, "--key", home.resolve("forger"));
    Path unsigned = run("unsigned.json", "checkpoint", session);
    Path signed = run("signed.json", "checkpoint", session, "--key", key);
    assertThat(console("verify", session, "--checkpoint", forged).exit()).isZero();
    Console refused = console("verify", session, "--public-key", pub(), "--checkpoint", forged);
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err()).contains("the checkpoint is signed, but not with a trusted key");
    for (Path file : new Path[] {unsigned, signed}) {
      assertThat(console("verify", session, "--public-key", pub(), "--checkpoint", file)
              .exit())
          .isZero();
    }
    String text = Files.readString(signed);
    char first = text.charAt(text.indexOf("\"sig\":\"") + 7);
    Files.writeString(
        signed, text.replace("\"sig\":\"" + first, "\"sig\":\"" + (first == 'A' ? 'B' : 'A')));
    assertThat(console("verify", session, "--public-key", pub(), "--checkpoint", signed)
            .err())
        .isEqualTo("replay: %s: the checkpoint is not what was signed\n".formatted(signed));
  }

  @Test
  void checkpoint_goes_with_a_single_session() throws IOException {
    Path file = run("c.json", "checkpoint", session);
    Console console = console("verify", session, record("two"), "--checkpoint", file);
    assertThat(console.exit()).isEqualTo(2);
    assertThat(console.err()).contains("--checkpoint requires a single SESSION");
    assertThat(console("verify", session, "--checkpoint", pub()).err())
        .contains("key.pub: not a checkpoint: ");
  }

  @Test
  void messages_hold_nothing_that_a_terminal_would_obey() throws IOException {
    String evil = "\u001b[2J";
    Path file = Files.writeString(
        home.resolve("p.json"),
        "{\"payloadType\":\"" + "\\u001b[2J" + "\",\"payload\":\"\",\"signatures\":[]}");
    Console console = console("verify", session, "--checkpoint", file);
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.err()).contains("not a checkpoint").doesNotContain(evil);
  }
}
