package dev.agentreplay.springai;

import dev.agentreplay.io.recording.Durability;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.testkit.LoopLatency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.annotation.Tool;

/**
 * Measures the latency that recording adds to a chat client: 20 tool calls and 21 model calls a
 * run, with a scripted model and a tool that does nothing, unrecorded and recorded with two
 * durabilities.
 */
final class ClientLatency {

  private static final int CALLS = 20;

  private ClientLatency() {}

  /** Measures and prints a table; the argument is the number of rounds. */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createTempDirectory("replay-spring");
    try (SpringAiRecorder written = recorder(directory, Durability.WRITTEN);
        SpringAiRecorder interval = recorder(directory, Durability.INTERVAL)) {
      Map<String, Function<LoopLatency, Runnable>> agents = new LinkedHashMap<>();
      agents.put("unrecorded", ClientLatency::unrecorded);
      agents.put("recorded, WRITTEN", latency -> recorded(latency, written));
      agents.put("recorded, INTERVAL", latency -> recorded(latency, interval));
      LoopLatency.compare(args, agents);
      System.out.println("failures: " + (written.failures() + interval.failures()));
    }
  }

  private static SpringAiRecorder recorder(Path directory, Durability durability) {
    return SpringAiRecorder.into(
        directory,
        RecorderOptions.defaults().withWriter(WriterOptions.defaults().withDurability(durability)));
  }

  private static Runnable unrecorded(LoopLatency latency) {
    ToolCallingManager manager = ToolCallingManager.builder().build();
    return run(
        latency,
        ChatClient.builder(model(latency))
            .defaultAdvisors(
                ToolCallingAdvisor.builder().toolCallingManager(manager).build()));
  }

  private static Runnable recorded(LoopLatency latency, SpringAiRecorder recorder) {
    return run(latency, Agents.client(SpringAiCalls.to(recorder), model(latency)));
  }

  private static Runnable run(LoopLatency latency, ChatClient.Builder builder) {
    ChatClient client = builder.defaultTools(new Nothing(latency)).build();
    return () -> client.prompt("Fix the login").call().content();
  }

  private static ChatModel model(LoopLatency latency) {
    ChatResponse[] answers = IntStream.range(0, CALLS)
        .mapToObj(i -> ScriptedChatModel.response(ScriptedChatModel.calling(ScriptedChatModel.tool(
            "call_" + i,
            "nothing",
            "{\"path\":\"src/main/java/Example.java\",\"line\":" + i + "}"))))
        .toArray(ChatResponse[]::new);
    ChatResponse done = ScriptedChatModel.text("done");
    return new ScriptedChatModel(prompt -> {
      latency.modelCalled();
      int results = 0;
      for (Message message : prompt.getInstructions()) {
        results += message.getMessageType() == MessageType.TOOL ? 1 : 0;
      }
      return results == CALLS ? done : answers[results];
    });
  }

  /** A tool that does nothing. */
  static final class Nothing {
    private final LoopLatency latency;

    Nothing(LoopLatency latency) {
      this.latency = latency;
    }

    @Tool(description = "does nothing")
    String nothing(String path, int line) {
      latency.toolCalled();
      return "ok";
    }
  }
}
