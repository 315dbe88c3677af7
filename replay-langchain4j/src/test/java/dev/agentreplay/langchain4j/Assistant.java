package dev.agentreplay.langchain4j;

/** A service that answers. */
interface Assistant {
  String chat(String message);
}
