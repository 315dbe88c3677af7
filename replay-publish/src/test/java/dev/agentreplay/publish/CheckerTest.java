package dev.agentreplay.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.publish.policy.PublicationPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checker in Python of docs/tools, an independent implementation of the public form. */
class CheckerTest {

  private static final Path CHECKER = Path.of("../docs/tools/verify_disclosure.py");
  private static final JsonPointer PIN = JsonPointer.parse("/params/pin");

  @TempDir
  private Path directory;

  private Session session;

  @BeforeEach
  void record() throws IOException {
    assumeTrue(run("--version").exitCode == 0, "python3 is not installed");
    session = RecordedSecrets.record(
        directory.resolve("recorded"),
        JsonObject.of("pin", 4711, "to", List.of("a", List.of(), 1.5e-9, "\u00e9\n/~")),
        List.of("x", JsonObject.EMPTY, true),
        null);
  }

  @Test
  void checker_has_at_most_80_lines() throws IOException {
    assertThat(Files.readAllLines(CHECKER)).hasSizeLessThanOrEqualTo(80);
  }

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(ints = {1, 3, 8})
  void copies_and_disclosures_are_valid(int padding) throws IOException {
    Path out = publish(padding, PublicationPolicy.OPEN_SOURCE);

    assertThat(check(out, out.resolve("REPLAY.jsonl")).output).startsWith("valid");
    // the type of the event, id, step and tool, and the value
    assertThat(check(out, disclosure(out, PIN)).output).isEqualTo("valid: 5 unchanged\n");
    assertThat(check(out, disclosure(out, JsonPointer.parse("/params/to/2"))).output)
        .startsWith("valid: 5 unchanged, ");
  }

  @Test
  void signed_checkpoint_is_read() throws IOException {
    Path out = directory.resolve("signed");
    SessionPublisher.publish(
        session, out, PublishOptions.defaults().withSigner(Ed25519Signer.generate()));

    assertThat(check(out, out.resolve("REPLAY.jsonl")).exitCode).isZero();
  }

  @Test
  @Tag("slow")
  void each_change_of_a_disclosure_is_found() throws IOException {
    Path out = publish(1, PublicationPolicy.PRIVATE_REPO);
    String text = Files.readString(disclosure(out, PIN));
    List<String> forged = new ArrayList<>(List.of(
        text.replace("4711", "4712"),
        text.replace("4711", "4711.0"),
        text.replace("/params/pin", "/params/to"),
        text.replace("\"line\":5", "\"line\":4"),
        text.replace("\"pay\"", "\"read\"")));
    for (int at = text.indexOf("\"opening\""); at < text.indexOf("\"path\""); at += 41) {
      char other = text.charAt(at) == 'A' ? 'B' : 'A';
      if (Character.isLetterOrDigit(text.charAt(at))) {
        forged.add(text.substring(0, at) + other + text.substring(at + 1));
      }
    }
    for (String each : forged) {
      assertThat(each).isNotEqualTo(text);
      Path file = Files.writeString(directory.resolve("forged.json"), each);
      assertThat(check(out, file).exitCode).as(each).isNotZero();
    }
  }

  @Test
  void dropped_line_is_found() throws IOException {
    Path out = publish(1, PublicationPolicy.PRIVATE_REPO);
    List<String> lines = Files.readAllLines(out.resolve("REPLAY.jsonl"));
    Path file = directory.resolve("short.jsonl");
    Files.write(file, lines.subList(0, lines.size() - 1));

    assertThat(check(out, file).output).contains("do not lead to the public root");
  }

  private Path publish(int padding, PublicationPolicy policy) throws IOException {
    Path out = directory.resolve("published");
    SessionPublisher.publish(
        session,
        out,
        PublishOptions.defaults().withPolicy(policy).withForm(new PublicForm(padding)));
    return out;
  }

  private Path disclosure(Path published, JsonPointer pointer) throws IOException {
    String form = Files.readString(published.resolve("PUBLIC_CHECKPOINT.json"));
    Files.writeString(directory.resolve("recorded/PUBLIC_CHECKPOINT.json"), form);
    SessionDiscloser discloser = SessionDiscloser.open(session, null);
    long line = discloser.lineOf(RecordedSecrets.CALL, pointer);
    return Files.writeString(
        directory.resolve("disclosure.json"),
        discloser.disclose(line, pointer).toJson().toString());
  }

  private record Outcome(int exitCode, String output) {}

  private static Outcome check(Path published, Path file) throws IOException {
    return run(
        CHECKER.toString(),
        published.resolve("PUBLIC_CHECKPOINT.json").toString(),
        file.toString());
  }

  private static Outcome run(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("python3"));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      return new Outcome(process.exitValue(), output);
    } catch (IOException notInstalled) {
      return new Outcome(-1, "");
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
