package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Browser;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --open} of commands with {@code --html}. */
public final class OpenOption {

  @Option(
      names = "--open",
      description = "Open the page of --html in the browser: $BROWSER, or that of the system.")
  private boolean open;

  /** Fails if the option is given without a page. */
  public void check(@Nullable Path page) {
    if (open && page == null) {
      throw new UsageException("--open requires --html");
    }
  }

  /** Opens a page that was written, if that is asked for; a failure is reported only. */
  public void open(Path page, Terminal terminal) {
    if (!open) {
      return;
    }
    try {
      Process unused =
          Browser.on(System.getProperty("os.name"), System.getenv("BROWSER")).open(page);
    } catch (IOException e) {
      terminal.complain(String.valueOf(e.getMessage()));
    }
  }
}
