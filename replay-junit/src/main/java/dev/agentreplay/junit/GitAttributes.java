package dev.agentreplay.junit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Prevents git from converting the line ends of recordings, which would invalidate the hashes in
 * their receipts: {@code core.autocrlf} is set by default on Windows. The other files of a session
 * need no line: blobs have no line ends, and no hash covers a summary.
 */
final class GitAttributes {

  private static final String NAME = ".gitattributes";

  /** A pattern of the files with one extension. */
  private static final Pattern EXTENSION = Pattern.compile("\\*\\.[A-Za-z]+");

  /**
   * The files whose bytes must not change.
   *
   * @param line the line for them
   * @param patterns other patterns that match all of them
   * @param extensions the patterns of their extensions; empty if they may have any
   */
  private record Exact(String line, Set<String> patterns, Set<String> extensions) {

    /** Whether the last line that applies to the line ends of these files disables conversion. */
    boolean isKept(List<String> lines) {
      boolean keeps = false;
      for (String each : lines) {
        Attributes attributes = Attributes.parse(each);
        if (keeps(attributes)) {
          keeps = true;
        } else if (isConvertedBy(attributes)) {
          keeps = false;
        }
      }
      return keeps;
    }

    private boolean keeps(Attributes attributes) {
      String pattern = attributes.pattern();
      boolean matchesAll = patterns.contains(pattern) || line.startsWith(pattern + " ");
      // text with LF at the ends of its lines is kept; the contents of snapshots may have others
      boolean hasOnlyLf = !extensions.isEmpty() && attributes.has(Set.of("eol=lf"));
      return matchesAll && (attributes.has(KEEPING) || hasOnlyLf);
    }

    /** Whether a line enables conversion, unless it is for files with a different extension. */
    boolean isConvertedBy(Attributes attributes) {
      String pattern = attributes.pattern();
      boolean isOther = !extensions.isEmpty()
          && EXTENSION.matcher(pattern).matches()
          && !extensions.contains(pattern);
      return attributes.has(CONVERTING) && !isOther;
    }
  }

  /** A line of attributes; that of a comment has none. */
  private record Attributes(String pattern, Set<String> words) {

    static Attributes parse(String line) {
      List<String> words = List.of(line.strip().split("\\s+"));
      boolean isComment = words.get(0).startsWith("#");
      return new Attributes(
          words.get(0), isComment ? Set.of() : Set.copyOf(words.subList(1, words.size())));
    }

    boolean has(Set<String> any) {
      return words.stream().anyMatch(any::contains);
    }
  }

  private static final Set<String> JSONL = Set.of("*.jsonl");
  private static final Set<String> JSON = Set.of("*.json");

  private static final List<Exact> FILES = List.of(
      // logs, and the manifests of snapshots
      new Exact("*.jsonl -text", Set.of("*", "**", "**/*.jsonl", "*.jsonl*"), JSONL),
      // later segments, and compressed logs
      new Exact(
          "*.jsonl.* -text",
          Set.of("*", "**", "**/*.jsonl.*", "*.jsonl*"),
          Set.of("*.jsonl", "*.gz")),
      // receipts and their envelopes
      new Exact("RECEIPT*.json -text", Set.of("*", "**", "*.json", "**/*.json"), JSON),
      new Exact("PUBLIC_CHECKPOINT.json -text", Set.of("*", "**", "*.json", "**/*.json"), JSON),
      // the contents of snapshots
      new Exact("**/snapshot/files/** -text", Set.of("*", "**", "**/snapshot/**"), Set.of()));

  private static final Set<String> KEEPING = Set.of("-text", "binary");
  private static final Set<String> CONVERTING = Set.of("text", "text=auto", "eol=crlf", "eol=lf");

  private GitAttributes() {}

  /**
   * Writes the attributes into a folder in a git repository, unless they are already in effect. An
   * existing file is not changed.
   *
   * @param folder the folder of recordings
   * @return a message about the file that was written or must be edited by hand; null if neither
   */
  static @Nullable String protect(Path folder) throws IOException {
    boolean isConverted = false;
    for (Path above = folder; above != null; above = above.getParent()) {
      List<String> lines = read(above.resolve(NAME));
      if (!isConverted && FILES.stream().allMatch(files -> files.isKept(lines))) {
        return null;
      }
      // the attributes of a nearer file win
      isConverted = isConverted
          || lines.stream().map(Attributes::parse).anyMatch(line -> FILES.stream()
              .anyMatch(files -> files.isConvertedBy(line)));
      if (Files.exists(above.resolve(".git"))) {
        return write(folder.resolve(NAME));
      }
    }
    return null; // not in git
  }

  private static List<String> read(Path file) throws IOException {
    return Files.isRegularFile(file)
        ? Files.readAllLines(file, StandardCharsets.ISO_8859_1)
        : List.of();
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
