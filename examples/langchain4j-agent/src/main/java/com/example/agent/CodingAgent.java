package com.example.agent;

import dev.agentreplay.langchain4j.AiServiceRecorder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.AiServices;
import java.io.IOException;
import java.nio.file.Path;

/** Mends programs. */
public interface CodingAgent {

  /** How it goes about it. */
  String INSTRUCTIONS =
      "Mend the program. Look at the files first; run the program when you have changed it.";

  /** Does what it is told, and says what it did. */
  String work(String task);

  /** A builder of an agent with these tools. */
  static AiServices<CodingAgent> builder(ChatModel model, WorkspaceTools tools) {
    return AiServices.builder(CodingAgent.class)
        .chatModel(model)
        .systemMessage(INSTRUCTIONS)
        .tools(tools);
  }

  /** Has an agent do a task, and records it: as a session of its own, below {@code sessions}. */
  static String workRecorded(ChatModel model, Path workspace, String task, Path sessions)
      throws IOException {
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions)) {
      CodingAgent agent =
          recording.record(builder(model, new WorkspaceTools(workspace))).build();
      return agent.work(task);
    }
  }
}
