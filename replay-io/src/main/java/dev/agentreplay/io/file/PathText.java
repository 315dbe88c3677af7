package dev.agentreplay.io.file;

import dev.agentreplay.model.text.PlainText;

/** Paths for people to read. */
public final class PathText {

  private PathText() {}

  /** A path for a message, which must not control a terminal, nor show itself as another one. */
  public static String escaped(String path) {
    return PlainText.escaped(path);
  }
}
