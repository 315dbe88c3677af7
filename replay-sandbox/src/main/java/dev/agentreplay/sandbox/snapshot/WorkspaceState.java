package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Meta;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The entries of a workspace at one time, without their times of modification. Immutable. */
final class WorkspaceState {

  /** The mode of a directory that is not recorded if there is something in it. */
  private static final String USUAL_MODE = "040755";

  private static final ContentHash NO_BYTES = ContentHash.sha256(new byte[0]);

  /**
   * An entry.
   *
   * @param isParent whether it is a directory that is not empty
   */
  private record Entry(ContentHash hash, long bytes, String mode, boolean isParent) {

    boolean isSameAs(Entry other) {
      return hash.equals(other.hash) && mode.equals(other.mode);
    }
  }

  private final List<SnapshotEntry> entries;
  private final List<FoundFile> opaque;
  private final boolean hasModes;
  private @Nullable Map<String, Entry> byPath;

  /**
   * Creates the state of a workspace.
   *
   * @param opaque the entries of which only the mode is known: a change of it is one of a file
   *     without bytes
   * @param hasModes whether the modes of the entries are those of the file system
   */
  WorkspaceState(List<SnapshotEntry> entries, List<FoundFile> opaque, boolean hasModes) {
    this.entries = entries;
    this.opaque = opaque;
    this.hasModes = hasModes;
  }

  /** The changes from this state to a later one, sorted by path. */
  List<FileState> changesTo(WorkspaceState later) {
    if (entries.equals(later.entries) && opaque.isEmpty() && later.opaque.isEmpty()) {
      return List.of();
    }
    Map<String, Entry> before = byPath();
    Map<String, Entry> after = later.byPath();
    List<FileState> changes = new ArrayList<>();
    after.forEach((path, entry) -> {
      Entry earlier = before.get(path);
      if (isChange(earlier, entry)) {
        changes.add(new FileState(
            path,
            earlier == null ? null : earlier.hash(),
            entry.hash(),
            entry.bytes(),
            later.hasModes ? entry.mode() : null,
            Meta.NONE));
      }
    });
    before.forEach((path, entry) -> {
      if (!entry.isParent() && !after.containsKey(path)) {
        changes.add(FileState.deleted(path, entry.hash()));
      }
    });
    changes.sort(Comparator.comparing(FileState::path, SnapshotEntry.PATH_ORDER));
    return changes;
  }

  /**
   * Whether an entry has changed. A new directory that is not empty is known by what is in it,
   * unless its mode is unusual; one that becomes empty is a change, so that it can be distinguished
   * from one that is deleted.
   */
  private static boolean isChange(@Nullable Entry earlier, Entry entry) {
    if (earlier == null) {
      return !entry.isParent() || !entry.mode().equals(USUAL_MODE);
    } else if (earlier.isSameAs(entry)) {
      return earlier.isParent() && !entry.isParent();
    }
    return true;
  }

  private Map<String, Entry> byPath() {
    Map<String, Entry> found = byPath;
    if (found == null) {
      Set<String> parents = new HashSet<>();
      entries.forEach(entry -> addParent(entry.path(), parents));
      opaque.forEach(entry -> addParent(entry.path(), parents));
      Map<String, Entry> made = new HashMap<>();
      entries.forEach(entry -> made.put(entry.path(), of(entry, parents)));
      opaque.forEach(
          entry -> made.put(entry.path(), new Entry(NO_BYTES, 0, entry.stat().mode(), false)));
      found = made;
      byPath = found;
    }
    return Objects.requireNonNull(found);
  }

  private static void addParent(String path, Set<String> parents) {
    int slash = path.lastIndexOf('/');
    if (slash > 0) {
      parents.add(path.substring(0, slash));
    }
  }

  private static Entry of(SnapshotEntry entry, Set<String> parents) {
    if (entry instanceof SnapshotEntry.File file) {
      return new Entry(file.hash(), file.bytes(), file.mode(), false);
    } else if (entry instanceof SnapshotEntry.Link link) {
      byte[] target = target(link);
      return new Entry(ContentHash.sha256(target), target.length, link.mode(), false);
    }
    return new Entry(NO_BYTES, 0, entry.mode(), parents.contains(entry.path()));
  }

  /** The bytes of a link, which are its target. */
  static byte[] target(SnapshotEntry.Link link) {
    return link.target().getBytes(StandardCharsets.UTF_8);
  }
}
