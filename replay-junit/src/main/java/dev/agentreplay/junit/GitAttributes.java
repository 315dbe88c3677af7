package dev.agentreplay.junit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps git from converting the line ends of recordings, which changes the bytes that their
 * receipts state: {@code core.autocrlf} is set by default on Windows.
 */
final class GitAttributes {

  private static final String NAME = ".gitattributes";

  private static final List<String> LINES = List.of("*.jsonl -text", "RECEIPT.json -text");

  /** The patterns of every log, and of every receipt. */
  private static final Set<String> OF_LOGS = Set.of("*", "**", "*.jsonl", "**/*.jsonl");

  private static final Set<String> OF_RECEIPTS =
      Set.of("*", "**", "*.json", "**/*.json", "RECEIPT.json", "**/RECEIPT.json");

  private static final Set<String> KEEPING = Set.of("-text", "binary", "eol=lf");
  private static final Set<String> CONVERTING = Set.of("text", "text=auto", "eol=crlf");

  private GitAttributes() {}

  /**
   * Writes the attributes into the folder of a recording that is in git, unless some are in effect;
   * a file that is there is left as it is.
   *
   * @param folder the folder of recordings
   * @return what was done, or is to be done by hand, for people; null if there is nothing to say
   */
  static @Nullable String protect(Path folder) throws IOException {
    for (Path above = folder; above != null; above = above.getParent()) {
      if (isInEffect(above.resolve(NAME))) {
        return null;
      }
      if (Files.exists(above.resolve(".git"))) {
        return write(folder.resolve(NAME));
      }
    }
    return null; // not in git
  }

  private static boolean isInEffect(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    return keeps(lines, OF_LOGS) && keeps(lines, OF_RECEIPTS);
  }

  /** Whether the last line that says of files what their line ends are keeps these. */
  private static boolean keeps(List<String> lines, Set<String> patterns) {
    boolean keeps = false;
    for (String line : lines) {
      List<String> words = List.of(line.strip().split("\\s+"));
      if (patterns.contains(words.get(0))) {
        if (words.stream().anyMatch(KEEPING::contains)) {
          keeps = true;
        } else if (words.stream().anyMatch(CONVERTING::contains)) {
          keeps = false;
        }
      }
    }
    return keeps;
  }

  private static String write(Path file) throws IOException {
    if (Files.exists(file)) {
      return "replay: git may convert the line ends of recordings; add to %s: %s"
          .formatted(file, String.join(" and ", LINES));
    }
    String text = "# the bytes of recordings must stay as they are\n" + String.join("\n", LINES);
    Files.writeString(file, text + "\n", StandardOpenOption.CREATE_NEW);
    return "replay: wrote %s, so that git leaves the line ends of recordings as they are"
        .formatted(file);
  }
}
