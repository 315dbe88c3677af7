package dev.agentreplay.publish.secret;

import dev.agentreplay.testkit.TestData;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The examples of the rules of this project. */
final class RuleExamples {

  private static final Pattern RANDOM = Pattern.compile("\\{([xhldb])(\\d+)}");
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";
  private static final String DIGITS = "0123456789";

  private RuleExamples() {}

  /**
   * An example.
   *
   * @param from the index of the secret; -1 if there is none
   * @param to the index after the secret
   */
  record Example(String rule, String text, int from, int to) {

    boolean hasSecret() {
      return from >= 0;
    }

    String secret() {
      return text.substring(from, to);
    }
  }

  static List<Example> all() {
    Random random = new Random(7);
    List<Example> examples = new ArrayList<>();
    String rule = "";
    for (String line : TestData.lines("/dev/agentreplay/publish/secret/rule-examples.txt")) {
      if (line.startsWith("+ ") || line.startsWith("- ")) {
        examples.add(example(rule, filled(line.substring(2), random)));
      } else if (!line.isEmpty() && !line.startsWith("#") && !line.startsWith("  ")) {
        rule = line;
      }
    }
    return examples;
  }

  private static Example example(String rule, String marked) {
    int from = marked.indexOf('«');
    int to = marked.indexOf('»') - 1;
    String text = marked.replace("«", "").replace("»", "");
    return new Example(rule, text, from, from < 0 ? -1 : to);
  }

  private static String filled(String template, Random random) {
    return RANDOM.matcher(template.replace("\\n", "\n")).replaceAll(found -> random(found, random));
  }

  private static String random(MatchResult found, Random random) {
    String alphabet =
        switch (found.group(1)) {
          case "h" -> DIGITS + "abcdef";
          case "l" -> DIGITS + LETTERS;
          case "d" -> DIGITS;
          default -> LETTERS + LETTERS.toUpperCase(java.util.Locale.ROOT) + DIGITS;
        };
    StringBuilder text = new StringBuilder();
    for (int i = Integer.parseInt(found.group(2)); i > 0; i--) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }
}
