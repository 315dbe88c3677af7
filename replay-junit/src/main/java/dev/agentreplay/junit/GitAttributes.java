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
 * their receipts: {@code core.autocrlf} is set by default on Windows. The other files of a session
 * need no line: blobs have no line ends, and no hash covers a summary.
 */
final class GitAttributes {

  private static final String NAME = ".gitattributes";

  /**
   * The files whose bytes must not change.
   *
   * @param line the line for them
   * @param patterns other patterns that match all of them
   */
  private record Exact(String line, Set<String> patterns) {

    /** Whether the last line that applies to the line ends of these files disables conversion. */
    boolean isKept(List<String> lines) {
      boolean keeps = false;
      for (String each : lines) {
        List<String> words = List.of(each.strip().split("\\s+"));
        String pattern = words.get(0);
        if (patterns.contains(pattern) || line.startsWith(pattern + " ")) {
          if (words.stream().anyMatch(KEEPING::contains)) {
            keeps = true;
          } else if (words.stream().anyMatch(CONVERTING::contains)) {
            keeps = false;
          }
        }
      }
      return keeps;
    }
  }

  private static final List<Exact> FILES = List.of(
      // logs, and the manifests of snapshots
      new Exact("*.jsonl -text", Set.of("*", "**", "**/*.jsonl", "*.jsonl*")),
      // later segments, and compressed logs
      new Exact("*.jsonl.* -text", Set.of("*", "**", "**/*.jsonl.*", "*.jsonl*")),
      // receipts and their envelopes
      new Exact("RECEIPT*.json -text", Set.of("*", "**", "*.json", "**/*.json")),
      new Exact("PUBLIC_CHECKPOINT.json -text", Set.of("*", "**", "*.json", "**/*.json")),
      // the contents of snapshots
      new Exact("**/snapshot/files/** -text", Set.of("*", "**", "**/snapshot/**")));

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
    return FILES.stream().allMatch(files -> files.isKept(lines));
  }

  private static String write(Path file) throws IOException {
    List<String> lines = FILES.stream().map(Exact::line).toList();
    if (Files.exists(file)) {
      return "replay: git may convert the line ends of recordings; add to %s: %s"
          .formatted(file, String.join(", ", lines));
    }
    String text = "# the bytes of recordings must not change\n" + String.join("\n", lines);
    Files.writeString(file, text + "\n", StandardOpenOption.CREATE_NEW);
    return "replay: wrote %s, so that git does not convert the line ends of recordings"
        .formatted(file);
  }
}
