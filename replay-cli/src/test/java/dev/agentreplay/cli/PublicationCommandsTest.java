package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.publish.SaltFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code redact}, {@code disclose} and {@code scan}. */
class PublicationCommandsTest extends AuditedSession {

  private static final String SECRET = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6";

  @Test
  void copy_is_published_verified_and_one_value_disclosed() throws IOException {
    Path copy = home.resolve("copy");
    Console redact = console("redact", session, copy, "--policy", "paranoid", "--key", key);
    assertThat(redact.exit()).as(redact.err()).isZero();
    assertThat(redact.err()).isEmpty();
    Path checkpoint = copy.resolve(Session.PUBLIC_CHECKPOINT_NAME);
    assertThat(console("verify", copy, "--public-key", pub()).exit()).isZero();
    assertThat(Files.readString(copy.resolve(Session.LOG_NAME))).doesNotContain("fn main");

    Path disclosure = run("d.json", "disclose", session, "--line", 4, "--field", "/output");
    Console check = console("check", disclosure, "--checkpoint", checkpoint, "--public-key", pub());
    assertThat(check.exit()).as(check.err()).isZero();
    assertThat(check.out()).contains("fn main() {}");

    String text = Files.readString(disclosure);
    assertThat(text).contains("main");
    Files.writeString(disclosure, text.replace("main", "mean"));
    assertThat(console("check", disclosure, "--checkpoint", checkpoint).exit())
        .isEqualTo(ExitCode.FINDINGS);
  }

  @Test
  void report_in_json_names_what_was_removed() {
    Console redact = console("redact", session, home.resolve("copy"), "--format", "json");

    assertThat(redact.exit()).isZero();
    JsonObject report = JsonText.parse(redact.out()).asObject();
    assertThat(report.at("/schema").asString()).isEqualTo("replay.publication/1");
    assertThat(redact.out()).hasLineCount(1).doesNotContain("fn main");
  }

  @Test
  void new_salt_is_named_even_if_the_session_is_not_published() throws IOException {
    Path unsalted = unsalted("fn main() {}");
    Path log = unsalted.resolve(Session.LOG_NAME);
    Files.writeString(log, Files.readString(log).replace("fn main", "fn name"));

    Console redact = console("redact", unsalted, home.resolve("copy"));

    assertThat(redact.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(redact.err())
        .contains("note: the log has no salt; keep " + unsalted.resolve(SaltFile.NAME) + " secret")
        .contains("not published: ");
  }

  @Test
  void session_without_a_salt_needs_its_salt_file_to_disclose() throws IOException {
    Path unsalted = unsalted("fn main() {}");
    Path copy = home.resolve("copy");
    Console redact = console("redact", unsalted, copy);
    assertThat(redact.exit()).as(redact.err()).isZero();
    Path salt = unsalted.resolve(SaltFile.NAME);
    assertThat(redact.err()).contains("note: the log has no salt; keep " + salt + " secret");
    assertThat(copy.resolve(SaltFile.NAME)).doesNotExist();
    Path checkpoint = copy.resolve(Session.PUBLIC_CHECKPOINT_NAME);

    String[] value = {"--line", "3", "--field", "/params"};
    Path disclosure = run("d.json", "disclose", unsalted, value[0], value[1], value[2], value[3]);
    assertThat(console("check", disclosure, "--checkpoint", checkpoint).exit()).isZero();

    Path elsewhere = Files.move(salt, home.resolve("salt"));
    assertThat(console("disclose", unsalted, value[0], value[1], value[2], value[3])
            .exit())
        .isNotZero();
    Path again = run(
        "again.json",
        "disclose",
        unsalted,
        value[0],
        value[1],
        value[2],
        value[3],
        "--salt-file",
        elsewhere);
    assertThat(again).hasSameBinaryContentAs(disclosure);
  }

  @Test
  void salt_file_that_would_be_ignored_is_refused() throws IOException {
    Path copy = home.resolve("copy");
    Path salt = home.resolve("salt");
    Console redact = console("redact", session, copy, "--salt-file", salt);
    assertThat(redact.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(redact.err()).contains("--salt-file: the log has a salt of its own");
    assertThat(copy).doesNotExist();
    assertThat(salt).doesNotExist();

    run("d.json", "disclose", session, "--line", 3, "--field", "/params");
    assertThat(console("disclose", session, "--line", 3, "--field", "/params", "--salt-file", salt)
            .exit())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void secret_is_named_but_not_shown_and_not_published() throws IOException {
    Path leaking = unsalted("token " + SECRET);
    Console scan = console("scan", leaking);
    assertThat(scan.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(scan.out()).contains("github", "line ").doesNotContain(SECRET);
    assertThat(console("scan", session).exit()).isZero();

    Path copy = home.resolve("copy");
    assertThat(console("redact", leaking, copy, "--policy", "open_source").exit())
        .isZero();
    assertThat(Files.readString(copy.resolve(Session.LOG_NAME))).doesNotContain(SECRET);
    assertThat(console("scan", copy).exit()).isZero();
  }

  @Test
  void session_that_does_not_verify_is_published_with_force_only() throws IOException {
    Path log = session.resolve(Session.LOG_NAME);
    Files.writeString(log, Files.readString(log).replace("0.9", "0.8"));
    Path copy = home.resolve("copy");

    Console refused = console("redact", session, copy);
    assertThat(refused.exit()).isEqualTo(ExitCode.FINDINGS);
    assertThat(refused.err()).startsWith("replay: not published: ").contains("--force");
    assertThat(copy).doesNotExist();

    assertThat(console("redact", session, copy, "--force").exit()).isZero();
    assertThat(Files.readString(copy.resolve(Session.LOG_NAME))).contains("\"source\":\"invalid\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redact one copy --policy no              | 2 | expected a preset (open_source, private_repo",
        "redact one copy --pad 0                  | 2 | --pad: expected 1 to 1024, found 0",
        "redact no copy                           | 3 | no",
        "redact one one                           | 2 | one exists",
        "redact one copy --attach no.txt          | 3 | an attachment is a file next to the log",
        "redact one copy --attach RECEIPT.json    | 3 | the original is never published",
        "disclose one --line 99 --field /params   | 1 | not disclosed: ",
        "disclose one --line 4 --field /no        | 1 | not disclosed: ",
        "disclose one --line 3 --field params     | 2 | --field: expected a JSON Pointer",
        "disclose one --field /params             | 2 | specify exactly one of --call and --line",
        "disclose one --line 1 --field /salt      | 1 | not disclosed: ",
        "scan no                                  | 3 | no",
      })
  void refusal_has_an_exit_code_and_a_reason(String command, int exit, String message) {
    String[] texts = command.trim().split(" ");
    Object[] words = Arrays.copyOf(texts, texts.length, Object[].class);
    for (int i = 1; i < words.length; i++) {
      boolean isPath = texts[i].equals("one") || texts[i].equals("copy");
      words[i] = isPath ? home.resolve(texts[i]) : texts[i];
    }

    Console console = console(words);

    assertThat(console.exit()).as(console.err()).isEqualTo(exit);
    assertThat(console.out()).isEmpty();
    assertThat(console.err()).contains(message);
    assertThat(home.resolve("copy")).doesNotExist();
  }

  private Path unsalted(String output) throws IOException {
    Path directory = home.resolve("unsalted");
    RecorderOptions options = RecorderOptions.defaults().withSalted(false);
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("unsalted"), options)) {
      recorder.call("file_read", JsonObject.of("path", "src/main.rs")).result(output);
      recorder.end(Status.SUCCESS, 0.9);
    }
    return directory;
  }
}
