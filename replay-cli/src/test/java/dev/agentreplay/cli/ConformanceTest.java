package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The document on conformance has a row for each number of the specification; the tests, types and
 * options that it names exist, and its statuses agree with each other.
 */
class ConformanceTest {

  private static final Path DOCUMENT = MarkdownDocument.ROOT.resolve("docs/conformance.md");
  private static final Path REFERENCE = MarkdownDocument.ROOT.resolve("docs/replaying.md");

  /** The statuses, each with all that a requirement needs before the worse ones. */
  private static final List<String> STATUSES = List.of("yes", "measured", "partly", "no");

  private static final Pattern ID =
      Pattern.compile("(FR|NFR|UT|IT)-042c-[0-9]{2}|AC-[0-9]{3}|Scenario [0-9]");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)#(\\w+)`");

  /** The public types of the library, each with its source without comments. */
  private static final Map<String, String> TYPES = new HashMap<>();

  /** The sources of all test classes of a name. */
  private static final Map<String, List<String>> TESTS = new HashMap<>();

  private static List<Row> rows = List.of();

  /** A row of the document. */
  private record Row(String id, String subject, String status, String where, String tests) {

    String part() {
      return id.split("[- ]")[0];
    }

    List<String> mentioned() {
      return ID.matcher(where).results().map(MatchResult::group).toList();
    }
  }

  @BeforeAll
  static void read() throws IOException {
    rows = rows(Files.readString(DOCUMENT));
    Pattern declared =
        Pattern.compile("(?m)^public (?:[a-z-]+ )*(?:class|record|interface|enum) (\\w+)");
    for (Path source : WordsTest.sources()) {
      String text = Files.readString(source);
      String code = text.replaceAll("(?s)/\\*.*?\\*/", "");
      declared.matcher(code).results().forEach(type -> TYPES.put(type.group(1), code));
    }
    for (Path source : WordsTest.files("src/test/java", "java")) {
      String name = source.getFileName().toString().replace(".java", "");
      TESTS.computeIfAbsent(name, key -> new ArrayList<>()).add(Files.readString(source));
    }
  }

  private static List<Row> rows(String document) {
    List<Row> read = new ArrayList<>();
    document.lines().filter(line -> line.startsWith("| ")).forEach(line -> {
      String[] cells = line.split("\\s*(?<!\\\\)\\|\\s*", -1);
      if (ID.matcher(cells[1]).matches()) {
        assertThat(cells).as(line).hasSize(7);
        read.add(new Row(cells[1], cells[2], cells[3].replace("`", ""), cells[4], cells[5]));
      }
    });
    return read;
  }

  private static Stream<String> ids(String form, int last) {
    return IntStream.rangeClosed(1, last).mapToObj(form::formatted);
  }

  @Test
  void each_number_of_the_specification_has_one_row_in_order() {
    List<String> expected = Stream.of(
            ids("FR-042c-%02d", 70),
            ids("NFR-042c-%02d", 30),
            ids("AC-%03d", 32),
            ids("Scenario %d", 6),
            ids("UT-042c-%02d", 15),
            ids("IT-042c-%02d", 15))
        .flatMap(each -> each)
        .toList();

    assertThat(rows).extracting(Row::id).containsExactlyElementsOf(expected);
  }

  @Test
  void each_row_has_a_subject_and_a_status() {
    for (Row row : rows) {
      assertThat(row.status()).as(row.id()).isIn(STATUSES);
      assertThat(row.subject()).as(row.id()).isNotBlank();
    }
  }

  @Test
  void rows_name_tests_where_there_is_something_to_show() {
    for (Row row : rows) {
      boolean isShown = row.status().equals("yes") || row.status().equals("partly");
      if (isShown) {
        assertThat(TEST.matcher(row.tests()).results()).as(row.id()).isNotEmpty();
        assertThat(TEST.matcher(row.tests()).replaceAll("")).as(row.id()).matches("[, ]*");
      } else {
        assertThat(row.tests()).as(row.id()).isEqualTo("–");
      }
      if (row.status().equals("measured")) {
        assertThat(row.where()).as(row.id()).contains("performance.md");
      }
    }
  }

  @Test
  void tests_exist() {
    for (Row row : rows) {
      TEST.matcher(row.tests()).results().forEach(test -> assertThat(
              isTest(test.group(1), test.group(2)))
          .as("%s: %s", row.id(), test.group())
          .isTrue());
    }
    assertThat(isTest("ConformanceTest", "tests_exist")).isTrue();
    assertThat(isTest("ConformanceTest", "isTest")).isFalse();
    assertThat(isTest("ConformanceTest", "read")).isFalse();
    assertThat(isTest("NoneTest", "tests_exist")).isFalse();
  }

  @Test
  void rows_that_only_slow_tests_show_are_listed() throws IOException {
    List<String> slow = rows.stream()
        .filter(row -> row.tests().contains("#"))
        .filter(row -> TEST.matcher(row.tests())
            .results()
            .allMatch(test -> isSlow(test.group(1), test.group(2))))
        .map(Row::id)
        .toList();
    String listed = Files.readAllLines(DOCUMENT).stream()
        .filter(line -> line.startsWith("| slow tests "))
        .findFirst()
        .orElseThrow();

    assertThat(ID.matcher(listed).results().map(MatchResult::group))
        .isNotEmpty()
        .containsExactlyElementsOf(slow);
  }

  /** Whether a test, or its class, has the tag of slow tests. */
  private static boolean isSlow(String type, String method) {
    String tag = "@Tag\\(\"slow\"\\)";
    Pattern slow = Pattern.compile(
        "%1$s\\s+(?:@[^{]*?)?(?:public )?(?:final )?class %2$s\\b|%1$s(?:(?!\\bvoid\\b)[\\s\\S])*+void %3$s\\("
            .formatted(tag, type, method));
    return TESTS.getOrDefault(type, List.of()).stream()
        .anyMatch(source -> slow.matcher(source).find());
  }

  /** Whether a class has a method of a name that is annotated as a test. */
  private static boolean isTest(String type, String method) {
    Pattern test = Pattern.compile(
        "@(?:Test|ParameterizedTest|Property|Example)\\b(?:(?!\\bvoid\\b)[\\s\\S])*+void %s\\("
            .formatted(method));
    return TESTS.getOrDefault(type, List.of()).stream()
        .anyMatch(source -> test.matcher(source).find());
  }

  @Test
  void types_and_options_exist() throws IOException {
    String reference = Files.readString(REFERENCE);
    List<String> cells = new ArrayList<>(rows.stream().map(Row::where).toList());
    cells.addAll(names());
    for (String cell : cells) {
      for (MatchResult code : CODE.matcher(cell).results().toList()) {
        assertThat(isKnown(code.group(1), reference))
            .as(cell + ": " + code.group())
            .isTrue();
      }
    }
    assertThat(isKnown("ReplayReport.none", reference)).isFalse();
    assertThat(isKnown("SandboxManager", reference)).isFalse();
    assertThat(isKnown("--none", reference)).isFalse();
    assertThat(isKnown("replay.none", reference)).isFalse();
  }

  /** The right cells of the tables of names. */
  private static List<String> names() throws IOException {
    List<String> names = MarkdownDocument.read(DOCUMENT)
        .section("Names")
        .text()
        .lines()
        .filter(line -> line.startsWith("| ") && line.contains("`"))
        .map(line -> line.split(" \\| ")[1])
        .toList();
    assertThat(names).hasSizeGreaterThan(15);
    return names;
  }

  /** Whether there is a public type, command, option, event of the log, or file of a name. */
  private static boolean isKnown(String code, String reference) {
    String[] words = code.split("[. ]", 2);
    if (code.startsWith("--")) {
      return Console.run("run", "--help").out().contains(words[0]);
    } else if (code.startsWith("replay ")) {
      return Console.run(code.split(" ")[1], "--help").exit() == ExitCode.OK;
    } else if (TYPES.containsKey(words[0])) {
      return words.length == 1
          || Pattern.compile("\\b" + Pattern.quote(words[1]) + "\\b")
              .matcher(TYPES.get(words[0]))
              .find();
    }
    return reference.contains("`" + code + "`");
  }

  @Test
  void criteria_and_unit_tests_have_the_status_of_their_requirements() {
    Map<String, String> statuses = new HashMap<>();
    rows.forEach(row -> statuses.put(row.id(), row.status()));
    for (Row row : rows) {
      Collection<String> mentioned = row.mentioned();
      assertThat(statuses.keySet()).as(row.id()).containsAll(mentioned);
      boolean isDerived =
          row.part().equals("AC") || row.part().equals("UT") || row.where().startsWith("as ");
      if (isDerived) {
        assertThat(mentioned).as(row.id()).isNotEmpty();
        assertThat(mentioned.stream()
                .map(statuses::get)
                .max(Comparator.comparingInt(STATUSES::indexOf)))
            .as(row.id())
            .contains(row.status());
      }
    }
  }

  @Test
  void summary_counts_the_rows() throws IOException {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("FR", "functional");
    parts.put("NFR", "non-functional");
    parts.put("AC", "acceptance");
    parts.put("Scenario", "scenarios");
    parts.put("UT", "unit tests");
    parts.put("IT", "integration tests");
    List<String> expected = new ArrayList<>();
    expected.add("| part | yes | partly | measured | no |");
    expected.add("|---|---|---|---|---|");
    parts.forEach((part, name) -> {
      StringBuilder line = new StringBuilder("| " + name + " |");
      for (String status : List.of("yes", "partly", "measured", "no")) {
        line.append(' ')
            .append(rows.stream()
                .filter(row -> row.part().equals(part) && row.status().equals(status))
                .count())
            .append(" |");
      }
      expected.add(line.toString());
    });

    List<String> lines = Files.readAllLines(DOCUMENT);
    int start = lines.indexOf(expected.get(0));
    assertThat(start).isPositive();
    assertThat(lines.subList(start, start + expected.size())).isEqualTo(expected);
  }
}
