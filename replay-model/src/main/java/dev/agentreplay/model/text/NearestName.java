package dev.agentreplay.model.text;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Suggests the known name that is nearest to a mistyped one. */
public final class NearestName {

  /** The largest number of edits between a word and a name that is suggested for it. */
  private static final int MAX_DISTANCE = 2;

  /** The length of the longest word that is compared; a file may contain words of any length. */
  private static final int MAX_LENGTH = 200;

  private NearestName() {}

  /** The end of a message with the nearest name; empty if no name is near. */
  public static String suggestion(String word, Collection<String> names) {
    String nearest = word.length() > MAX_LENGTH ? null : nearest(word, names);
    return nearest == null ? "" : "; did you mean '%s'?".formatted(nearest);
  }

  private static @Nullable String nearest(String word, Collection<String> names) {
    String nearest = null;
    int least = MAX_DISTANCE + 1;
    for (String name : names) {
      int distance = distance(word, name);
      if (distance < Math.min(least, Math.max(word.length(), name.length()) / 2 + 1)) {
        least = distance;
        nearest = name;
      }
    }
    return nearest;
  }

  /** The Levenshtein distance: the least number of inserted, removed and replaced characters. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
