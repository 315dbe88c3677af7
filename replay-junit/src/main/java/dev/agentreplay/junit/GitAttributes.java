package dev.agentreplay.junit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps git from converting the line ends of recordings, which changes the bytes that their
 * receipts state: {@code core.autocrlf} is set by default on Windows.
 */
final class GitAttributes {

  private static final String NAME = ".gitattributes";

  private static final List<String> LINES = List.of("*.jsonl -text", "RECEIPT.json -text");

  /** A line that says of logs, or of all files, what their line ends are. */
  private static final Pattern RULE =
      Pattern.compile("(?m)^\\s*(\\S*\\.jsonl|\\*|\\*\\*)\\s+.*(-text|\\bbinary|eol=lf)\\b");

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
    return Files.isRegularFile(file)
        && RULE.matcher(Files.readString(file, StandardCharsets.ISO_8859_1)).find();
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
