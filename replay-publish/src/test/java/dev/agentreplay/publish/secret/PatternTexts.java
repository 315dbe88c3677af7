package dev.agentreplay.publish.secret;

import java.util.Random;

/** Generates texts that match a pattern, except for its assertions. */
final class PatternTexts {

  private PatternTexts() {}

  static String random(PatternNode node, Random random) {
    StringBuilder text = new StringBuilder();
    append(node, random, text);
    return text.toString();
  }

  private static void append(PatternNode node, Random random, StringBuilder text) {
    if (node instanceof PatternNode.Chars chars) {
      append(chars.set(), random, text);
    } else if (node instanceof PatternNode.Group group) {
      append(group.part(), random, text);
    } else if (node instanceof PatternNode.Sequence sequence) {
      sequence.parts().forEach(part -> append(part, random, text));
    } else if (node instanceof PatternNode.Choice choice) {
      append(choice.options().get(random.nextInt(choice.options().size())), random, text);
    } else if (node instanceof PatternNode.Repeat repeat) {
      int max = repeat.max() < 0 ? repeat.min() + 5 : repeat.max();
      int more = max > repeat.min() ? random.nextInt(max - repeat.min() + 1) : 0;
      int most = random.nextInt(3) == 0 ? more : Math.min(more, 3);
      for (int i = repeat.min() + most; i > 0; i--) {
        append(repeat.part(), random, text);
      }
    }
  }

  private static void append(CharSet set, Random random, StringBuilder text) {
    if (set.isOpen() && random.nextInt(20) == 0) {
      text.append(random.nextBoolean() ? "é" : "\ud83d\ude00");
      return;
    }
    int c = random.nextInt(128);
    while (!set.has(c)) {
      c = (c + 1) % 128;
    }
    text.append((char) c);
  }
}
