package dev.agentreplay.engine.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules in a file, in the words of the command line. */
class RulesFileTest {

  private static final String ALL =
      """
      # what differs in each run
      ignore timestamps, ids,/output/etag
      ignore tool:think

        normalize temp
      normalize port:localhost:[0-9]+ # x=>localhost:<port>
      tolerance /output/load=2%
      unordered\t/output/items=id
      unordered /output/tags
      fuzzy 0.8
      fuzzy /answer=70%
      strict
      fail-on moderate
      """;

  private static final List<ComparisonRule> RULES = List.of(
      Ignore.timestamps(),
      Ignore.ids(),
      Ignore.at("/output/etag"),
      Ignore.tool("think"),
      Normalizer.temporaryFolders(),
      Normalizer.pattern("port", "localhost:[0-9]+ # x", "localhost:<port>"),
      Tolerance.relative("/output/load", 0.02),
      UnorderedArray.at("/output/items").keyedBy("id"),
      UnorderedArray.at("/output/tags"),
      FuzzyText.atLeast(0.8),
      FuzzyText.atLeast(0.7).at("/answer"));

  @TempDir
  private Path directory;

  @Test
  void each_rule_is_that_of_the_option_of_its_name() throws IOException {
    DiffOptions options = RulesFile.parse(ALL).options();

    assertThat(options.rules()).isEqualTo(RULES);
    assertThat(options.strict()).isTrue();
    assertThat(options.failOn()).isEqualTo(DivergenceSeverity.MODERATE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "# ignore ids", "\uFEFF# ignore ids\r\n"})
  void file_without_rules_changes_nothing(String text) throws IOException {
    assertThat(RulesFile.parse(text).options()).isEqualTo(DiffOptions.defaults());
  }

  @Test
  void file_of_windows_is_the_same() throws IOException {
    Path file =
        Files.writeString(directory.resolve(RulesFile.NAME), "\uFEFF" + ALL.replace("\n", "\r\n"));

    assertThat(RulesFile.read(file).options()).isEqualTo(RulesFile.parse(ALL).options());
  }

  @Test
  void options_of_the_caller_come_before_the_rules_and_take_precedence() throws IOException {
    DiffOptions own = DiffOptions.defaults()
        .plus(Normalizer.uuids())
        .withMaxDivergences(7)
        .failingFrom(DivergenceSeverity.MINOR);

    DiffOptions options = RulesFile.parse("normalize temp\nfail-on major").applyTo(own);

    assertThat(options.rules()).containsExactly(Normalizer.uuids(), Normalizer.temporaryFolders());
    assertThat(options.maxDivergences()).isEqualTo(7);
    assertThat(options.failOnOrMinor()).isEqualTo(DivergenceSeverity.MINOR);
    assertThat(RulesFile.parse("").applyTo(own.withStrict(true))).isEqualTo(own.withStrict(true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ingore ids          | expected ignore, normalize, tolerance, unordered, fuzzy, strict or"
            + " fail-on, found \"ingore\"; did you mean 'ignore'?",
        "--ignore ids        | found \"--ignore\"; did you mean 'ignore'?",
        "ignore              | ignore: expected timestamps, durations, ids,",
        "ignore ids,         | ignore: expected timestamps, durations, ids,",
        "ignore timestmps    | found \"timestmps\"; did you mean 'timestamps'?",
        "ignore ids # all    | found \"ids # all\"",
        "normalize uuid      | normalize: expected ansi, uuids, dates, temp,",
        "normalize x:(=>y    | normalize: not a regular expression",
        "tolerance /a        | tolerance: expected a tolerance such as",
        "tolerance /a=-1     | tolerance: tolerance must not be negative",
        "unordered items     | unordered: pattern of JSON pointers must begin",
        "unordered /x=       | found an empty KEY",
        "fuzzy               | fuzzy: expected a similarity above 0 and up to 1",
        "fuzzy 80            | found \"80\"",
        "fuzzy answer=0.8    | found \"answer=0.8\"",
        "strict yes          | strict: expected no value, found \"yes\"",
        "fail-on none        | fail-on: expected minor, moderate or major, found \"none\"",
        "fail-on moderat     | found \"moderat\"; did you mean 'moderate'?",
      })
  void wrong_line_is_named_with_what_is_expected(String line, String message) throws IOException {
    Path file = Files.writeString(directory.resolve("my.rules"), "# rules\nignore ids\n" + line);

    assertThat(catchThrowableOfType(RulesFormatException.class, () -> RulesFile.read(file)))
        .hasMessageStartingWith(file + ": line 3: ")
        .hasMessageContaining(message)
        .extracting(RulesFormatException::line)
        .isEqualTo(3);
  }

  @Test
  void threshold_is_stated_once() {
    assertThatThrownBy(() -> RulesFile.parse("fail-on major\nfail-on minor"))
        .hasMessage("line 2: fail-on: is stated twice, major before");
  }

  @Test
  void file_that_is_missing_no_text_or_too_long_is_refused() throws IOException {
    Path file = directory.resolve(RulesFile.NAME);
    assertThatThrownBy(() -> RulesFile.read(file)).isInstanceOf(NoSuchFileException.class);
    Files.write(file, new byte[] {'#', (byte) 0xC3});
    assertThatThrownBy(() -> RulesFile.read(file))
        .isInstanceOf(RulesFormatException.class)
        .hasMessage(file + ": expected rules as text in UTF-8, found other bytes");
    Files.writeString(file, "#".repeat((1 << 20) + 1));
    assertThatThrownBy(() -> RulesFile.read(file))
        .isInstanceOf(RulesFormatException.class)
        .hasMessageContaining("expected rules of at most 1048576 bytes");
    assertThatThrownBy(() -> RulesFile.read(directory)).isInstanceOf(IOException.class);
  }

  @Property
  void any_text_is_rules_or_refused_with_a_line(@ForAll String text) {
    try {
      assertThat(RulesFile.parse(text).options()).isNotNull();
    } catch (RulesFormatException e) {
      assertThat(e.line()).isBetween(1, (int) text.lines().count());
    }
  }
}
