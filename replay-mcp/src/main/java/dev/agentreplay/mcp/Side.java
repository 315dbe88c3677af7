package dev.agentreplay.mcp;

import java.util.Locale;

/** The sender of a message. */
enum Side {
  CLIENT,
  SERVER;

  Side other() {
    return this == CLIENT ? SERVER : CLIENT;
  }

  /** The text of the constant in JSON. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
