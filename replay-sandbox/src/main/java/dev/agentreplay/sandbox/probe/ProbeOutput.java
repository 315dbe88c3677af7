package dev.agentreplay.sandbox.probe;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines that the programs of a probe have printed on one side. */
final class ProbeOutput {

  private record Line(String kind, String name, String value) {}

  private final List<Line> lines = new ArrayList<>();

  void add(String text) {
    for (String line : text.split("\n", -1)) {
      String[] parts = line.split("\t", 3);
      if (parts.length >= 2) {
        lines.add(new Line(parts[0], parts[1], parts.length == 3 ? unescape(parts[2]) : ""));
      }
    }
  }

  List<String> reached(String name) {
    return values(ProbeProgram.REACHED, name);
  }

  List<String> seen(String name) {
    return values(ProbeProgram.SEEN, name);
  }

  boolean works(String name) {
    return !values(ProbeProgram.WORKS, name).isEmpty();
  }

  boolean works(String name, String value) {
    return values(ProbeProgram.WORKS, name).contains(value);
  }

  /** The first failure of an attempt; null if there is none. */
  @Nullable
  String blocked(String name) {
    List<String> found = values(ProbeProgram.BLOCKED, name);
    return found.isEmpty() ? null : found.get(0);
  }

  private List<String> values(String kind, String name) {
    return lines.stream()
        .filter(line -> line.kind().equals(kind) && line.name().equals(name))
        .map(Line::value)
        .toList();
  }

  private static String unescape(String value) {
    if (value.indexOf('\\') < 0) {
      return value;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\' && i + 1 < value.length()) {
        char next = value.charAt(++i);
        text.append(next == 'n' ? '\n' : next == '0' ? '\0' : next);
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }
}
