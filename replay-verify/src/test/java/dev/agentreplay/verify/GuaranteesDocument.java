package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the tables of docs/guarantees.md and their notes. */
final class GuaranteesDocument {

  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Pattern MARK = Pattern.compile("(?m)^(\\[\\^[^\\]]+\\]): ");

  private final String text;

  private GuaranteesDocument(String text) {
    this.text = text;
  }

  static GuaranteesDocument read() throws IOException {
    return new GuaranteesDocument(
        Files.readString(Path.of("../docs/guarantees.md"), StandardCharsets.UTF_8));
  }

  /** The cells of the table of attacks in a section, by attack. */
  Map<String, List<String>> rows(String section) {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    table(section).skip(2).forEach(cells -> rows.put(cells.get(0), cells.subList(1, cells.size())));
    return rows;
  }

  /** The titles of the columns of the table of attacks in a section, without the first. */
  List<String> titles(String section) {
    List<String> titles = table(section).findFirst().orElseThrow();
    return titles.subList(1, titles.size());
  }

  private Stream<List<String>> table(String section) {
    int from = text.indexOf("## " + section + "\n");
    assertThat(from).as("section %s", section).isPositive();
    from = text.indexOf("\n| attack |", from) + 1;
    return text.substring(from, text.indexOf("\n\n", from))
        .lines()
        .map(line -> Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList());
  }

  /** The note of a mark. */
  String note(String mark) {
    return text.lines()
        .filter(line -> line.startsWith(mark + ": "))
        .map(line -> line.substring(mark.length() + 2))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no note " + mark));
  }

  /** The marks of all notes. */
  Set<String> marks() {
    return first(MARK, text);
  }

  /** Whether a cell ends with a mark. */
  boolean isUsed(String mark) {
    return text.contains(mark + " |");
  }

  /** The words in backquotes of a cell or a note. */
  static Set<String> quoted(String markdown) {
    return first(QUOTED, markdown);
  }

  private static Set<String> first(Pattern pattern, String in) {
    return pattern
        .matcher(in)
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
