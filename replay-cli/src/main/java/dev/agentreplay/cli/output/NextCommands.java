package dev.agentreplay.cli.output;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The commands that follow a replay with misses: the same one with the options that accept the
 * changed requests, or record them.
 */
public final class NextCommands {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  /** The options with a value of which a command takes one, or whose file exists afterwards. */
  private static final Set<String> REPLACED =
      Set.of("--on-unmatched", "--out", "--export-report", "--html");

  private final List<String> words;
  private final String session;

  /**
   * Creates the commands after one.
   *
   * @param arguments the arguments of the command as they were given
   * @param session the session among them
   */
  public NextCommands(List<String> arguments, String session) {
    this.words = withoutReplaced(arguments);
    this.session = session;
  }

  private static List<String> withoutReplaced(List<String> arguments) {
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      String word = arguments.get(i);
      if (REPLACED.contains(word)) {
        i++;
      } else if (!REPLACED.contains(word.split("=", 2)[0]) && !word.equals("--overwrite")) {
        kept.add(word);
      }
    }
    return kept;
  }

  /** The commands, a line each with its purpose; empty if the report has no changed request. */
  public List<String> after(ReplayReport report) {
    List<ReplayMiss> misses = report.divergences().stream()
        .map(ReplayDivergence::miss)
        .filter(Objects::nonNull)
        .toList();
    List<String> lines = new ArrayList<>();
    Set<String> pointers = new LinkedHashSet<>();
    misses.forEach(miss -> pointers.add(pointer(miss)));
    if (misses.isEmpty()) {
      return lines;
    }
    ReplayReport.Forked fork = report.fork();
    boolean isExpected = fork != null && fork.isReached();
    if (!pointers.contains("") && !isExpected) {
      lines.add("to accept it: " + with("--ignore", String.join(",", pointers)));
      lines.add("to record it with the recorded results: "
          + with("--on-unmatched", "position", "--out", directory()));
    }
    if (report.isStopped()) {
      lines.add("to show all misses: " + with("--on-unmatched", "error"));
    }
    return lines;
  }

  /** The pointer of the changed value, if --ignore can name it; otherwise empty. */
  private static String pointer(ReplayMiss miss) {
    ReplayMiss.Nearest nearest = miss.nearest();
    String pointer = nearest == null || nearest.pointer() == null ? "" : nearest.pointer();
    boolean isChange = miss.kind() == MissKind.DIVERGED || miss.kind() == MissKind.NEVER_RECORDED;
    boolean isValue = pointer.startsWith("/params") || pointer.startsWith("/prompt");
    boolean isPlain = pointer.indexOf(',') < 0 && pointer.indexOf('*') < 0;
    return isChange && isValue && isPlain ? pointer : "";
  }

  /** A new directory next to the session. */
  private String directory() {
    String name = session.replaceFirst("/+$", "") + ".new";
    String free = name;
    for (int i = 2; Files.exists(Path.of(free)); i++) {
      free = name + i;
    }
    return free;
  }

  private String with(String... more) {
    List<String> all = new ArrayList<>(List.of("replay"));
    all.addAll(words);
    all.addAll(List.of(more));
    return all.stream().map(NextCommands::quoted).collect(Collectors.joining(" "));
  }

  /** Quotes a word for a POSIX shell. */
  static String quoted(String word) {
    return PLAIN.matcher(word).matches()
        ? word
        : "'" + Style.plain(word).replace("'", "'\\''") + "'";
  }
}
