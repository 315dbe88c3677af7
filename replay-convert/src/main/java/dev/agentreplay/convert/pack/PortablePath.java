package dev.agentreplay.convert.pack;

import dev.agentreplay.model.text.PlainText;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The paths that mean the same file, inside the directory, on every platform. */
final class PortablePath {

  /** The names of devices on Windows, in any directory and with any extension. */
  private static final Pattern DEVICE = Pattern.compile(
      "(CON|PRN|AUX|NUL|COM[0-9\u00b9\u00b2\u00b3]|LPT[0-9\u00b9\u00b2\u00b3]|CONIN\\$|CONOUT\\$)"
          + " *(\\..*)?",
      Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** The other characters that names on Windows do not have. */
  private static final Pattern RESERVED = Pattern.compile("[<>\"|?*]");

  /** The longest name on Linux; that of Windows has as many UTF-16 units. */
  private static final int MAX_SEGMENT_BYTES = 255;

  private PortablePath() {}

  /** What is wrong with a path, or null. */
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
      return "the path has a character that is not seen, or turns the direction of the text";
    }
    if (path.indexOf('\\') >= 0) {
      return "the path has a backslash, which separates segments on Windows";
    }
    if (path.indexOf(':') >= 0) {
      return "the path has a colon, which names a drive or a stream on Windows";
    }
    if (RESERVED.matcher(path).find()) {
      return "the path has one of < > \" | ? *, which Windows does not have in names";
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
      return "a segment begins with -, which commands take for an option";
    }
    if (segment.endsWith(".") || segment.endsWith(" ")) {
      return "a segment ends with a dot or a space, which Windows drops";
    }
    if (bytes(segment) > MAX_SEGMENT_BYTES) {
      return "a segment has %d bytes, and file systems take %d"
          .formatted(bytes(segment), MAX_SEGMENT_BYTES);
    }
    if (DEVICE.matcher(segment).matches()) {
      return "the path names a device on Windows";
    }
    return null;
  }

  /** How many segments a path has. */
  static int depth(String path) {
    return (int) path.chars().filter(c -> c == '/').count() + 1;
  }

  /** The length of a path in UTF-8. */
  static int bytes(String path) {
    return path.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * The same for all paths that some file system takes for one: they differ in case, in how accents
   * are composed, or in letters of which one is written out, such as \u00df and ss. Upper case
   * comes first, because it writes them out.
   */
  static String folded(String path) {
    String lower = path.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    return Normalizer.normalize(lower, Normalizer.Form.NFC);
  }
}
