package dev.agentreplay.io.workspace;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TimeText;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.PlainText;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file, a directory or a symbolic link in a snapshot of a workspace. Immutable; each is created
 * only with a path and a mode of the right form, or else throws {@link IllegalArgumentException}.
 */
public sealed interface SnapshotEntry
    permits SnapshotEntry.File, SnapshotEntry.Directory, SnapshotEntry.Link {

  /** The order of paths in a manifest: that of the bytes of their UTF-8 forms. */
  Comparator<String> PATH_ORDER = SnapshotPath::compare;

  /** The path, relative to the workspace, with {@code /} between names. */
  String path();

  /** The type and the permissions, in the form of {@link FileMode}. */
  String mode();

  /** The entry as a line of the manifest has it. */
  JsonObject json();

  /**
   * A regular file.
   *
   * @param modified the time of its last modification
   * @param hash the hash of its bytes, which names its content in the snapshot
   * @param bytes the number of its bytes
   */
  record File(String path, String mode, Instant modified, ContentHash hash, long bytes)
      implements SnapshotEntry {

    /** Checks the form of the path and the mode. */
    public File {
      requirePath(path);
      require(FileMode.isFile(mode), "the mode of a file", mode);
      requireTime(modified);
      Objects.requireNonNull(hash, "hash");
      require(bytes >= 0, "a number of bytes", bytes);
    }

    @Override
    public JsonObject json() {
      return JsonObject.of(
          Names.BYTES, bytes,
          Names.HASH, hash.toString(),
          Names.MODE, mode,
          Names.MODIFIED, modified.toString(),
          Names.PATH, path);
    }
  }

  /**
   * A directory.
   *
   * @param modified the time of its last modification
   */
  record Directory(String path, String mode, Instant modified) implements SnapshotEntry {

    /** Checks the form of the path and the mode. */
    public Directory {
      requirePath(path);
      require(FileMode.isDirectory(mode), "the mode of a directory", mode);
      requireTime(modified);
    }

    @Override
    public JsonObject json() {
      return JsonObject.of(Names.MODE, mode, Names.MODIFIED, modified.toString(), Names.PATH, path);
    }
  }

  /**
   * A symbolic link, which is not followed.
   *
   * @param target the text of the link, which may lead anywhere
   */
  record Link(String path, String target) implements SnapshotEntry {

    /** Checks the form of the path and the target. */
    public Link {
      requirePath(path);
      require(!target.isEmpty() && target.indexOf('\0') < 0, "the target of a link", target);
    }

    @Override
    public String mode() {
      return FileMode.LINK;
    }

    @Override
    public JsonObject json() {
      return JsonObject.of(Names.MODE, FileMode.LINK, Names.PATH, path, Names.TARGET, target);
    }
  }

  /**
   * Reads the entry of a line.
   *
   * @throws DocumentFormatException if a member is missing, unknown or not of the right form
   */
  static SnapshotEntry of(JsonObject json) throws DocumentFormatException {
    StrictObject line = StrictObject.of(json);
    String path = line.string(Names.PATH);
    String mode = line.string(Names.MODE);
    try {
      if (mode.equals(FileMode.LINK)) {
        line.only(Names.MODE, Names.PATH, Names.TARGET);
        return new Link(path, line.string(Names.TARGET));
      }
      Instant modified = modified(line);
      if (FileMode.isDirectory(mode)) {
        line.only(Names.MODE, Names.MODIFIED, Names.PATH);
        return new Directory(path, mode, modified);
      }
      if (!FileMode.isFile(mode)) {
        throw line.mustBe(
            "the mode of a file, directory or link", Names.MODE, json.get(Names.MODE));
      }
      line.only(Names.BYTES, Names.HASH, Names.MODE, Names.MODIFIED, Names.PATH);
      return new File(path, mode, modified, line.hash(Names.HASH), line.integer(Names.BYTES, 0));
    } catch (IllegalArgumentException e) {
      throw new DocumentFormatException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The time of the last modification that a line of the manifest states. */
  static Instant modified(StrictObject line) throws DocumentFormatException {
    String text = line.string(Names.MODIFIED);
    try {
      Instant modified = Instant.parse(text);
      if (modified.toString().equals(text)) {
        return modified;
      }
    } catch (DateTimeException e) {
      // the same fault as a different form
    }
    throw line.mustBe(
        "a time in UTC in its shortest form", Names.MODIFIED, line.json().get(Names.MODIFIED));
  }

  /**
   * Returns a path if it has the form of {@link #path}.
   *
   * @throws IllegalArgumentException if it is empty, absolute, has an empty name, the name
   *     {@code .} or {@code ..}, a NUL character or a lone surrogate
   */
  static String requirePath(String path) {
    require(SnapshotPath.fault(path) == null, "a path relative to the workspace", path);
    return path;
  }

  private static void requireTime(Instant modified) {
    require(TimeText.hasFourDigitYear(modified), "a time of the years 0 to 9999", modified);
  }

  private static void require(boolean holds, String expected, @Nullable Object found) {
    if (!holds) {
      throw new IllegalArgumentException("expected %s, found \"%s\""
          .formatted(expected, PlainText.escaped(String.valueOf(found))));
    }
  }

  /** The names of members in a manifest. */
  final class Names {
    static final String BYTES = "bytes";
    static final String HASH = "hash";
    static final String MODE = "mode";
    static final String MODIFIED = "modified";
    static final String PATH = "path";
    static final String TARGET = "target";

    private Names() {}
  }
}
