package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.text.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Documents, help texts, Javadoc, comments and messages use the terms of docs/glossary.md, and name
 * a thing instead of asking for it. There are no exceptions.
 */
class WordsTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Words that are not used, and those that are used in their place. */
  private static final Map<String, String> GLOSSARY = new LinkedHashMap<>();

  static {
    GLOSSARY.put("go(es|ing|ne)? on|went on", "resume, continue, append to");
    GLOSSARY.put("bro?ke(n|s)? off|breaks? off", "interrupted, crashed");
    GLOSSARY.put("ma(de|kes?|king)[- ]up", "generated");
    GLOSSARY.put("(is|are|was|were) not there", "missing");
    GLOSSARY.put("another one", "a different one, one more");
    GLOSSARY.put("beside", "next to");
    GLOSSARY.put("st(ands?|ood|anding)(?! for)", "is, follows");
    GLOSSARY.put("(hold|holds|held|holding)( \\w+)? against", "check against, compare with");
    GLOSSARY.put("alike", "similar, matched");
    GLOSSARY.put("another way", "diverged, differently");
    GLOSSARY.put("(un)?steady|steadiness", "stable, flaky");
    GLOSSARY.put("mend(s|ed|ing)?", "fix");
    GLOSSARY.put("anew", "again");
    GLOSSARY.put("vouch\\w*", "sign, cover");
    GLOSSARY.put("(on|to|from) the disk|ma(kes?|de) safe", "force to disk, fsync");
    GLOSSARY.put(
        "whoever|somebody|nobody|anybody|everybody", "the caller, the writer, an attacker");
    GLOSSARY.put(
        "(?<!there )(is|are|was|were) no (?!longer|more|less|later|earlier|other|greater|matter)\\w+",
        "is not a");
    GLOSSARY.put("that there (is|are|was)", "the");
    GLOSSARY.put("handed out", "returned");
    GLOSSARY.put("line proof|growth proof", "inclusion proof, consistency proof");
    GLOSSARY.put("wanted", "expected, requested");
    GLOSSARY.put("(be|is|are) said", "reported, specified");
  }

  private static final Pattern WORD = Pattern.compile(
      "\\b(" + String.join("|", GLOSSARY.keySet()) + ")\\b", Pattern.CASE_INSENSITIVE);

  private static final String ASKS =
      "(What|How|When|Where|Who|Whoever|Why|Which|Whatever|Whose)\\b";
  private static final Pattern QUESTION = Pattern.compile(ASKS + ".*", Pattern.DOTALL);
  private static final Pattern TAG_QUESTION =
      Pattern.compile("@(param\\s+\\S+|return|throws\\s+\\S+)\\s+"
          + "(what|how|where|who|whoever|why|which|whatever|whose|whom)\\b");
  private static final Pattern HEADING_QUESTION =
      Pattern.compile("^#+ " + ASKS + ".*", Pattern.MULTILINE);

  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
  private static final Pattern COMMENT_OR_STRING =
      Pattern.compile("//(.*)|\"([^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+)\"");
  private static final Pattern IS_BOOLEAN =
      Pattern.compile("\\b(boolean|Boolean|\\w*Predicate|BooleanSupplier)\\b");

  @Test
  void texts_use_the_terms_of_the_glossary() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path document : documents()) {
      String text = withoutBlocks(Files.readString(document));
      words(ROOT.relativize(document), text, found);
      HEADING_QUESTION
          .matcher(text)
          .results()
          .forEach(heading -> found.add(ROOT.relativize(document) + ": " + heading.group()));
    }
    for (Path source : sources()) {
      java(ROOT.relativize(source), Files.readString(source), found);
    }
    help().forEach((command, text) -> {
      words(Path.of("replay help " + command), text, found);
      Matcher question = Pattern.compile("(?m)^ .*  " + ASKS).matcher(text);
      if (question.find()) {
        found.add("replay help " + command + ": " + question.group().strip());
      }
    });
    assertThat(found).as("instead of these words, write: %s", GLOSSARY).isEmpty();
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
      })
  void place_to_change_is_found(String code, String place) {
    List<String> found = new ArrayList<>();
    java(Path.of("A.java"), code, found);
    assertThat(found).containsExactly("A.java: " + place);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/** Whether it is read. */ boolean a;",
        "/** The value; there is no other. Stands for any. */ int a;",
        "int goesOn = 1;",
      })
  void plain_text_is_not_reported(String code) {
    List<String> found = new ArrayList<>();
    java(Path.of("A.java"), code, found);
    assertThat(found).isEmpty();
  }

  private static void words(Path place, String text, List<String> found) {
    WORD.matcher(text)
        .results()
        .map(MatchResult::group)
        .forEach(word -> found.add(place + ": " + word.replaceAll("\\s+", " ")));
  }

  private static void java(Path file, String source, List<String> found) {
    Matcher comment = JAVADOC.matcher(source);
    while (comment.find()) {
      String text = comment
          .group(1)
          .replaceAll("\\n\\s*\\*?", " ")
          .replaceAll("\\s+", " ")
          .strip();
      String first = text.split("(?<=\\.) ", 2)[0];
      String declaration =
          source.substring(comment.end(), Math.min(source.length(), comment.end() + 400));
      boolean isBoolean = IS_BOOLEAN
          .matcher(declaration.replaceAll("@\\w+(\\([^)]*\\))?", "").split("[;{=]", 2)[0])
          .find();
      if (QUESTION.matcher(text).matches() || (text.startsWith("Whether ") && !isBoolean)) {
        found.add(file + ": " + first);
      }
      TAG_QUESTION.matcher(text).results().forEach(tag -> found.add(file + ": " + tag.group()));
      words(file, text, found);
    }
    String code = JAVADOC.matcher(source).replaceAll("");
    COMMENT_OR_STRING.matcher(code).results().forEach(match -> {
      String text = match.group(1) == null ? match.group(2) : match.group(1);
      words(file, text, found);
    });
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(root, docs)
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  /** The main sources of all modules. */
  static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.sorted().toList()) {
        Path main = module.resolve("src/main/java");
        if (Files.isDirectory(main)) {
          try (Stream<Path> files = Files.walk(main)) {
            files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(sources::add);
          }
        }
      }
    }
    assertThat(sources).hasSizeGreaterThan(500);
    return sources;
  }

  private static Map<String, String> help() {
    PrintStream none = new PrintStream(PrintStream.nullOutputStream());
    Map<String, String> help = new LinkedHashMap<>();
    Main.commandLine(
            new Terminal(InputStream.nullInputStream(), none, none, false, false, false, 0))
        .getSubcommands()
        .forEach((name, command) -> help.put(name, command.getUsageMessage()));
    return help;
  }

  private static String withoutBlocks(String markdown) {
    return markdown.replaceAll("(?ms)^```.*?^```$", "");
  }
}
