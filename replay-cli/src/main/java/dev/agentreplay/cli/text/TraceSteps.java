package dev.agentreplay.cli.text;

import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.records.replay.MessagePair;
import dev.agentreplay.records.replay.SessionReplayResult;
import dev.agentreplay.records.report.SessionReplayText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Steps through the messages of a session record on a terminal. */
public final class TraceSteps {

  static final String HINT = "commands, each with Enter: n (or Enter) next message, p previous,"
      + " round N, message N (of the round), q quit";

  private static final Pattern COMMAND = Pattern.compile("(r|round|m|message) *([0-9]{1,9})");

  private final Terminal terminal;
  private final SessionReplayResult result;
  private final List<MessagePair> messages;
  private final TextOptions options;
  private int current;

  /** Creates the steps of a trace. */
  public TraceSteps(Terminal terminal, SessionReplayResult result, TextOptions options) {
    this.terminal = terminal;
    this.result = result;
    this.messages = result.alignment();
    this.options = options;
  }

  /**
   * Reads commands until the user quits, or standard input ends.
   *
   * @throws IOException if standard input, or a text, cannot be read
   */
  public void run() throws IOException {
    terminal.out().println(result.report().conclusion());
    if (messages.isEmpty()) {
      return;
    }
    terminal.out().println(HINT);
    show();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(terminal.in(), StandardCharsets.UTF_8));
    while (true) {
      terminal.err().print("message %d of %d> ".formatted(current + 1, messages.size()));
      terminal.err().flush();
      String command = in.readLine();
      if (command == null || command.strip().equals("q") || command.strip().equals("quit")) {
        return;
      }
      step(command.strip());
    }
  }

  private void step(String command) throws IOException {
    Matcher place = COMMAND.matcher(command);
    switch (command) {
      case "", "n", "next" -> go(current + 1, "this is the last message");
      case "p", "previous" -> go(current - 1, "this is the first message");
      default -> {
        if (place.matches()) {
          long number = Long.parseLong(place.group(2));
          go(
              place.group(1).startsWith("r")
                  ? find(number, 0)
                  : find(messages.get(current).any().round(), number),
              "there is no " + command);
        } else {
          terminal.out().println(HINT);
        }
      }
    }
  }

  /** The index of a message by its round and its index there; -1 if there is none. */
  private int find(long round, long index) {
    for (int i = 0; i < messages.size(); i++) {
      MessagePair.Placed placed = messages.get(i).any();
      if (placed.round() == round && placed.index() == index) {
        return i;
      }
    }
    return -1;
  }

  private void go(int index, String otherwise) throws IOException {
    if (index < 0 || index >= messages.size()) {
      terminal.out().println(otherwise);
      return;
    }
    current = index;
    show();
  }

  private void show() throws IOException {
    terminal.out().print(SessionReplayText.render(result, messages.get(current), options));
    terminal.out().flush();
  }
}
