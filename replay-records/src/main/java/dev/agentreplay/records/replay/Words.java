package dev.agentreplay.records.replay;

import dev.agentreplay.records.internal.TextLookup;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The words of a text, for an inexpensive estimate of the similarity of two texts: the Jaccard
 * index of their sets of words. It chooses which messages are compared, and never decides how
 * similar they are.
 */
record Words(Set<String> words) {

  /** Finds the words of messages. */
  @FunctionalInterface
  interface Source {

    /** The words of a message; none if its text is missing. */
    Words words(LaneMessage message) throws IOException;

    /** The words of the messages of a session. */
    static Source of(TextLookup texts) {
      return message -> Words.of(texts.text(message.message().contentHash()));
    }
  }

  private static final Pattern BETWEEN = Pattern.compile("[^\\p{L}\\p{N}]+");

  /** The words of a text; none if it is missing. */
  static Words of(@Nullable String text) {
    if (text == null) {
      return new Words(Set.of());
    }
    Set<String> words = new HashSet<>(Arrays.asList(BETWEEN.split(text.toLowerCase(Locale.ROOT))));
    words.remove("");
    return new Words(words);
  }

  /** The share of words that both have in common, from 0.0 to 1.0; 0.0 if there are none. */
  double common(Words other) {
    Set<String> shorter = words.size() < other.words.size() ? words : other.words;
    Set<String> longer = shorter == words ? other.words : words;
    long shared = shorter.stream().filter(longer::contains).count();
    long all = words.size() + other.words.size() - shared;
    return all == 0 ? 0 : (double) shared / all;
  }
}
