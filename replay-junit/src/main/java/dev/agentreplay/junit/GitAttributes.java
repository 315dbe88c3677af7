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
 * Prevents git from converting the line ends of recordings, which would invalidate the hashes in
 * their receipts: {@code core.autocrlf} is set by default on Windows.
 */
final class GitAttributes {

  private static final String NAME = ".gitattributes";

  private static final List<String> LINES = List.of("*.jsonl -text", "RECEIPT.json -text");

  /** The patterns that match every log. */
  private static final Set<String> OF_LOGS = Set.of("*", "**", "*.jsonl", "**/*.jsonl");

  private static final Set<String> OF_RECEIPTS =
      Set.of("*", "**", "*.json", "**/*.json", "RECEIPT.json", "**/RECEIPT.json");

  private static final Set<String> KEEPING = Set.of("-text", "binary", "eol=lf");
  private static final Set<String> CONVERTING = Set.of("text", "text=auto", "eol=crlf");

  private GitAttributes() {}

  /**
   * Writes the attributes into a folder in a git repository, unless they are already in effect. An
   * existing file is not changed.
   *
   * @param folder the folder of recordings
   * @return a message about the file that was written or must be edited by hand; null if neither
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

  /** Whether the last line that applies to the line ends of these files disables conversion. */
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
    String text = "# the bytes of recordings must not change\n" + String.join("\n", LINES);
    Files.writeString(file, text + "\n", StandardOpenOption.CREATE_NEW);
    return "replay: wrote %s, so that git does not convert the line ends of recordings"
        .formatted(file);
  }
}
