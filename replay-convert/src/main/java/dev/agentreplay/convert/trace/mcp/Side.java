package dev.agentreplay.convert.trace.mcp;

/** The sender of a message. */
enum Side {
  CLIENT,
  SERVER;

  Side other() {
    return this == CLIENT ? SERVER : CLIENT;
  }
}
