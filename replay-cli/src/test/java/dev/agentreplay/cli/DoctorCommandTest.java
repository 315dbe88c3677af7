package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import dev.agentreplay.sandbox.mechanism.Sandboxes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code replay doctor}. */
@EnabledOnOs(OS.LINUX)
class DoctorCommandTest {

  @TempDir
  Path directory;

  private static void assumeSandbox() {
    boolean works = Sandboxes.select(SandboxChoice.parse("bubblewrap")).used() != null;
    if (!works) {
      System.err.println("SKIPPED: bwrap does not work here, replay doctor is NOT TESTED with it");
    }
    assumeTrue(works, "bwrap does not work on this machine");
  }

  private Path tools(String json) throws IOException {
    return Files.writeString(directory.resolve("tools.json"), json);
  }

  @Test
  void each_aspect_has_an_outcome_and_a_reason() {
    assumeSandbox();
    Console doctor = Console.run("doctor");
    assertThat(doctor.exit()).as(doctor.out()).isZero();
    assertThat(doctor.out())
        .startsWith("bubblewrap: isolates programs\n  limits: memory by ")
        .containsPattern("TCP connections +enforced +network namespace +127\\.0\\.0\\.1:\\d+")
        .containsPattern("environment of the caller +(enforced|inconclusive)")
        .containsPattern("nested user namespaces +(enforced|inconclusive)");
    assertThat(doctor.err()).isEmpty();
  }

  @Test
  void json_has_the_attempts_and_the_tools() throws Exception {
    assumeSandbox();
    Path tools = tools(
        """
        {"tools":{"good":{"command":["sh","-c","exit 0"]},"gone":{"command":["missing-program"]}}}
        """);
    Console doctor = Console.run(
        "doctor",
        "--format",
        "json",
        "--tools",
        tools.toString(),
        "--workspace",
        directory.toString());
    assertThat(doctor.exit()).isEqualTo(1);
    JsonObject report = (JsonObject) JsonText.parse(doctor.out());
    assertThat(report.at("/schema")).hasToString("\"replay.doctor/1\"");
    assertThat(report.at("/usable")).hasToString("true");
    assertThat(report.at("/mechanism")).hasToString("\"bubblewrap\"");
    assertThat(report.at("/attempts/0/report/isolated")).hasToString("true");
    assertThat(report.at("/attempts/0/report/probes/0/aspect")).hasToString("\"tcp\"");
    assertThat(report.at("/tools/0/tool")).hasToString("\"good\"");
    assertThat(report.at("/tools/0/started")).hasToString("true");
    assertThat(report.at("/tools/0/exit")).hasToString("0");
    assertThat(report.at("/tools/1/started")).hasToString("false");
    assertThat(report.at("/tools/1/reason")).hasToString("\"not_started\"");
  }

  @Test
  void tools_that_start_are_killed_and_change_nothing() throws Exception {
    assumeSandbox();
    Path tools = tools(
        """
        {"tools":{"slow":{"command":["sleep","60"]},"write":{"command":["touch","new-file"]},
        "script":{"command":["sh","-c","missing-program"]}}}
        """);
    Console doctor =
        Console.run("doctor", "--tools", tools.toString(), "--workspace", directory.toString());
    assertThat(doctor.exit()).isEqualTo(1);
    assertThat(doctor.out())
        .contains("tool slow: started: runs; killed after 1 s\n")
        .contains("tool write: started: ended with exit code 1: ")
        .contains("tool script: not started: ended with exit code 127: ")
        .endsWith(
            "  hint: --workspace DIR starts the tools in DIR instead of the current directory,"
                + " and --ro PATH shows them PATH\n");
    assertThat(directory.resolve("new-file")).doesNotExist();
  }

  @Test
  void without_a_sandbox_the_reason_is_reported() {
    Console doctor = Console.run("doctor", "--sandbox", "seatbelt");
    assertThat(doctor.exit()).isEqualTo(1);
    assertThat(doctor.out())
        .isEqualTo(
            """
            seatbelt: cannot be used: expected macOS, found Linux
            no sandbox can be used: a replay that executes programs is refused
            """);
    Console json = Console.run("doctor", "--sandbox", "seatbelt", "--format", "json");
    assertThat(json.exit()).isEqualTo(1);
    assertThat(json.out())
        .isEqualTo("{\"schema\":\"replay.doctor/1\",\"usable\":false,\"mechanism\":null,"
            + "\"attempts\":[{\"mechanism\":\"seatbelt\",\"usable\":false,"
            + "\"failure\":\"expected macOS, found Linux\"}],\"tools\":[]}\n");
  }

  @ParameterizedTest
  @CsvSource({
    "bwrap, 'expected auto, bubblewrap, landlock'",
    "docker, 'docker requires an image: docker:IMAGE'",
    "none, 'expected auto'",
    "bubblewrap:x, 'only podman and docker take an image'"
  })
  void unknown_mechanism_is_wrong_usage(String name, String message) {
    Console doctor = Console.run("doctor", "--sandbox", name);
    assertThat(doctor.exit()).isEqualTo(2);
    assertThat(doctor.err()).startsWith("replay: --sandbox: ").contains(message);
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"tools\":{\"a\":{}}}', 2, 'a: expected an array of strings'",
    "'{\"tools\":[]}', 2, 'expected an object'",
    "'[]', 3, 'expected a JSON object'",
    "'{', 3, 'not a description of tools'",
    "'', 3, 'the file is empty'"
  })
  void file_that_describes_no_tools_is_refused(String json, int exit, String message)
      throws IOException {
    Console doctor = Console.run("doctor", "--tools", tools(json).toString());
    assertThat(doctor.exit()).isEqualTo(exit);
    assertThat(doctor.err()).contains("tools.json").contains(message);
    assertThat(doctor.out()).isEmpty();
  }

  @Test
  void workspace_without_tools_is_wrong_usage() {
    assertThat(Console.run("doctor", "--workspace", ".").err())
        .startsWith("replay: --workspace requires --tools\n");
    assertThat(Console.run("doctor", "--ro", ".").err())
        .startsWith("replay: --ro requires --tools\n");
  }
}
