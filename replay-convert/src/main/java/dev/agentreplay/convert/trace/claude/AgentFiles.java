package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.TraceSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files of the sub-agents of a session. A sub-agent is called by its id; if several have the
 * same one, as those of different workflows may, by the path of its file.
 */
final class AgentFiles {

  /** The maximum number of records of files that are looked up. */
  private static final int MAX_RECORDS = 100_000;

  private final TraceSource source;
  private final Map<String, List<String>> files = new HashMap<>();

  /** The lanes of the files, in the order of their names. */
  private final Map<String, String> lanes = new TreeMap<>();

  private final Set<String> unread;

  /** The ids of the records of the files that were looked into. */
  private final Map<String, Set<String>> records = new HashMap<>();

  private int recordCount;

  AgentFiles(TraceSource source) {
    this.source = source;
    List<String> names = source.names(); // the first one is the transcript
    for (String name : names.subList(Math.min(1, names.size()), names.size())) {
      if (ProjectFiles.isAgentFile(name)) {
        files
            .computeIfAbsent(ProjectFiles.agentOf(name), any -> new ArrayList<>(1))
            .add(name);
      }
    }
    files.forEach((agent, named) -> named.forEach(
        name -> lanes.put(name, named.size() == 1 ? agent : ProjectFiles.agentPath(name))));
    this.unread = new TreeSet<>(lanes.keySet());
  }

  /** The file of a sub-agent; null if it has none, or it is not clear which one. */
  @Nullable
  String file(String agent) {
    List<String> named = files.getOrDefault(agent, List.of());
    if (named.size() == 1) {
      return named.get(0);
    }
    return named.stream()
        .filter(name -> name.equals(ProjectFiles.SUBAGENTS + "/" + ProjectFiles.agentFile(agent)))
        .findFirst()
        .orElse(null);
  }

  /** Whether a sub-agent has a file. */
  boolean hasFile(String agent) {
    return files.containsKey(agent);
  }

  /** The lane of a sub-agent. */
  String lane(String agent) {
    String file = file(agent);
    return file == null ? agent : lanes.getOrDefault(file, agent);
  }

  /** The lane of a file. */
  String laneOf(String file) {
    return lanes.getOrDefault(file, file);
  }

  /** The files that were not taken yet. */
  List<String> unread() {
    return List.copyOf(unread);
  }

  /** Takes a file to read it; false if it was taken before. */
  boolean take(String file) {
    return unread.remove(file);
  }

  /** Whether a file of a sub-agent has a record. Each file is looked into once. */
  boolean has(String agent, @Nullable String uuid) throws IOException {
    for (String file : uuid == null ? List.<String>of() : files.getOrDefault(agent, List.of())) {
      Set<String> ids = records.get(file);
      if (ids == null) {
        ids = read(file);
        records.put(file, ids);
      }
      if (ids.contains(uuid)) {
        return true;
      }
    }
    return false;
  }

  private Set<String> read(String file) throws IOException {
    Set<String> ids = new HashSet<>();
    try (SourceLines lines = new SourceLines(source.open(file), file)) {
      for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
        String uuid = line.json() == null ? null : SourceHead.text(line.json(), "uuid");
        if (uuid != null && recordCount < MAX_RECORDS && ids.add(uuid)) {
          recordCount++;
        }
      }
    }
    return ids;
  }
}
