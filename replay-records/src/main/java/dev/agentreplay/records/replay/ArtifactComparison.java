package dev.agentreplay.records.replay;

import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.engine.diff.text.TextComparison;
import dev.agentreplay.model.alignment.Alignment;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.internal.TextLookup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The similarity of the final artifacts of two sessions: 100 for equal hashes; otherwise that of
 * their texts by sections, which begin at the headings of Markdown. Sections with the same heading
 * are compared, and weighted by their length; a section that only one artifact has counts as
 * completely different. It is 0 if only one session has an artifact.
 *
 * @param similarity the similarity in percent, from 0 to 100; 0 if they are not compared
 * @param isCompared whether the hashes are equal or one is empty, or both texts are there
 */
record ArtifactComparison(double similarity, boolean isCompared) {

  private static final ArtifactComparison NOT_COMPARED = new ArtifactComparison(0, false);

  /** A part of an artifact. */
  private record Section(String heading, String text) {}

  /**
   * Compares two artifacts.
   *
   * @throws IOException if a text cannot be read
   */
  static ArtifactComparison of(
      RecordHash original,
      TextLookup originalTexts,
      RecordHash replayed,
      TextLookup replayedTexts,
      MeasuredTexts measured)
      throws IOException {
    if (original.equals(replayed) && (original.isEmpty() || original.digest() != null)) {
      return new ArtifactComparison(100, true);
    } else if (original.isEmpty() || replayed.isEmpty()) {
      return new ArtifactComparison(0, true);
    }
    String left = originalTexts.text(original);
    String right = replayedTexts.text(replayed);
    if (left == null || right == null) {
      return NOT_COMPARED;
    }
    try {
      double similarity = similarity(sections(left, measured), sections(right, measured));
      return new ArtifactComparison(Math.floor(similarity * 10_000 + 1e-6) / 100, true);
    } catch (RunawayPatternException e) {
      return NOT_COMPARED; // the messages name the normalizer
    }
  }

  private static double similarity(List<Section> left, List<Section> right) {
    int[] aligned = Alignment.of(left, right, Section::heading);
    double common = 0;
    double all = 0;
    for (Section section : right) {
      all += section.text().length();
    }
    for (int i = 0; i < aligned.length; i++) {
      String text = left.get(i).text();
      all += text.length();
      if (aligned[i] >= 0) {
        String other = right.get(aligned[i]).text();
        common += TextComparison.similarity(text, other) * (text.length() + other.length());
      }
    }
    return all == 0 ? 1 : common / all;
  }

  private static List<Section> sections(String text, MeasuredTexts measured)
      throws RunawayPatternException {
    List<Section> sections = new ArrayList<>();
    String heading = "";
    StringBuilder lines = new StringBuilder();
    for (String line : text.lines().toList()) {
      if (line.matches("#{1,6}\\s.*")) {
        add(heading, lines, sections, measured);
        heading = measured.normalized(line);
      }
      lines.append(line).append('\n');
    }
    add(heading, lines, sections, measured);
    return sections;
  }

  private static void add(
      String heading, StringBuilder lines, List<Section> sections, MeasuredTexts measured)
      throws RunawayPatternException {
    String text = measured.normalized(lines.toString());
    lines.setLength(0);
    if (!text.isEmpty()) {
      sections.add(new Section(heading, text));
    }
  }
}
