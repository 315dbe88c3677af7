package dev.agentreplay.convert.trace;

import dev.agentreplay.testkit.TestData;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The traces that the importers are tested with: those of this project, in the resources, and more
 * of them where they exist next to the project.
 */
final class ForeignFiles {

  private static final Path SHARED =
      Path.of(System.getProperty("replay.shared", "")).resolve("foreign");

  /**
   * The numbers that were counted in a file, independently of the importer.
   *
   * @param file the name of the file: below {@code traces} of the resources, or below
   *     {@code shared/foreign} if it begins with {@code shared:}
   */
  record Expected(
      String file,
      long messages,
      long modelCalls,
      long toolCalls,
      long toolResults,
      long orphanResults,
      long agents,
      long tokensIn,
      long tokensOut) {

    Path path() {
      return ForeignFiles.path(file);
    }

    @Override
    public String toString() {
      return file;
    }
  }

  private ForeignFiles() {}

  /** The files of a format that exist here, with their numbers. */
  static List<Expected> expected(String format) {
    List<Expected> expected = new ArrayList<>();
    for (String line : TestData.lines("/traces/" + format + ".tsv")) {
      if (line.startsWith("file\t") || line.isBlank()) {
        continue;
      }
      String[] cells = line.split("\t", -1);
      if (isPresent(cells[0])) {
        expected.add(new Expected(
            cells[0],
            number(cells[1]),
            number(cells[2]),
            number(cells[3]),
            number(cells[4]),
            number(cells[5]),
            number(cells[6]),
            number(cells[7]),
            number(cells[8])));
      }
    }
    return expected;
  }

  private static long number(String cell) {
    return Long.parseLong(cell);
  }

  private static boolean isPresent(String file) {
    return !file.startsWith("shared:") || Files.exists(path(file));
  }

  static Path path(String file) {
    if (file.startsWith("shared:")) {
      return SHARED.resolve(file.substring("shared:".length()));
    }
    try {
      return Path.of(Objects.requireNonNull(ForeignFiles.class.getResource("/traces/" + file), file)
          .toURI());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(file, e);
    }
  }
}
