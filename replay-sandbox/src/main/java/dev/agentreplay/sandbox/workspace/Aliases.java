package dev.agentreplay.sandbox.workspace;

import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds entries that a file system finds under a name different from theirs. */
final class Aliases {

  private Aliases() {}

  /**
   * The name of the entry that a name leads to, if it is spelled differently: in case, in Unicode
   * normalization, or as a short name of Windows. Null if the directory lists the name itself.
   *
   * @param found the attributes of the entry that the name leads to
   */
  static @Nullable String otherName(
      WorkspaceDirectory directory, String name, BasicFileAttributes found) throws IOException {
    if (found.fileKey() != null && !hasVariant(directory, name, found)) {
      return null; // the file system distinguishes the spellings of this name
    }
    List<String> names = directory.names();
    if (names.contains(name)) {
      return null;
    }
    return names.stream()
        .filter(other -> folded(other).equals(folded(name)))
        .findFirst()
        .orElse("a different name");
  }

  /** Whether a different spelling leads to the same entry. */
  private static boolean hasVariant(
      WorkspaceDirectory directory, String name, BasicFileAttributes found) throws IOException {
    List<String> variants = List.of(
        name.toUpperCase(Locale.ROOT),
        name.toLowerCase(Locale.ROOT),
        Normalizer.normalize(name, Form.NFC),
        Normalizer.normalize(name, Form.NFD));
    for (String variant : variants) {
      BasicFileAttributes other = variant.equals(name) ? null : directory.attributes(variant);
      if (other != null && found.fileKey().equals(other.fileKey())) {
        return true;
      }
    }
    return false;
  }

  private static String folded(String name) {
    String upper = Normalizer.normalize(name, Form.NFD).toUpperCase(Locale.ROOT);
    return Normalizer.normalize(upper.toLowerCase(Locale.ROOT), Form.NFD);
  }
}
