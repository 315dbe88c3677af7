package dev.agentreplay.cli;

import java.io.InputStream;
import java.io.PrintStream;

/**
 * Where the command reads and writes.
 *
 * @param in what is piped into it
 * @param out takes reports
 * @param err takes progress and errors
 * @param color whether reports may be coloured
 * @param progress whether somebody watches {@code err}, on which a line can be replaced
 */
record Terminal(InputStream in, PrintStream out, PrintStream err, boolean color, boolean progress) {

  Style style() {
    return new Style(color);
  }
}
