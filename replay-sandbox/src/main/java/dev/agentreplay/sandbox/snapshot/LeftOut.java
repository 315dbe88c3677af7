package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The entries that are not in a snapshot, by reason. Safe for use by several threads. */
final class LeftOut {

  /** The reason. */
  enum Reason {
    /** It matches a pattern of what is left out; a directory counts once, with all in it. */
    IGNORED,
    /** Its name is one of files with secrets. */
    SECRET,
    /** It is a session or a snapshot, such as the one that is being taken. */
    EXCLUDED,
    /** It is a socket, a pipe or a device. */
    SPECIAL_FILE,
    /** It may not be read. */
    UNREADABLE,
    /** Its name, or the target of a link, has no text in the encoding of the system. */
    NAME,
    /** The bits set-user-ID, set-group-ID and sticky of an entry, which itself is taken. */
    SPECIAL_BITS,
    /** The slashes at the end of a link's target, and repeated ones; the link itself is taken. */
    LINK_SLASHES,
    /** It is a journal of a database that is copied by a backup, which contains its changes. */
    JOURNAL;

    String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The number of names that are stated for a reason. */
  static final int NAMES = 10;

  private static final String COUNT = "count";
  private static final String FIRST = "first";

  private final Map<Reason, List<String>> paths = new EnumMap<>(Reason.class);

  synchronized void add(Reason reason, String path) {
    paths.computeIfAbsent(reason, none -> new ArrayList<>()).add(path);
  }

  /** The paths that were left out for a reason, in the order of paths. */
  synchronized List<String> paths(Reason reason) {
    List<String> sorted = new ArrayList<>(paths.getOrDefault(reason, List.of()));
    sorted.sort(SnapshotEntry.PATH_ORDER);
    return sorted;
  }

  /** The numbers and the first names, in the order of paths. */
  synchronized JsonObject json() {
    JsonObject.Builder json = JsonObject.builder();
    paths.forEach((reason, all) -> {
      Collections.sort(all, SnapshotEntry.PATH_ORDER);
      Object[] first = all.subList(0, Math.min(NAMES, all.size())).toArray();
      json.add(reason.id(), JsonObject.of(COUNT, (long) all.size(), FIRST, JsonArray.of(first)));
    });
    return json.build();
  }
}
