package com.example.agent;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.LlmAgent;
import com.google.adk.events.Event;
import com.google.adk.models.BaseLlm;
import com.google.adk.plugins.Plugin;
import com.google.adk.runner.InMemoryRunner;
import com.google.adk.tools.FunctionTool;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.agentreplay.adk.AdkRecorder;
import java.nio.file.Path;
import java.util.List;

/** An agent that answers questions about shops, and leaves orders to a second one. */
public final class ShopAgent {

  /** The instruction. It is part of each recorded prompt. */
  static final String INSTRUCTION = "Answer questions about shops. Leave orders to the clerk.";

  private ShopAgent() {}

  /** Creates the agent. */
  public static BaseAgent create(BaseLlm model, ShopTools tools) {
    LlmAgent clerk = LlmAgent.builder()
        .name("clerk")
        .description("Takes orders.")
        .instruction("Take the order, and confirm it.")
        .model(model)
        .tools(FunctionTool.create(tools, "order"))
        .build();
    return LlmAgent.builder()
        .name("assistant")
        .description("Answers questions about shops.")
        .instruction(INSTRUCTION)
        .model(model)
        .tools(FunctionTool.create(tools, "hours"))
        .subAgents(clerk)
        .build();
  }

  /** Runs an agent on a message with a plugin, and returns its final answer. */
  public static String ask(BaseAgent agent, String message, Plugin plugin) {
    InMemoryRunner runner = new InMemoryRunner(agent, "shops", List.of(plugin));
    String conversation =
        runner.sessionService().createSession("shops", "alice").blockingGet().id();
    Event last = runner
        .runAsync("alice", conversation, Content.fromParts(Part.fromText(message)))
        .blockingLast();
    return last.stringifyContent();
  }

  /** Runs an agent on a message, and records it as a session of its own below a directory. */
  public static String askRecorded(BaseAgent agent, String message, Path sessions) {
    try (AdkRecorder recorder = AdkRecorder.into(sessions)) {
      return ask(agent, message, recorder.plugin());
    }
  }
}
