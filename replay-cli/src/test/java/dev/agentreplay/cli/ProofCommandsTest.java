package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.tree.ConsistencyProof;
import dev.agentreplay.canonical.tree.InclusionProof;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.proof.LogCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Proofs on the command line. */
class ProofCommandsTest extends AuditedSession {

  /** Every character is altered with {@code -Dreplay.effort=5}. */
  private static final int STRIDE = Integer.getInteger("replay.effort", 1) < 5 ? 10 : 1;

  @Test
  void line_is_proved_and_checked_by_a_checkpoint_a_receipt_or_a_session() throws IOException {
    Path proof = run("p.json", "prove", session, "--line", 4);
    InclusionProof parsed =
        InclusionProof.fromJson(JsonText.parse(Files.readString(proof)).asObject());
    assertThat(parsed.holds()).isTrue();
    assertThat(parsed.tree().size()).isEqualTo(7);
    Path checkpoint = run("c.json", "checkpoint", session, "--key", key);
    assertThat(console("sign", session, "--key", key).exit()).isZero();
    for (Path trusted : new Path[] {checkpoint, session.resolve("RECEIPT.json"), session}) {
      Console checked = console("check", proof, "--checkpoint", trusted, "--public-key", pub());
      assertThat(checked.exit()).as(checked.out() + checked.err()).isZero();
      assertThat(checked.out().replaceAll("\\s+", " ")) // lines are wrapped at paths
          .startsWith("valid " + proof)
          .contains("this is line 4 of the 7 lines", "which a trusted key has");
    }
  }

  @Test
  void guesses_of_neighboring_lines_are_warned_of() throws IOException {
    Console line = console("prove", session, "--line", 4);
    Path unsalted = home.resolve("unsalted");
    RecorderOptions options = RecorderOptions.defaults().withSalted(false);
    SessionRecorder.start(unsalted, SessionStart.of("unsalted"), options).close();
    Console only = console("prove", unsalted, "--line", 1, "--at", 1);
    Console growth = console("prove", session, "--since", 1);

    assertThat(line.exit()).isZero();
    assertThat(line.out()).startsWith("{\"line\":4,");
    assertThat(line.err())
        .isEqualTo("replay: warning: the proof contains hashes of neighboring lines, so that its"
            + " receiver can test guesses of their content: replay disclose proves one value without"
            + " them\n");
    assertThat(only.exit()).isZero();
    assertThat(only.err()).isEmpty();
    assertThat(growth.err()).isEmpty();
  }

  @Test
  void line_with_the_salt_is_not_proved() {
    Console first = console("prove", session, "--line", 1);

    assertThat(first.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(first.out()).isEmpty();
    assertThat(first.err())
        .contains("line 1 contains the salt", "replay disclose --line 1 --field POINTER");
    assertThat(console("prove", session, "--line", 2).exit()).isZero();
  }

  @Test
  void report_of_a_line_says_what_is_proved_and_by_what() throws IOException {
    Path proof = run("p.json", "prove", session, "--line", 7);
    Path checkpoint = run("c.json", "checkpoint", session);
    String root = LogCheckpoint.read(checkpoint).tree().root().toString();
    String text =
        Files.readString(session.resolve("REPLAY.jsonl")).lines().toList().get(6);
    String said =
        """
          line        7 of 7
          text        %s
          root        %s over 7 lines
        """
            .formatted(Style.fit(text, 86), root);
    String unverified = console("check", proof).out();
    assertThat(unverified.replace(home + "/", ""))
        .isEqualTo(
            "unverified  p.json\n"
                + said
                + """
              proved      this is line 7 of the 7 lines that have this root
              not proved  the root over 7 lines: anyone can forge one; name what you trust with --checkpoint
                          the content of any other line
            """);
    Console checked = console("check", proof, "--checkpoint", checkpoint);
    assertThat(checked.out().replace(home + "/", "").replaceAll("\\s+", " "))
        .isEqualTo("valid p.json"
            + said.replaceAll("\\s+", " ")
            + "proved this is line 7 of the 7 lines that have this root"
            + " c.json, which is not signed, states the root over 7 lines"
            + " not proved the content of any other line ");
  }

  @Test
  void report_in_json_says_the_same() throws IOException {
    Path proof = run("p.json", "prove", session, "--line", 7);
    Console console = console("check", proof, "--format", "json");
    assertThat(console.exit()).isZero();
    assertThat(console.out()).hasLineCount(1);
    JsonObject json = JsonText.parse(console.out()).asObject();
    assertThat(json.at("/schema").asString()).isEqualTo("replay.check/1");
    assertThat(json.at("/verdict").asString()).isEqualTo("unverified");
    assertThat(json.at("/holds").toString()).isEqualTo("true");
    assertThat(json.at("/proved/0/id").asString()).isEqualTo("path");
    assertThat(json.at("/not_proved/0/id").asString()).isEqualTo("root");
    assertThat(json.at("/not_proved/1/id").asString()).isEqualTo("others");
    assertThat(json.get("proof")).isEqualTo(JsonText.parse(Files.readString(proof)));
  }

  @Test
  void trusted_head_that_says_nothing_of_the_proof_is_unverified_and_fails() throws IOException {
    Path proof = run("p.json", "prove", session, "--line", 2);
    Path five = run("five.json", "checkpoint", beginning("five", 5));
    Console console = console("check", proof, "--checkpoint", five);
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out()).startsWith("unverified").contains("covers 5 lines");
    Path then = run("then.json", "prove", session, "--line", 2, "--at", five);
    assertThat(console("check", then, "--checkpoint", five).exit()).isZero();
    assertThat(Files.readString(run("n.json", "prove", session, "--line", 2, "--at", 5)))
        .isEqualTo(Files.readString(then));
  }

  @Test
  void trusted_head_with_another_root_makes_the_proof_invalid() throws IOException {
    Path proof = run("p.json", "prove", session, "--line", 2);
    Path two = run("two.json", "checkpoint", record("two"));
    Console console = console("check", proof, "--checkpoint", two);
    assertThat(console.exit()).isEqualTo(1);
    assertThat(console.out()).startsWith("invalid").contains("states a different one");
    assertThat(console("check", proof, "--checkpoint", two, "--checkpoint", session)
            .out())
        .startsWith("invalid");
  }

  @Test
  void trusted_head_that_the_keys_have_not_signed_is_refused() throws IOException {
    Path proof = run("p.json", "prove", session, "--line", 2);
    Path unsigned = run("u.json", "checkpoint", session);
    Console.run("keygen", home.resolve("forger").toString());
    Path forged = run("f.json", "checkpoint", session, "--key", home.resolve("forger"));
    Object[][] refused = {
      {unsigned, "the checkpoint is not signed"},
      {forged, "the checkpoint is signed, but not with a trusted key"},
      {session, "the receipt is not signed"},
    };
    for (Object[] one : refused) {
      Console console = console("check", proof, "--checkpoint", one[0], "--public-key", pub());
      assertThat(console.exit()).isEqualTo(3);
      assertThat(console.out()).isEmpty();
      assertThat(console.err()).contains(one[1].toString());
    }
    assertThat(console("sign", session, "--key", home.resolve("forger")).exit()).isZero();
    assertThat(console("check", proof, "--checkpoint", session, "--public-key", pub())
            .err())
        .contains("the receipt is signed, but not with a trusted key");
    assertThat(console("check", proof, "--checkpoint", forged).out().replaceAll("\\s+", " "))
        .contains("whose signature was not checked because no --public-key was given,"
            + " states the root");
    assertThat(console("sign", session, "--key", key, "--overwrite").exit()).isZero();
    Path receipt = session.resolve("RECEIPT.json");
    Files.writeString(receipt, Files.readString(receipt).replace("0.9", "0.8"));
    assertThat(console("check", proof, "--checkpoint", receipt, "--public-key", pub())
            .err())
        .contains("the receipt is not what was signed");
    assertThat(console("check", proof, "--public-key", pub()).err())
        .contains("--public-key requires --checkpoint");
  }

  @ParameterizedTest
  @ValueSource(strings = {"openagents.v1", "draft", "session"})
  void signed_receipt_of_each_form_is_trusted(String form) throws IOException {
    Path receipt = session.resolve("RECEIPT.json");
    console("receipt", session, "--form", form, "--out", receipt, "--overwrite");
    assertThat(console("sign", session, "--key", key).exit()).isZero();
    Path proof = run("p.json", "prove", session, "--line", 2);
    assertThat(console("check", proof, "--checkpoint", receipt, "--public-key", pub())
            .exit())
        .isZero();
  }

  @Test
  void receipt_without_a_root_and_directory_without_a_receipt_state_nothing() throws IOException {
    Path proof = run("p.json", "prove", session, "--line", 2);
    Path receipt = session.resolve("RECEIPT.json");
    JsonObject json = JsonText.parse(Files.readString(receipt)).asObject();
    Files.writeString(receipt, json.without("tree_root").without("tree_size").toString());
    assertThat(console("check", proof, "--checkpoint", session).err())
        .contains("RECEIPT.json: the receipt states no tree root");
    Files.delete(receipt);
    assertThat(console("check", proof, "--checkpoint", session).err())
        .contains("directory holds no RECEIPT.json");
  }

  @Test
  void growth_is_proved_between_checkpoints_and_checked_by_either() throws IOException {
    Path five = run("five.json", "checkpoint", beginning("five", 5));
    Path whole = run("whole.json", "checkpoint", session);
    Path proof = run("g.json", "prove", session, "--since", five);
    ConsistencyProof parsed =
        ConsistencyProof.fromJson(JsonText.parse(Files.readString(proof)).asObject());
    assertThat(parsed.holds()).isTrue();
    assertThat(Files.readString(run("n.json", "prove", session, "--since", 5, "--at", whole)))
        .isEqualTo(Files.readString(proof));
    Console both = console("check", proof, "--checkpoint", five, "--checkpoint", whole);
    assertThat(both.exit()).isZero();
    assertThat(both.out().replaceAll("\\s+", " "))
        .contains("newer sha256:")
        .contains("the log of 7 lines begins with the 5 lines of the older one")
        .contains("five.json, which is not signed, states the root over 5 lines")
        .contains("whole.json, which is not signed, states the root over 7 lines")
        .doesNotContain("not proved");
    Console older = console("check", proof, "--checkpoint", five);
    assertThat(older.exit()).isZero();
    assertThat(older.out().replaceAll("\\s+", " "))
        .startsWith("valid")
        .contains("not proved the root over 7 lines: " + five + " covers 5 lines");
    assertThat(console("check", proof).out()).startsWith("unverified");
    Path three = run("three.json", "checkpoint", beginning("three", 3));
    Console unused = console("check", proof, "--checkpoint", three, "--checkpoint", whole);
    assertThat(unused.exit()).as("what was named says nothing of it").isEqualTo(1);
    assertThat(unused.out()).startsWith("unverified");
  }

  @Test
  void log_that_did_not_only_grow_has_no_proof() throws IOException {
    Path whole = run("whole.json", "checkpoint", session);
    Path cut = beginning("cut", 5);
    Console shorter = console("prove", cut, "--since", whole);
    assertThat(shorter.exit()).isEqualTo(1);
    assertThat(shorter.out()).isEmpty();
    assertThat(shorter.err())
        .isEqualTo("replay: no proof: %s has 7 lines, but the log has only 5: it was truncated\n"
            .formatted(whole));
    assertThat(console("prove", cut, "--line", 1, "--at", whole).exit()).isEqualTo(1);
    Path altered = beginning("altered", 7).resolve("REPLAY.jsonl");
    Files.writeString(altered, Files.readString(altered).replace("0.9", "0.8"));
    for (String[] options :
        new String[][] {{"--since", "" + whole}, {"--line=2", "--at=" + whole}}) {
      Console other = console("prove", altered, options[0], options[1]);
      assertThat(other.exit()).isEqualTo(1);
      assertThat(other.out()).isEmpty();
      assertThat(other.err())
          .isEqualTo("replay: no proof: the first 7 lines of the log are not the lines of %s\n"
              .formatted(whole));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', specify exactly one of --line and --since",
    "--line=1 --since=1, specify exactly one of --line and --since",
    "--line=0, --line: expected 1 to 7, found 0",
    "--line=8, --line: expected 1 to 7, found 8",
    "--line=6 --at=5, --line: expected 1 to 5, found 6",
    "--since=8, --since: expected 0 to 7, found 8",
    "--since=-1, --since: expected 0 to 7, found -1",
    "--since=6 --at=5, '--since has 6 lines, more than the 5 of --at'",
    "--line=1 --overwrite, --overwrite requires --out",
  })
  void what_cannot_be_proved_is_wrong_usage(String options, String message) {
    Console console = Console.run(("prove " + session + " " + options).strip().split(" "));
    assertThat(console.exit()).isEqualTo(2);
    assertThat(console.out()).isEmpty();
    assertThat(console.err()).contains(message);
  }

  @Test
  void every_altered_proof_is_invalid_or_none() throws IOException {
    String proof = console("prove", session, "--line", 4).out().strip();
    Path file = home.resolve("altered.json");
    Path trusted = run("c.json", "checkpoint", session);
    for (int i = 0; i < proof.length(); i += STRIDE) {
      char other = proof.charAt(i) == '1' ? '2' : '1';
      Files.writeString(file, proof.substring(0, i) + other + proof.substring(i + 1));
      assertThat(console("check", file, "--checkpoint", trusted).exit())
          .as("character %d", i)
          .isIn(1, 3);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                   | is empty",
        "garbage                              | not a proof: ",
        "[1]                                  | expected a JSON object, found a JSON array",
        "{}                                   | not a proof: expected the schema"
            + " replay.inclusion/1 or",
        "{\"a\":1}                             | found no \"schema\"",
        "{\"schema\":\"replay.checkpoint/1\"} | found \"replay.checkpoint/1\"",
        "{\"schema\":\"replay.inclusion/1\"}  | not a proof: /",
        "{\"schema\":\"replay.consistency/1\"}| not a proof: /",
      })
  void file_other_than_a_proof_is_reported_in_one_line(String text, String message)
      throws IOException {
    Path file = Files.writeString(home.resolve("p.json"), text);
    Console console = console("check", file);
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.out()).isEmpty();
    assertThat(console.err()).contains(file + ": ", message).hasLineCount(1);
    Path proof = run("good.json", "prove", session, "--line", 2);
    assertThat(console("check", proof, "--checkpoint", file).exit()).isEqualTo(3);
    assertThat(console("prove", session, "--since", file).exit()).isEqualTo(3);
    assertThat(console("check", home).err()).contains("is a directory");
    assertThat(console("check", home.resolve("no")).err()).contains("no such file");
  }
}
