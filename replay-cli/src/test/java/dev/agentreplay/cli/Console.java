package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs the command in this JVM. */
record Console(int exit, String out, String err) {

  static Console run(String... args) {
    return runWith("", args);
  }

  static Console runWith(String input, String... args) {
    return runWith(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), args);
  }

  static Console runWith(InputStream input, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit = Main.run(
        args,
        new Terminal(
            input,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false,
            false,
            0));
    return new Console(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
