package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.FileContent.Form;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Names;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Adds the contents of files to the differences of their states, as far as they are stored. */
final class StoredFiles {

  /** The maximum length of all texts that one comparison keeps, in characters. */
  private static final long MAX_KEPT = 16L << 20;

  private static final ContentHash NO_BYTES = ContentHash.sha256(new byte[0]);

  private static final Map<String, Function<FileState, @Nullable ContentHash>> HASHES = Map.of(
      "/" + Names.HASH_BEFORE, FileState::before,
      "/" + Names.HASH_AFTER, FileState::after);

  private final Session left;
  private final Session right;
  private final long maxKept;
  private long kept;

  StoredFiles(Session left, Session right) {
    this(left, right, MAX_KEPT);
  }

  /** Reads contents while the texts together have fewer characters than a limit. */
  StoredFiles(Session left, Session right, long maxKept) {
    this.left = left;
    this.right = right;
    this.maxKept = maxKept;
  }

  /** Returns the differences of two states, with the contents of the files. */
  List<ValueChange> describe(FileState before, FileState after, List<ValueChange> values)
      throws IOException {
    List<ValueChange> described = new ArrayList<>();
    for (ValueChange value : values) {
      Function<FileState, @Nullable ContentHash> hash = HASHES.get(value.pointer());
      described.add(
          hash == null || value.detail() != null
              ? value
              : describe(value, hash.apply(before), hash.apply(after)));
    }
    return described;
  }

  private ValueChange describe(
      ValueChange value, @Nullable ContentHash before, @Nullable ContentHash after)
      throws IOException {
    FileContent first = before == null ? null : content(before, left, right);
    FileContent second = after == null ? null : content(after, right, left);
    return isMissing(first) && isMissing(second)
        ? value
        : ((Results.ValueChangeData) value)
            .withDetail(new Results.FileContentsData(Sides.of(first, second)));
  }

  private static boolean isMissing(@Nullable FileContent content) {
    return content == null || content.form() == Form.MISSING;
  }

  /** Reads a content from the session that states it or, as it is the same there, the other. */
  private FileContent content(ContentHash hash, Session session, Session other) throws IOException {
    if (hash.equals(NO_BYTES)) { // of an empty file or a directory, also where nothing is stored
      return new Results.FileContentData(Form.TEXT, 0L, "");
    }
    try (InputStream own = session.file(hash);
        InputStream in = own == null ? other.file(hash) : own) {
      if (in == null) {
        return new Results.FileContentData(Form.MISSING, null, null);
      }
      if (kept >= maxKept) {
        return new Results.FileContentData(Form.OMITTED, null, null);
      }
      byte[] bytes = in.readNBytes(FileContent.MAX_BYTES + 1);
      if (bytes.length > FileContent.MAX_BYTES) {
        return new Results.FileContentData(Form.LARGE, null, null);
      }
      String text = text(bytes);
      kept += text == null ? 0 : text.length();
      return new Results.FileContentData(
          text == null ? Form.BINARY : Form.TEXT, (long) bytes.length, text);
    }
  }

  /** The text of a content; null if it is not UTF-8, or has a NUL character. */
  private static @Nullable String text(byte[] bytes) {
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.indexOf('\0') < 0 ? text : null;
    } catch (CharacterCodingException notUtf8) {
      return null;
    }
  }
}
