package dev.agentreplay.canonical.dialect;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Recognizes formats by magic bytes at a certain offset, and markup by its first characters. */
final class FileSignature {

  private static final int LONGEST_MARKUP = 16;

  /**
   * The magic bytes of a format.
   *
   * @param index the offset of the bytes
   * @param bytes the bytes, each as the character with its value
   * @param words the name of the format
   */
  private record Magic(int index, String bytes, String words) {}

  private static final List<Magic> MAGIC = List.of(
      new Magic(0, "\u001f\u008b", "data compressed with gzip"),
      new Magic(0, "(\u00b5/\u00fd", "data compressed with Zstandard"),
      new Magic(0, "PK\u0003\u0004", "a ZIP archive"),
      new Magic(0, "PK\u0005\u0006", "a ZIP archive"),
      new Magic(0, "SQLite format 3\0", "an SQLite database"),
      new Magic(0, "\u0089PNG\r\n", "a PNG image"),
      new Magic(0, "\u00ff\u00d8\u00ff", "a JPEG image"),
      new Magic(0, "%PDF-", "a PDF document"),
      new Magic(0, "\u00fe\u00ff", "text in UTF-16, and a log is in UTF-8"),
      new Magic(0, "\u00ff\u00fe", "text in UTF-16, and a log is in UTF-8"),
      new Magic(
          257,
          "ustar",
          "a tar archive, which tar must extract first; a packed session is a gzip file made by"
              + " replay pack"));

  private FileSignature() {}

  static @Nullable String recognize(FileHead head) {
    for (Magic magic : MAGIC) {
      if (head.has(magic.index, magic.bytes)) {
        return magic.words;
      }
    }
    FileHead text = head.stripped();
    String start = text.text(0, Math.min(text.size(), LONGEST_MARKUP)).toLowerCase(Locale.ROOT);
    if (start.startsWith("<!doctype html") || start.startsWith("<html")) {
      return "an HTML page";
    }
    return start.startsWith("<?xml") ? "an XML document" : null;
  }
}
