package dev.agentreplay.publish.secret;

import dev.agentreplay.model.text.Preview;
import java.util.List;

/**
 * The parts of a preview: the beginning and the end of a longer text. A secret or a mark is not in
 * both of them, so that each is scanned by itself.
 */
final class PreviewParts {

  private static final String SUFFIX = "_preview";
  private static final String GAP = "...";

  private PreviewParts() {}

  /** Whether a member of a line is a preview. */
  static boolean isPreview(String name) {
    return name.endsWith(SUFFIX);
  }

  /** The parts of a preview; itself if it is the whole text. */
  static List<String> of(String preview) {
    int length = preview.codePointCount(0, preview.length()) - GAP.length();
    if (length > 0 && length % 2 == 0) {
      int gap = preview.offsetByCodePoints(0, length / 2);
      boolean isCut = preview.startsWith(GAP, gap)
          && (isLongest(preview, Preview.ofOutput(preview + preview))
              || isLongest(preview, Preview.ofStream(preview + preview)));
      if (isCut) {
        return List.of(preview.substring(0, gap), preview.substring(gap + GAP.length()));
      }
    }
    return List.of(preview);
  }

  /** Whether a preview has the length of one that was cut. */
  private static boolean isLongest(String preview, String cut) {
    return preview.codePointCount(0, preview.length()) == cut.codePointCount(0, cut.length());
  }
}
