package dev.agentreplay.io.session;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.StreamPreviews;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of checking a blob against a reference to it. Immutable. */
public sealed interface BlobCheck
    permits BlobCheck.Sound, BlobCheck.Unparsed, BlobCheck.Absent, BlobCheck.Faulty {

  /**
   * The blob has the stated length and hash, and is canonical JSON if the canonicalization is
   * known.
   *
   * @param preview the preview of its value; null if it is not JSON
   * @param stdout the preview of the text {@code stdout} in it; null if there is none
   * @param stderr the preview of the text {@code stderr} in it; null if there is none
   * @param textLength the number of Unicode code points of its value; null if it is not a string,
   *     or the canonicalization is not known
   */
  record Sound(
      @Nullable PreviewText preview,
      @Nullable PreviewText stdout,
      @Nullable PreviewText stderr,
      @Nullable Long textLength)
      implements BlobCheck {

    /** The bytes of an escaped control character; canonical JSON escapes no surrogates. */
    private static final int UNICODE_ESCAPE_BYTES = 6;

    /** The previews and the length of a value in canonical JSON. */
    static Sound of(byte[] json) {
      return new Sound(
          PreviewText.ofJson(json),
          PreviewText.ofStream(json, StreamPreviews.STDOUT),
          PreviewText.ofStream(json, StreamPreviews.STDERR),
          textLength(json));
    }

    /** The number of code points of a string, from its canonical JSON; null if it is not one. */
    private static @Nullable Long textLength(byte[] json) {
      if (json[0] != '"') {
        return null;
      }
      long length = 0;
      for (int at = 1; at < json.length - 1; at++) {
        boolean continuesCharacter = (json[at] & 0xc0) == 0x80;
        length += continuesCharacter ? 0 : 1;
        if (json[at] == '\\') {
          at += json[at + 1] == 'u' ? UNICODE_ESCAPE_BYTES - 1 : 1;
        }
      }
      return length;
    }
  }

  /**
   * The blob has the stated length and hash, but is too large to be parsed.
   *
   * @param detail the explanation, for people
   */
  record Unparsed(String detail) implements BlobCheck {}

  /** The blob is missing. */
  record Absent() implements BlobCheck {}

  /**
   * The blob has a different length or hash, cannot be read, or is not canonical JSON.
   *
   * @param detail the fault, for people
   * @param found the hash of the blob if it differs from the stated one; null if it is the same, or
   *     was not computed
   */
  record Faulty(String detail, @Nullable ContentHash found) implements BlobCheck {}

  /** A cache of the 1,024 most recently used results; safe for use by several threads. */
  static Map<BlobRef, BlobCheck> newCache() {
    return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<BlobRef, BlobCheck> eldest) {
        return size() > 1_024;
      }
    });
  }

  /**
   * Checks a file against a reference to it.
   *
   * @param canonical the canonicalization of the log; null if it is not known: then only length and
   *     hash are checked
   */
  static BlobCheck read(Path file, BlobRef stated, @Nullable CanonicalJson canonical)
      throws IOException {
    long size = Files.size(file);
    if (size != stated.bytes()) {
      return faulty("the reference says %d bytes, but the blob %s has %d"
          .formatted(stated.bytes(), stated.blob(), size));
    }
    int most = JsonLimits.defaults().maxBytes(); // the default limit of JSON text, 64 MiB
    if (size > most) {
      return ofLarge(file, stated, most);
    }
    try (InputStream in = RegularFiles.open(file)) {
      return ofBytes(in.readNBytes((int) size), stated, canonical);
    }
  }

  private static BlobCheck ofBytes(
      byte[] bytes, BlobRef stated, @Nullable CanonicalJson canonical) {
    ContentHash found = ContentHash.sha256(bytes);
    if (!found.equals(stated.blob())) {
      return ofOtherHash(stated, found);
    }
    if (canonical != null && !isCanonical(bytes, canonical)) {
      return faulty("the blob %s is not the canonical JSON of a value".formatted(stated.blob()));
    }
    return canonical == null
        ? new Sound(PreviewText.ofJson(bytes), null, null, null)
        : Sound.of(bytes);
  }

  private static BlobCheck ofLarge(Path file, BlobRef stated, int mostParsed) throws IOException {
    // one byte more shows that the file has grown, and reading ends
    long most = stated.bytes() + 1;
    ContentHash found =
        RegularFiles.measure(file, most, OutputStream.nullOutputStream()).blob();
    if (!found.equals(stated.blob())) {
      return ofOtherHash(stated, found);
    }
    String detail = "the blob %s matches its hash; its %d bytes exceed the limit of %d for parsing"
        .formatted(stated.blob(), stated.bytes(), mostParsed);
    return new Unparsed(detail);
  }

  private static BlobCheck ofOtherHash(BlobRef stated, ContentHash found) {
    return new Faulty("the blob %s has the hash %s".formatted(stated.blob(), found), found);
  }

  /** The result for a blob that does not match its reference. */
  static BlobCheck faulty(String detail) {
    return new Faulty(detail, null);
  }

  private static boolean isCanonical(byte[] bytes, CanonicalJson canonical) {
    try {
      return canonical.isCanonical(bytes);
    } catch (JsonSyntaxException notJson) {
      return false;
    }
  }
}
