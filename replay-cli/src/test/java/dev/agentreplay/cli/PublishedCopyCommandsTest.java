package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands with a published copy: it is shown, but not replayed or converted. */
class PublishedCopyCommandsTest {

  private static final String KEY = "A".repeat(43);

  private static final String COPY =
      """
      {"created_at":"2026-01-13T10:00:00Z","disclosure":"KEY","event":"ReplayHeader","producer":"p@1","published":{"form":"replay.public/1","policy":{"id":"private_repo"},"source":"valid"},"replay_version":1}
      {"disclosure":{"blinding":"KEY","members":{"event":"KEY","issue_number":"KEY","policy_version":"KEY","session_id":"KEY","t":"KEY","task":{"commitment":"KEY"}},"others":[]},"event":"SessionStart","issue_number":7,"policy_version":"v1","session_id":"s1","t":"2026-01-13T10:00:01Z"}
      {"disclosure":{"blinding":"KEY","members":{"event":"KEY","id":"KEY","params":{"blinding":"KEY","members":{"path":{"commitment":"KEY","rule":"path"}},"others":[]},"params_hash":{"commitment":"KEY","rule":"recomputed"},"step_id":"KEY","t":"KEY","tool":"KEY"},"others":[]},"event":"ToolCall","id":"c1","params":{"path":"~/a"},"params_hash":"HASH","step_id":"p1","t":"2026-01-13T10:00:02Z","tool":"read"}
      {"disclosure":{"blinding":"KEY","members":{"event":"KEY","exit_code":"KEY","id":"KEY","latency_ms":"KEY","output_hash":{"commitment":"KEY","rule":"commitment"},"step_utility":"KEY","t":"KEY"},"others":["KEY"]},"event":"ToolResult","exit_code":null,"id":"c1","latency_ms":40,"output_hash":"HASH","step_utility":0.5,"t":"2026-01-13T10:00:03Z"}
      {"disclosure":{"blinding":"KEY","members":{"event":"KEY","sky":"KEY"},"others":["KEY"]},"event":"Weather","sky":"blue"}
      {"confidence":0.5,"disclosure":"KEY","event":"SessionEnd","status":"success","t":"2026-01-13T10:00:06Z","total_latency_ms":40,"total_tool_calls":1}
      """
          .replace("KEY", KEY)
          .replace("HASH", "sha256:" + "a".repeat(64));

  @TempDir
  Path home;

  private String copy;

  @BeforeEach
  void write() throws IOException {
    Path directory = Files.createDirectory(home.resolve("copy"));
    Files.writeString(directory.resolve(Session.LOG_NAME), COPY);
    copy = directory.toString();
  }

  @Test
  void show_states_the_policy_and_marks_what_is_withheld_and_replaced() {
    String shown = Console.run("show", copy).out();

    assertThat(shown)
        .contains("log of p@1, format version 1, published copy, policy private_repo\n")
        .contains("session s1, policy v1, issue 7: withheld\n")
        .containsPattern("#0 +read +\\{\"path\":\"~/a\"\\} \\(replaced: path\\)\n")
        .containsPattern("#0 +-> .* 40 ms +withheld\n")
        .contains("unknown event Weather {\"sky\":\"blue\"}\n")
        .doesNotContain(KEY, "disclosure", "sha256");
  }

  @Test
  void page_has_no_openings_and_states_the_policy() throws IOException {
    Path page = home.resolve("copy.html");
    assertThat(Console.run("show", "--html", page.toString(), copy).exit()).isZero();

    assertThat(Files.readString(page)).doesNotContain(KEY).contains("private_repo");
  }

  @Test
  void stats_count_the_events() {
    Console stats = Console.run("stats", copy);

    assertThat(stats.exit()).isZero();
    assertThat(stats.out()).contains("read");
  }

  @Test
  void replay_and_conversion_are_refused_with_the_next_step() {
    Console run = Console.run("run", copy);
    assertThat(run.exit()).isNotZero();
    assertThat(run.err()).contains("replay the original");

    Console converted =
        Console.run("convert", "--to", "type", copy, home.resolve("out").toString());
    assertThat(converted.exit()).isNotZero();
    assertThat(converted.err()).contains("convert the original, and publish the result");
  }
}
