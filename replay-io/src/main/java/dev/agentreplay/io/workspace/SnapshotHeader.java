package dev.agentreplay.io.workspace;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.TimeText;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.time.Instant;
import java.util.Objects;

/**
 * The first line of a manifest: the workspace, the rules by which its files were chosen, and what
 * was left out. Immutable.
 *
 * @param root the absolute path of the workspace when the snapshot was taken
 * @param mode the mode of the workspace's directory, as in {@link SnapshotEntry#mode}
 * @param modified the time of the directory's last modification
 * @param identity the user and the host
 * @param rules the rules and limits that chose the files
 * @param leftOut the numbers and first names of the entries that were left out, by reason
 */
public record SnapshotHeader(
    String root,
    String mode,
    Instant modified,
    HostIdentity identity,
    JsonObject rules,
    JsonObject leftOut) {

  /** The version of the format. */
  public static final long VERSION = 1;

  /** The member with the entries that were left out. */
  public static final String LEFT_OUT = "left_out";

  private static final String SNAPSHOT_VERSION = "snapshot_version";
  private static final String ROOT = "root";
  private static final String MODE = SnapshotEntry.Names.MODE;
  private static final String MODIFIED = SnapshotEntry.Names.MODIFIED;
  private static final String IDENTITY = "identity";
  private static final String RULES = "rules";
  private static final String FILES = "files";
  private static final String BYTES = SnapshotEntry.Names.BYTES;

  /** Checks the form of root, mode and time. */
  public SnapshotHeader {
    JsonString.of(root); // refuses a text without a UTF-8 form
    if (root.isEmpty() || root.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("expected an absolute path as the root");
    }
    if (!FileMode.isDirectory(mode)) {
      throw new IllegalArgumentException(
          "expected the mode of a directory, found \"%s\"".formatted(mode));
    }
    if (!TimeText.hasFourDigitYear(modified)) {
      throw new IllegalArgumentException(
          "expected a time of the years 0 to 9999, found " + modified);
    }
    Objects.requireNonNull(identity, "identity");
    Objects.requireNonNull(rules, "rules");
    Objects.requireNonNull(leftOut, "leftOut");
  }

  /** The header as JSON, with the sums of the entries. */
  JsonObject json(Sums sums) {
    return JsonObject.of(
        BYTES, sums.bytes(),
        FILES, sums.files(),
        IDENTITY, identity.json(),
        LEFT_OUT, leftOut,
        MODE, mode,
        MODIFIED, modified.toString(),
        ROOT, root,
        RULES, rules,
        SNAPSHOT_VERSION, VERSION);
  }

  /** The workspace's directory itself, as it enters the hash of the tree. */
  JsonObject tree() {
    return JsonObject.of(MODE, mode, MODIFIED, modified.toString());
  }

  static SnapshotHeader of(JsonObject json) throws DocumentFormatException {
    StrictObject line = StrictObject.of(json);
    long version = line.integer(SNAPSHOT_VERSION, 0);
    if (version != VERSION) {
      throw line.mustBe(
          "the supported version " + VERSION, SNAPSHOT_VERSION, json.get(SNAPSHOT_VERSION));
    }
    line.only(BYTES, FILES, IDENTITY, LEFT_OUT, MODE, MODIFIED, ROOT, RULES, SNAPSHOT_VERSION);
    JsonObject identity = line.object(IDENTITY).json();
    HostIdentity known = HostIdentity.of(identity);
    if (!known.json().equals(identity)) {
      throw line.mustBe("the user and the host", IDENTITY, identity);
    }
    try {
      return new SnapshotHeader(
          line.string(ROOT),
          line.string(MODE),
          SnapshotEntry.modified(line),
          known,
          line.object(RULES).json(),
          line.object(LEFT_OUT).json());
    } catch (IllegalArgumentException e) {
      throw new DocumentFormatException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * The sums of the entries.
   *
   * @param files the number of regular files
   * @param bytes the number of their bytes
   */
  record Sums(long files, long bytes) {

    /**
     * Adds the entries.
     *
     * @throws IllegalArgumentException if the bytes are more than a number has: a sum that is too
     *     small would pass the limits of a restored workspace
     */
    static Sums of(Iterable<SnapshotEntry> entries) {
      long files = 0;
      long bytes = 0;
      for (SnapshotEntry entry : entries) {
        if (entry instanceof SnapshotEntry.File file) {
          files++;
          if (file.bytes() > Long.MAX_VALUE - bytes) {
            throw new IllegalArgumentException("the files have more bytes than a number can state");
          }
          bytes += file.bytes();
        }
      }
      return new Sums(files, bytes);
    }

    /** The sums that a header states. */
    static Sums stated(JsonObject json) throws DocumentFormatException {
      StrictObject line = StrictObject.of(json);
      return new Sums(line.integer(FILES, 0), line.integer(BYTES, 0));
    }
  }
}
