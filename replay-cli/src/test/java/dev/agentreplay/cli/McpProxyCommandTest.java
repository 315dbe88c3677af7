package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonValue;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code replay mcp-proxy}: bytes, exit codes, reports and usage. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class McpProxyCommandTest {

  private static final String CALL =
      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"count\","
          + "\"arguments\":{\"path\":\"src\"}}}\n";

  private static final String RESULT =
      "{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"12\"}]},\"jsonrpc\":\"2.0\",\"id\":7}\n";

  @TempDir
  Path home;

  private Path record(int exitCode) throws Exception {
    Console run = Console.runWith(
        CALL,
        "mcp-proxy",
        "--record",
        home.resolve("mcp").toString(),
        "sh",
        "-c",
        "read -r line; printf '%s' '" + RESULT + "'; exit " + exitCode);
    assertThat(run.exit()).isEqualTo(exitCode);
    assertThat(run.out()).isEqualTo(RESULT);
    assertThat(run.err()).isEmpty();
    try (var sessions = Files.list(home.resolve("mcp"))) {
      return sessions.toList().get(0);
    }
  }

  @Test
  void server_is_recorded_and_replayed() throws Exception {
    Path session = record(0);

    Console run = Console.runWith(CALL, "mcp-proxy", "--replay", session.toString());

    assertThat(run.out()).isEqualTo(RESULT);
    assertThat(run.err()).startsWith("identical");
    assertThat(run.exit()).isZero();
  }

  @Test
  void exit_code_of_the_server_is_returned() throws Exception {
    Path session = record(3);

    assertThat(Console.run("verify", session.toString()).exit()).isZero();
  }

  @Test
  void changed_call_is_reported() throws Exception {
    Path session = record(0);
    Path report = home.resolve("report.json");

    Console run = Console.runWith(
        CALL.replace("src", "docs"),
        "mcp-proxy",
        "--replay",
        session.toString(),
        "--export-report",
        report.toString());

    assertThat(run.exit()).isEqualTo(1);
    JsonValue answer = JsonText.parse(run.out());
    assertThat(answer.at("/id").toString()).isEqualTo("7");
    assertThat(answer.at("/error/code").toString()).isEqualTo("-32603");
    assertThat(answer.at("/error/data/miss").asString()).isEqualTo("diverged");
    assertThat(run.err()).contains("/params/path");
    assertThat(JsonText.parse(Files.readString(report)).at("/verdict").asString())
        .isEqualTo("diverged");
  }

  @ParameterizedTest
  @CsvSource({"12, 0", "13, 1"})
  void live_server_executes_the_named_tools(String files, int exit) throws Exception {
    Path session = record(0);
    String live = RESULT.replace("12", files);

    Console run = Console.runWith(
        CALL,
        "mcp-proxy",
        "--replay",
        session.toString(),
        "--execute",
        "count",
        "--",
        "sh",
        "-c",
        "read -r line; printf '%s' '" + live + "'");

    assertThat(run.out()).isEqualTo(live);
    assertThat(run.err()).contains("1 executed");
    assertThat(run.exit()).isEqualTo(exit);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mcp-proxy | expected --record DIR or --replay SESSION",
        "mcp-proxy --record a --replay b | expected --record DIR or --replay SESSION",
        "mcp-proxy --record a | --record requires the command of the server",
        "mcp-proxy --replay a --require-recording | --require-recording requires --record",
        "mcp-proxy --replay a --mode node | --mode: a host is replayed in",
        "mcp-proxy --replay a -- cat | --mode mock starts no server",
        "mcp-proxy --replay a --execute b | --execute requires --replay and the command",
        "mcp-proxy --record a --export-report b -- cat | --export-report requires --replay",
        "mcp-proxy --replay a --overwrite | --overwrite requires --export-report",
      })
  void wrong_usage_is_explained(String command, String message) {
    Console run = Console.run(command.split(" "));

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void server_that_cannot_be_started_is_reported() {
    Console run = Console.run(
        List.of("mcp-proxy", "--record", home.resolve("mcp").toString(), "--", "no-such-program")
            .toArray(String[]::new));

    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err()).contains("no-such-program");
  }

  @Test
  void conversation_continues_with_one_warning_if_it_cannot_be_recorded() throws Exception {
    Path file = Files.createFile(home.resolve("file"));

    Console run = Console.runWith(CALL, "mcp-proxy", "--record", file.toString(), "--", "cat");

    assertThat(run.out()).isEqualTo(CALL);
    assertThat(run.exit()).isZero();
    assertThat(run.err()).containsOnlyOnce("the conversation continues: ");
  }

  @Test
  void required_recording_that_cannot_be_written_ends_the_conversation() throws Exception {
    Path file = Files.createFile(home.resolve("file"));

    Console run = Console.runWith(
        CALL, "mcp-proxy", "--require-recording", "--record", file.toString(), "--", "cat");

    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(file.toString());
    assertThat(run.exit()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void defect_is_an_internal_error(boolean isRecorded) throws Exception {
    Path session = record(0);
    InputStream failing = new InputStream() {
      @Override
      public int read() {
        throw new AssertionError("a defect");
      }
    };

    Console run = isRecorded
        ? Console.runWith(
            failing, "mcp-proxy", "--record", home.resolve("more").toString(), "--", "cat")
        : Console.runWith(failing, "mcp-proxy", "--replay", session.toString());

    assertThat(run.exit()).isEqualTo(70);
    assertThat(run.err()).contains("a defect");
  }
}
