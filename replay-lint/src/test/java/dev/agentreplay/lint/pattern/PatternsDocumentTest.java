package dev.agentreplay.lint.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The reference of all patterns; {@code -Dreplay.documents=write} writes it again. */
class PatternsDocumentTest {

  private static final Path DOCUMENT = Path.of("../docs/lint-patterns.md");
  private static final boolean IS_WRITTEN =
      "write".equals(System.getProperty("replay.documents")) && System.getenv("CI") == null;

  private static final String HEAD =
      """
      # Patterns of replay lint

      `replay lint` judges the calls of an agent by the patterns on this page ([guide](how-to/make-an-agent-deterministic.md#7-check-the-code)). A
      file for `--patterns`, or a text for `LintPatterns.plus`, has more of them, one a line; they win over these. A test
      generates the lists from the file of the library.

      ## Syntax

      ```
      # a comment
      report clock com.acme.Times.now -> context.clock().instant()
      allow java.lang.System.getProperty(java.lang.String)
      boundary com.acme.Tool
      boundary com.acme.Tools.run(java.lang.String, java.util.concurrent.Callable) 2
      descend com.acme.shared.**
      ```

      A pattern is one of these, from the most specific one:

      | pattern | matches |
      |---|---|
      | `java.util.Random.<init>(long)` | one method or constructor |
      | `java.util.UUID.randomUUID` | all methods with the name, or a static field; a name in upper case, as of constants, is one of a nested class |
      | `java.net.Socket` | all methods of a class; the name of a class begins with an upper-case letter |
      | `java.net.*` | all classes of a package |
      | `java.net.**` | all classes of a package and those below it |

      Of the patterns of one file that answer the same question, the most specific one that matches wins; a later file wins
      over earlier ones. A method that a class inherits is looked for in the class, its superclasses and their interfaces, in
      this order. A file with an error is refused with file, line, column and reason.

      | directive | meaning |
      |---|---|
      | `report CATEGORY PATTERN` | calls are reported; after `->` follows what to use instead. With `inherited` before the pattern only if a class inherits the method |
      | `allow PATTERN` | calls are not reported, and not followed |
      | `boundary TYPE` | implementations are tools or models: their code is not followed |
      | `boundary METHOD POSITION…` | the arguments at these positions, from 1, are tools or models |
      | `entry implements TYPE` | the instance methods of implementations, if not private, are entry points, and lambdas of the type |
      | `entry parameter TYPE` | methods with such a parameter are entry points, with the constructors of their class |
      | `trust PATTERN`, `descend PATTERN` | the code of classes is not followed, or is; by default that of all scanned classes is |
      | `unordered TYPE`, `ordered TYPE`, `sorts TYPE` | collections without an order, with one, with one that does not depend on the order of insertion |
      | `source METHOD`, `ordered METHOD` | the result has no order, or has one |
      | `passes METHOD` | the result has the order of receiver and arguments |
      | `fills METHOD`, `sorts METHOD` | the receiver gets the order of the arguments, or an order of its own |
      | `iterates METHOD` | is reported if receiver or arguments have no order, unless its accumulator (a `BinaryOperator` or `BiFunction`) is a reference to a function that commutes |
      | `converts METHOD` | is reported if arguments have no order, except for maps: it writes them as JSON, whose objects have none |
      | `collects METHOD` | the same, unless the argument is a collector of the next two kinds, or one whose result has no order |
      | `keeps METHOD` | returns a collector whose result has the order of the stream, or that of the collection that a reference such as `TreeSet::new` creates; a merge function has to be a reference to one that commutes, and a collector of groups one that does not depend on the order |
      | `commutes METHOD` | has a result that does not depend on the order of receiver or arguments, is a function such as `Integer::sum`, or returns a collector of this kind |

      The categories, which suppressions name, too:

      | category | meaning |
      |---|---|
      """;

  private static final String SUPPRESSIONS =
      """

      ## Suppressions

      A file for `--suppress`, or for `Suppression.read`, has one suppression a line: a pattern of methods, after `of`
      categories or patterns of called methods, and after `because` the reason, which is required:

      ```
      com.acme.Agent.trace of clock because the time is only logged
      com.acme.Cache of order, java.lang.System.nanoTime because the cache is not recorded
      com.acme.legacy.** because it is not part of the agent
      ```

      It covers the calls of these methods, and calls that are reached only through them. The annotation
      `dev.agentreplay.io.context.AllowedNondeterminism(reason, of)` on a method, constructor or class does the same. Reports
      list what is suppressed, and the suppressions that cover nothing.
      """;

  @Test
  void document_lists_all_patterns() throws IOException {
    if (IS_WRITTEN) {
      Files.writeString(DOCUMENT, document());
    }
    assertThat(DOCUMENT).exists();
    assertThat(Files.readString(DOCUMENT))
        .as("%s; -Dreplay.documents=write writes it again", DOCUMENT)
        .isEqualTo(document());
  }

  @Test
  void each_report_has_a_remedy() {
    assertThat(LintPatterns.defaults().rules())
        .filteredOn(rule -> rule.directive() == Directive.REPORT)
        .hasSizeGreaterThan(200)
        .allSatisfy(rule -> assertThat(rule.remedy()).as("%s", rule).isNotEmpty());
  }

  private static String document() {
    StringBuilder out = new StringBuilder(HEAD);
    for (Category category : Category.values()) {
      out.append("| `%s` | %s |\n".formatted(category.id(), category.meaning()));
    }
    out.append(SUPPRESSIONS);
    Map<Integer, LintRule> rules = new TreeMap<>();
    LintPatterns.defaults().rules().forEach(rule -> rules.put(rule.line(), rule));
    List<String> lines = LintPatterns.text().lines().toList();
    List<LintRule> section = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      LintRule rule = rules.get(i + 1);
      if (rule != null) {
        section.add(rule);
      } else if (lines.get(i).startsWith("## ")) {
        append(section, out);
        out.append('\n').append(lines.get(i)).append("\n\n");
      }
    }
    append(section, out);
    return out.toString();
  }

  private static void append(List<LintRule> section, StringBuilder out) {
    if (section.isEmpty()) {
      return;
    }
    if (section.get(0).directive() == Directive.REPORT) {
      out.append("| pattern | use instead |\n|---|---|\n");
      for (LintRule rule : section) {
        boolean isReport = rule.directive() == Directive.REPORT;
        String pattern = isReport
            ? (rule.qualifier() == null ? "" : rule.qualifier() + " ") + rule.pattern()
            : rule.toString();
        out.append("| `%s` | %s |\n".formatted(pattern, isReport ? remedy(rule.remedy()) : ""));
      }
    } else {
      out.append("```\n");
      section.forEach(rule -> out.append(rule).append('\n'));
      out.append("```\n");
    }
    section.clear();
  }

  private static String remedy(String text) {
    return text.startsWith("a ") || text.startsWith("one ") || text.startsWith("the ")
        ? text
        : "`" + text + "`";
  }
}
