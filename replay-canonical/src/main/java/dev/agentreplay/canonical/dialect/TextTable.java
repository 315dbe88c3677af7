package dev.agentreplay.canonical.dialect;

import java.util.Arrays;
import java.util.regex.Pattern;

/** Recognizes tables of comma-separated values (CSV) by their header line. */
final class TextTable {

  private static final Pattern NAME = Pattern.compile("\\w[\\w .#/-]{0,63}|\"[^\"]{1,64}\"");
  private static final int LONGEST_LINE = 4096;

  private TextTable() {}

  static boolean isCsv(FileHead head) {
    FileHead text = head.stripped();
    int end = text.endOfLine(0);
    if (end == text.size() || end > LONGEST_LINE) {
      return false;
    }
    String[] names = text.text(0, end).strip().split(",", -1);
    long next = text.text(end + 1, text.endOfLine(end + 1))
        .chars()
        .filter(c -> c == ',')
        .count();
    return names.length > 1
        && next >= names.length - 1
        && Arrays.stream(names).allMatch(name -> NAME.matcher(name).matches());
  }
}
