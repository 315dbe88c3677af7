package dev.agentreplay.cli;

import static dev.agentreplay.cli.MarkdownDocument.ROOT;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.text.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Documents, help texts, scripts, Javadoc, comments, messages and names of tests use the words that
 * CONTRIBUTING.md lists, and name a thing instead of asking for it.
 */
@Tag("documents")
class WordsTest {

  private static final Path TABLE = ROOT.resolve("CONTRIBUTING.md");
  private static final String WORDS = "Words";
  private static final List<String> SCRIPTS = List.of(
      "replay",
      "replay.cmd",
      "docs/images/viewer.sh",
      ".ci/api-types",
      ".ci/api.groovy",
      ".ci/auditor",
      ".ci/power-cut",
      ".ci/run");

  /** The words that are not used, each with those to write in its place. */
  private static final Map<String, String> REPLACEMENTS = new LinkedHashMap<>();

  /** The phrases that are used although they contain such words. */
  private static final List<String> ALLOWED = new ArrayList<>();

  static {
    table().lines().filter(line -> line.startsWith("| ")).skip(1).forEach(row -> {
      String[] cells = row.split(" *\\| *", -1);
      words(cells[2]).forEach(word -> REPLACEMENTS.put(word, cells[1]));
      words(cells[3]).forEach(ALLOWED::add);
    });
  }

  private static final Pattern WORD = Pattern.compile(
      "\\b(?:" + regex(ALLOWED) + "|(?<word>" + regex(REPLACEMENTS.keySet()) + "))\\b",
      Pattern.CASE_INSENSITIVE);

  private static final String ASKS =
      "(What|How|When|Where|Who|Whoever|Why|Which|Whatever|Whose)\\b";
  private static final Pattern QUESTION = Pattern.compile(ASKS + ".*", Pattern.DOTALL);
  private static final Pattern TAG_QUESTION =
      Pattern.compile("@(param\\s+\\S+|return|throws\\s+\\S+)\\s+"
          + "(what|how|where|who|whoever|why|which|whatever|whose|whom)\\b");
  private static final Pattern HEADING_QUESTION =
      Pattern.compile("^#+ " + ASKS + ".*", Pattern.MULTILINE);

  private static final String STRING = "\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\"";

  /** A comment, literals joined by a plus sign, or the name of a test. */
  private static final Pattern TEXT = Pattern.compile(
      "/\\*\\*(?<javadoc>.*?)\\*/"
          + "|/\\*(?<comment>.*?)\\*/"
          + "|(?<line>//[^\\n]*(?:\\n *//[^\\n]*)*+)"
          + "|\"\"\" *\\n(?<block>[^\"\\\\]*+(?:(?:\\\\.|\"(?!\"\"))[^\"\\\\]*+)*+)\"\"\""
          + "|(?<string>STRING(?:\\s*\\+\\s*STRING)*+)".replace("STRING", STRING)
          + "|'(?:[^'\\\\]|\\\\.)+'"
          + "|\\bvoid (?<test>\\w+_\\w+)\\(",
      Pattern.DOTALL);

  private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(u+\\p{XDigit}{4}|.)");
  private static final Pattern IS_BOOLEAN =
      Pattern.compile("\\b(boolean|Boolean|\\w*Predicate|BooleanSupplier)\\b");

  @Test
  void table_of_words_is_read() {
    assertThat(REPLACEMENTS)
        .hasSizeGreaterThan(60)
        .containsEntry("went on", "resume, continue, append to")
        .containsEntry("is no …", "is not a");
    assertThat(ALLOWED).contains("stands for", "… no longer");
    assertThat(REPLACEMENTS).doesNotContainKeys("not", "---", "").doesNotContainValue("");
  }

  @Test
  void documents_use_the_listed_words() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path document : MarkdownDocument.all()) {
      String text = Files.readString(document);
      text = document.equals(TABLE) ? text.replace(table(), "") : text;
      text = MarkdownDocument.withoutBlocks(text);
      report(ROOT.relativize(document), text, found);
      HEADING_QUESTION
          .matcher(text)
          .results()
          .forEach(heading -> found.add(ROOT.relativize(document) + ": " + heading.group()));
    }
    assertNone(found);
  }

  @Test
  void help_texts_use_the_listed_words() {
    List<String> found = new ArrayList<>();
    help().forEach((command, text) -> {
      report(Path.of(command), text, found);
      Matcher question = Pattern.compile("(?m)^ .*  " + ASKS).matcher(text);
      if (question.find()) {
        found.add(command + ": " + question.group().strip());
      }
    });
    assertNone(found);
  }

  @Test
  void sources_use_the_listed_words() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      java(ROOT.relativize(source), Files.readString(source), true, found);
    }
    assertNone(found);
  }

  @Test
  void scripts_and_pages_use_the_listed_words() throws IOException {
    List<Path> files = files("src/main/resources", "js", "html", "css");
    assertThat(files).hasSizeGreaterThan(7);
    for (String script : SCRIPTS) {
      files.add(ROOT.resolve(script));
    }
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      report(ROOT.relativize(file), Files.readString(file), found);
    }
    assertNone(found);
  }

  @Test
  void comments_and_names_of_tests_use_the_listed_words() throws IOException {
    List<Path> tests = files("src/test/java", "java");
    assertThat(tests).hasSizeGreaterThan(400);
    List<String> found = new ArrayList<>();
    for (Path test : tests) {
      java(ROOT.relativize(test), Files.readString(test), false, found);
    }
    assertNone(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/** What is read. */ int a; | What is read.",
        "/** Whether it is read. */ int a; | Whether it is read.",
        "/** Returns it. @return what is read */ int a(); | @return what",
        "// goes on here | goes on",
        "throw new X(\"there is another one\"); | another one",
        "a = 'QUOTE'; b = \"another one\"; | another one",
        "a = \"there is another \" + \"one\"; | another one",
        "a = \"there is another \"LINE    + \"one\"; | another one",
        "a = \"it is ESCAPEnanother one\"; | another one",
        "a = \"\"\"LINE    It is \"anotherLINE    one\".LINE    \"\"\"; | another one",
        "// There is anotherLINE  // one. | another one",
        "/* another one */ | another one",
        "void log_goes_on() {} | goes on",
      })
  void place_to_change_is_found(String code, String place) {
    List<String> found = new ArrayList<>();
    String source = code.replace("LINE", "\n").replace("QUOTE", "\"").replace("ESCAPE", "\\");
    java(Path.of("A.java"), source, true, found);
    assertThat(found).containsExactly("A.java: " + place);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/** Whether it is read. */ boolean a;",
        "/** The value; there is no other. Stands for any. It is no longer there. */ int a;",
        "int goesOn = 1;",
      })
  void plain_text_is_not_reported(String code) {
    List<String> found = new ArrayList<>();
    java(Path.of("A.java"), code, true, found);
    assertThat(found).isEmpty();
  }

  @Test
  void strings_of_tests_are_not_reported() {
    List<String> found = new ArrayList<>();
    java(Path.of("A.java"), "a = \"another one\"; // A different one.", false, found);
    assertThat(found).isEmpty();
  }

  private static void assertNone(List<String> found) {
    assertThat(found)
        .as("CONTRIBUTING.md lists the words to write in their place")
        .isEmpty();
  }

  private static void report(Path place, String text, List<String> found) {
    Matcher word = WORD.matcher(text);
    while (word.find()) {
      if (word.group("word") != null) {
        found.add(place + ": " + word.group().replaceAll("[\\s#/*]+", " "));
      }
    }
  }

  private static void java(Path file, String source, boolean isMain, List<String> found) {
    Matcher text = TEXT.matcher(source);
    while (text.find()) {
      if (text.group("javadoc") != null) {
        javadoc(file, text.group("javadoc"), source.substring(text.end()), found);
      } else if (text.group("comment") != null) {
        report(file, text.group("comment"), found);
      } else if (text.group("line") != null) {
        report(file, text.group("line"), found);
      } else if (text.group("test") != null) {
        report(file, text.group("test").replace('_', ' '), found);
      } else if (isMain && text.group("block") != null) {
        report(file, unescaped(text.group("block")), found);
      } else if (isMain && text.group("string") != null) {
        report(file, unescaped(JOINT.matcher(text.group("string")).replaceAll("")), found);
      }
    }
  }

  private static void javadoc(Path file, String comment, String code, List<String> found) {
    String text = comment.replaceAll("\\s+(\\* )?\\s*", " ").strip();
    String declaration = code.substring(0, Math.min(code.length(), 400));
    boolean isBoolean = IS_BOOLEAN
        .matcher(declaration.replaceAll("@\\w+(\\([^)]*\\))?", "").split("[;{=]", 2)[0])
        .find();
    if (QUESTION.matcher(text).matches() || (text.startsWith("Whether ") && !isBoolean)) {
      found.add(file + ": " + text.split("(?<=\\.) ", 2)[0]);
    }
    TAG_QUESTION.matcher(text).results().forEach(tag -> found.add(file + ": " + tag.group()));
    report(file, text, found);
  }

  private static String unescaped(String literal) {
    return ESCAPE.matcher(literal).replaceAll(" ");
  }

  /** The main sources of all modules. */
  static List<Path> sources() throws IOException {
    List<Path> sources = files("src/main/java", "java");
    assertThat(sources).hasSizeGreaterThan(500);
    return sources;
  }

  /** Returns the files of a folder of all modules and examples that have one of these endings. */
  static List<Path> files(String folder, String... endings) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT);
        Stream<Path> examples = Files.list(ROOT.resolve("examples"))) {
      for (Path module : Stream.concat(modules, examples).sorted().toList()) {
        if (Files.isDirectory(module.resolve(folder))) {
          try (Stream<Path> files = Files.walk(module.resolve(folder))) {
            files
                .filter(file ->
                    Stream.of(endings).anyMatch(ending -> file.toString().endsWith("." + ending)))
                .sorted()
                .forEach(found::add);
          }
        }
      }
    }
    return found;
  }

  private static Map<String, String> help() {
    PrintStream none = new PrintStream(PrintStream.nullOutputStream());
    CommandLine replay = CommandModel.create(
        new Terminal(InputStream.nullInputStream(), none, none, false, false, false, 0));
    Map<String, String> help = new LinkedHashMap<>();
    help.put("replay --help", replay.getUsageMessage());
    replay
        .getSubcommands()
        .forEach((name, command) -> help.put("replay help " + name, command.getUsageMessage()));
    return help;
  }

  private static String table() {
    try {
      return MarkdownDocument.read(TABLE).section(WORDS).text();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> words(String cell) {
    return Stream.of(cell.split(", ")).filter(word -> !word.isEmpty());
  }

  /** Returns an expression for words in which … is any ending, or any word. */
  private static String regex(Iterable<String> words) {
    return Stream.of(String.join("\n", words).split("\n"))
        .map(word -> word.replaceAll("(^| )…", "$1\\\\w+").replace("…", "\\w*"))
        .map(word -> word.replace(" ", "[\\s#/*]+"))
        .collect(joining("|"));
  }
}
