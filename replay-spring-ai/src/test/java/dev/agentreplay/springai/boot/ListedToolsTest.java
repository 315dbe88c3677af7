package dev.agentreplay.springai.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.recording.SessionRecorder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

class ListedToolsTest {

  @TempDir
  Path directory;

  private record Tool(ToolDefinition getToolDefinition) implements ToolCallback {

    @Override
    public String call(String input) {
      return "";
    }
  }

  private static Tool tool(String schema) {
    return new Tool(ToolDefinition.builder()
        .name("stock")
        .description("Returns the stock")
        .inputSchema(schema)
        .build());
  }

  private final List<RecordingFailure> failures = new ArrayList<>();
  private final ToolListings listings = new ToolListings();

  private ToolCallback[] list(ToolCallback... live) {
    return new ListedTools("shop", () -> live, () -> null, listings, failures::add).get();
  }

  @Test
  void list_that_cannot_be_recorded_is_a_failure_of_recording_only() {
    Tool tool = tool("{\"title\": \"\ud800\"}");

    assertThat(list(tool)).containsExactly(tool);

    assertThat(failures).singleElement().satisfies(failure -> {
      assertThat(failure.event()).isEqualTo("Settings");
      assertThat(failure.cause()).isInstanceOf(IllegalArgumentException.class);
    });
  }

  @Test
  void list_is_recorded_with_later_sessions() throws Exception {
    list(tool("{}"));

    try (SessionRecorder session = SessionRecorder.start(directory.resolve("s"), "s")) {
      listings.writeTo(session);
      assertThat(session.session().log()).content().contains("mcp_tools.shop", "Returns the stock");
    }
    assertThat(failures).isEmpty();
  }
}
