package com.example.agent;

import dev.agentreplay.langchain4j.AiServiceRecorder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.AiServices;
import java.io.IOException;
import java.nio.file.Path;

/** An agent that fixes programs. */
public interface CodingAgent {

  /** The system message. It is part of each recorded prompt. */
  String INSTRUCTIONS =
      "Fix the program. Look at the files first; run the program when you have changed it.";

  /** Does a task, and returns a report. */
  String work(String task);

  /** Returns a builder of an agent with these tools. */
  static AiServices<CodingAgent> builder(ChatModel model, WorkspaceTools tools) {
    return AiServices.builder(CodingAgent.class)
        .chatModel(model)
        .systemMessage(INSTRUCTIONS)
        .tools(tools);
  }

  /** Runs an agent on a task, and records it as its own session below {@code sessions}. */
  static String workRecorded(ChatModel model, Path workspace, String task, Path sessions)
      throws IOException {
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions)) {
      CodingAgent agent =
          recording.record(builder(model, new WorkspaceTools(workspace))).build();
      return agent.work(task);
    }
  }
}
