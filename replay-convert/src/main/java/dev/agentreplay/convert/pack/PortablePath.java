package dev.agentreplay.convert.pack;

import dev.agentreplay.model.text.PlainText;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks that a path denotes the same file, inside the directory, on every platform. */
final class PortablePath {

  /**
   * The names of devices on Windows, which are reserved in any directory and with any extension.
   */
  private static final Pattern DEVICE = Pattern.compile(
      "(CON|PRN|AUX|NUL|COM[0-9\u00b9\u00b2\u00b3]|LPT[0-9\u00b9\u00b2\u00b3]|CONIN\\$|CONOUT\\$)"
          + " *(\\..*)?",
      Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** The other characters that Windows does not allow in names. */
  private static final Pattern RESERVED = Pattern.compile("[<>\"|?*]");

  /** The maximum length of a name on Linux, in bytes; Windows allows as many UTF-16 units. */
  private static final int MAX_SEGMENT_BYTES = 255;

  private PortablePath() {}

  /** The fault of a path, or null if it has none. */
  static @Nullable String fault(String path) {
    if (path.isEmpty()) {
      return "the path is empty";
    }
    if (path.startsWith("/")) {
      return "the path is absolute";
    }
    if (path.codePoints().anyMatch(Character::isISOControl)) {
      return "the path has a control character";
    }
    if (!path.codePoints().allMatch(PlainText::isShown)) {
      return "the path has an invisible character, or one that changes the text direction";
    }
    if (path.indexOf('\\') >= 0) {
      return "the path has a backslash, which separates segments on Windows";
    }
    if (path.indexOf(':') >= 0) {
      return "the path has a colon, which names a drive or a stream on Windows";
    }
    if (RESERVED.matcher(path).find()) {
      return "the path has one of < > \" | ? *, which Windows does not allow in names";
    }
    for (String segment : path.split("/", -1)) {
      String fault = segmentFault(segment);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private static @Nullable String segmentFault(String segment) {
    if (segment.isEmpty()) {
      return "the path has an empty segment";
    }
    if (segment.equals(".") || segment.equals("..")) {
      return "the path has the segment \"" + segment + '"';
    }
    if (segment.startsWith("-")) {
      return "a segment begins with -, which commands treat as an option";
    }
    if (segment.endsWith(".") || segment.endsWith(" ")) {
      return "a segment ends with a dot or a space, which Windows drops";
    }
    if (bytes(segment) > MAX_SEGMENT_BYTES) {
      return "a segment has %d bytes, and file systems allow %d"
          .formatted(bytes(segment), MAX_SEGMENT_BYTES);
    }
    if (DEVICE.matcher(segment).matches()) {
      return "the path names a device on Windows";
    }
    return null;
  }

  /** The number of segments of a path. */
  static int depth(String path) {
    return (int) path.chars().filter(c -> c == '/').count() + 1;
  }

  /** The length of a path in UTF-8. */
  static int bytes(String path) {
    return path.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * Returns a key that is the same for all paths that some file system treats as one: paths that
   * differ in case, in the composition of accents, or in letters with a spelled-out form, such as
   * \u00df and ss. Converting to upper case first spells them out.
   */
  static String folded(String path) {
    String lower = path.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    return Normalizer.normalize(lower, Normalizer.Form.NFC);
  }
}
