package dev.agentreplay.engine.replay;

import dev.agentreplay.io.workspace.WorkspaceCapture;
import dev.agentreplay.io.workspace.WorkspaceSnapshot;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ToolCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A workspace in memory, and its capture. */
class MemoryWorkspace implements WorkspaceCapture {

  /** The contents by their hashes that {@link #apply} uses, as a snapshot has them. */
  private final Map<ContentHash, String> contents;

  private final Map<String, String> files = new TreeMap<>();
  private Map<String, String> known = Map.of();

  MemoryWorkspace(Map<ContentHash, String> contents) {
    this.contents = contents;
  }

  synchronized void write(String path, String text) {
    files.put(path, text);
  }

  synchronized void delete(String path) {
    files.remove(path);
  }

  synchronized String read(String path) {
    return files.getOrDefault(path, "missing");
  }

  @Override
  public synchronized WorkspaceSnapshot capture(Path session) {
    known = new TreeMap<>(files);
    return new WorkspaceSnapshot(hash(files.toString()), "snapshot/MANIFEST.jsonl");
  }

  @Override
  public List<FileState> beforeTool(ToolCall call) {
    return changes();
  }

  @Override
  public List<FileState> afterTool(String callId) throws IOException {
    return changes();
  }

  @Override
  public List<FileState> atEnd() {
    return changes();
  }

  @Override
  public synchronized List<FileState> apply(List<FileState> changes) {
    List<FileState> left = new ArrayList<>();
    for (FileState change : changes) {
      if (change.after() == null) {
        files.remove(change.path());
      } else if (contents.containsKey(change.after())) {
        files.put(change.path(), contents.get(change.after()));
      } else {
        left.add(change);
      }
    }
    return left;
  }

  private synchronized List<FileState> changes() {
    Map<String, String> all = new TreeMap<>(known);
    all.putAll(files);
    List<FileState> changes = new ArrayList<>();
    for (String path : all.keySet()) {
      String before = known.get(path);
      String after = files.get(path);
      if (!Objects.equals(before, after)) {
        changes.add(
            after == null
                ? FileState.deleted(path, hash(before))
                : FileState.changed(
                    path, before == null ? null : hash(before), hash(after), after.length()));
      }
    }
    known = new TreeMap<>(files);
    return changes;
  }

  static ContentHash hash(String text) {
    return ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}
