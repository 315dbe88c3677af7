package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.report.ImportCounts;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/** In whatever order the records of a rollout are, nothing is counted twice or forgotten. */
class CodexPropertiesTest {

  /** The records of a rollout. */
  enum Kind {
    USER,
    MESSAGE,
    CALL,
    RESULT,
    TOKENS,
    SAME_TOKENS,
    EVENT,
    TURN
  }

  /** The lines of a rollout, with what they hold. */
  private static final class Rollout {
    final List<String> lines = new ArrayList<>();
    int messages;
    int calls;
    int results;
    int tokens;

    Rollout(List<Kind> kinds) {
      add("session_meta", "\"id\":\"s\",\"cwd\":\"/w\"");
      kinds.forEach(this::add);
    }

    private void add(Kind kind) {
      switch (kind) {
        case USER -> message("user", "question " + ++messages);
        case MESSAGE -> message("assistant", "answer " + lines.size());
        case CALL ->
          add(
              "response_item",
              "\"type\":\"function_call\",\"name\":\"f\",\"arguments\":\"{}\",\"call_id\":\"c"
                  + ++calls + "\"");
        case RESULT -> {
          if (results < calls) {
            add(
                "response_item",
                "\"type\":\"function_call_output\",\"output\":\"x\",\"call_id\":\"c" + ++results
                    + "\"");
          }
        }
        case TOKENS -> {
          tokens++;
          addTokens();
        }
        case SAME_TOKENS -> {
          if (tokens > 0) {
            addTokens();
          }
        }
        case EVENT ->
          add(
              "event_msg",
              "\"type\":\"agent_reasoning\",\"text\":\"thought " + lines.size() + "\"");
        default -> add("turn_context", "\"model\":\"m\"");
      }
    }

    private void message(String role, String text) {
      add(
          "response_item",
          "\"type\":\"message\",\"role\":\"" + role + "\",\"content\":[{\"type\":\"input_text\","
              + "\"text\":\"" + text + "\"}]");
    }

    private void addTokens() {
      add(
          "event_msg",
          "\"type\":\"token_count\",\"info\":{\"last_token_usage\":{\"input_tokens\":10,"
              + "\"output_tokens\":1},\"total_token_usage\":{\"input_tokens\":" + tokens * 10
              + ",\"output_tokens\":" + tokens + "}}");
    }

    private void add(String type, String payload) {
      lines.add("{\"timestamp\":\"2026-01-01T10:00:00Z\",\"type\":\"%s\",\"payload\":{%s}}"
          .formatted(type, payload));
    }
  }

  @Property(tries = 150)
  void countsAreThoseOfTheRecords(@ForAll @Size(min = 1, max = 25) List<Kind> kinds)
      throws IOException {
    Rollout rollout = new Rollout(kinds);
    if (rollout.messages + rollout.calls + rollout.tokens == 0) {
      return;
    }
    Path directory = Files.createTempDirectory("codex");
    try {
      Path source = Files.write(directory.resolve("rollout.jsonl"), rollout.lines);

      ImportReport report = TraceChecks.importFile(source, directory.resolve("out"));

      ImportCounts counts = report.sessions().get(0).counts();
      assertThat(counts.messages()).isEqualTo(rollout.messages);
      assertThat(counts.toolCalls()).isEqualTo(rollout.calls);
      assertThat(counts.toolResults()).isEqualTo(rollout.results);
      assertThat(counts.orphanResults()).isZero();
      assertThat(counts.tokensIn()).isEqualTo(rollout.tokens * 10L);
      assertThat(counts.records()).isEqualTo(rollout.lines.size());
      TraceChecks.requireValid(report);
      TraceChecks.requireAccounted(report);
      requirePairs(ImportedEvents.read(TraceChecks.sessions(report).get(0)));
    } finally {
      FileTree.delete(directory);
    }
  }

  /** Each call of the model has its result right after it. */
  private static void requirePairs(List<ReplayEvent> events) {
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i) instanceof ModelCall call) {
        assertThat(events.get(i + 1)).isInstanceOf(ModelResult.class);
        assertThat(events.get(i + 1).callId()).isEqualTo(call.id());
      }
    }
  }
}
