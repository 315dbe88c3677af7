package dev.agentreplay.cli.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Opens pages in the browser of the user. */
public final class Browser {

  private final List<String> command;

  private Browser(List<String> command) {
    this.command = command;
  }

  /**
   * The browser on an operating system.
   *
   * @param os the name of the system, as Java states it
   * @param variable the value of {@code $BROWSER}: a program, which takes precedence; null or blank
   *     if it is not set
   */
  public static Browser on(String os, @Nullable String variable) {
    String system = os.toLowerCase(Locale.ROOT);
    if (variable != null && !variable.isBlank()) {
      return new Browser(List.of(variable));
    } else if (system.startsWith("mac")) {
      return new Browser(List.of("open"));
    } else if (system.startsWith("windows")) {
      return new Browser(List.of("rundll32", "url.dll,FileProtocolHandler"));
    }
    return new Browser(List.of("xdg-open"));
  }

  /** The program and its arguments before the address of the page. */
  List<String> command() {
    return command;
  }

  /**
   * Starts the program with the address of a page, and does not wait for it.
   *
   * @return the process, whose output is discarded
   * @throws IOException if the program cannot be started
   */
  public Process open(Path page) throws IOException {
    List<String> all = new ArrayList<>(command);
    all.add(page.toAbsolutePath().toUri().toString());
    try {
      return new ProcessBuilder(all)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new IOException(
          "cannot open the page with %s: set $BROWSER to the program of a browser"
              .formatted(command.get(0)),
          e);
    }
  }
}
