package com.example.agents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A class without entry points. */
public final class Helper {

  private Helper() {}

  static long size(Path file) throws IOException {
    return Files.size(file);
  }
}
