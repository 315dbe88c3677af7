package dev.agentreplay.sandbox.snapshot;

import java.nio.file.Path;

/**
 * A file or directory that a walk has found.
 *
 * @param path the path relative to the workspace, with {@code /} between names; empty for the root
 * @param file the file
 * @param stat its state
 * @param isSearched whether it is a directory that is only searched for what is included
 */
record FoundFile(String path, Path file, FileStat stat, boolean isSearched) {

  /** The path of an entry in this directory. */
  String child(String name) {
    return path.isEmpty() ? name : path + "/" + name;
  }
}
