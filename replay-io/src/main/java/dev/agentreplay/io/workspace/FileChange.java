package dev.agentreplay.io.workspace;

import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.text.PlainText;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The change of one file of a workspace, from the time when this object was created until it is
 * closed. Then a {@link FileState} event states the hashes of the file before and after, and its
 * mode where the file system has permissions; there is none if they are the same. Agents get theirs
 * from {@code SessionRecorder.fileChange}:
 *
 * <pre>{@code
 * try (FileChange change = recorder.fileChange(workspace, "src/auth.rs")) {
 *   Files.writeString(workspace.resolve("src/auth.rs"), text);
 * }
 * }</pre>
 *
 * <p>Only regular files have a state: a directory or a symbolic link at the path, or a link on the
 * way from the root to it, is an {@link IOException}. The root itself may be a link. Not safe for
 * use by several threads.
 */
public final class FileChange implements Closeable {

  /** The recorder of changes. */
  @FunctionalInterface
  public interface Recorder {

    /** Records the state of a file that was created, changed or deleted. */
    void record(FileState state) throws IOException;

    /**
     * Called if a file cannot be read, or is not a regular file. Throws the exception, or records
     * the failure: then the change is not recorded.
     */
    default void failed(IOException failure) throws IOException {
      throw failure;
    }
  }

  private final Path root;
  private final List<String> names;
  private final String path;
  private final Recorder recorder;
  private @Nullable State before;
  private boolean isDone;

  private FileChange(Path root, String path, Recorder recorder) throws IOException {
    this.root = Objects.requireNonNull(root, "root");
    this.path = path;
    this.names = names(root, path);
    this.recorder = Objects.requireNonNull(recorder, "recorder");
    try {
      this.before = state();
    } catch (IOException e) {
      this.isDone = true;
      recorder.failed(e);
    }
  }

  /**
   * Reads the state of a file before a change.
   *
   * @param root the directory of the workspace
   * @param path the file, relative to the root, with {@code /} between names
   * @param recorder the recorder of the change
   * @throws IllegalArgumentException if the path is empty, absolute or not in its shortest form, or
   *     has a name such as {@code ..} that leads out of the root
   * @throws IOException if the file cannot be read, or is not a regular file, as the recorder
   *     decides
   */
  public static FileChange of(Path root, String path, Recorder recorder) throws IOException {
    return new FileChange(root, path, recorder);
  }

  private static List<String> names(Path root, String path) {
    JsonString.of(path); // refuses a text without a UTF-8 form
    List<String> names = List.of(path.split("/", -1));
    for (String name : names) {
      if (!isName(root, name)) {
        throw new IllegalArgumentException(
            "expected a path relative to the workspace, with / between names, found \"%s\""
                .formatted(PlainText.escaped(path)));
      }
    }
    return names;
  }

  /** Whether a text is the name of an entry in a directory, and nothing else. */
  private static boolean isName(Path root, String name) {
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      return false;
    }
    try {
      Path entry = root.getFileSystem().getPath(name); // on Windows a name may be "a\b" or "C:"
      return entry.getNameCount() == 1 && !entry.isAbsolute() && entry.getRoot() == null;
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /**
   * The state of a file.
   *
   * @param content its hash and its length
   * @param mode its type and permissions; null if the file system has none
   */
  private record State(BlobRef content, @Nullable String mode) {}

  /** The state of the file; null if it does not exist. */
  private @Nullable State state() throws IOException {
    Path at = root;
    for (String name : names.subList(0, names.size() - 1)) {
      at = at.resolve(name);
      if (RegularFiles.directory(at) == null) {
        return null;
      }
    }
    Path file = RegularFiles.file(at.resolve(names.get(names.size() - 1)));
    return file == null
        ? null
        : new State(
            RegularFiles.measure(file, Long.MAX_VALUE, OutputStream.nullOutputStream()),
            mode(file));
  }

  private static @Nullable String mode(Path file) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    return view == null ? null : FileMode.ofFile(view.readAttributes().permissions());
  }

  /**
   * Reads the state of the file after the change, and records the change, if there is one. Has no
   * effect when it is called again.
   *
   * @throws IOException if the file cannot be read, is not a regular file, or the change cannot be
   *     recorded
   */
  @Override
  public void close() throws IOException {
    if (isDone) {
      return;
    }
    isDone = true;
    State after;
    try {
      after = state();
    } catch (IOException e) {
      recorder.failed(e);
      return;
    }
    State earlier = before;
    if (Objects.equals(earlier, after)) {
      return;
    }
    ContentHash hash = earlier == null ? null : earlier.content().blob();
    recorder.record(
        after == null
            ? FileState.deleted(path, Objects.requireNonNull(hash))
            : FileState.changed(
                    path, hash, after.content().blob(), after.content().bytes())
                .withMode(after.mode()));
  }
}
