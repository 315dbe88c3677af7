package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file, link or empty directory of the workspace was created, changed or deleted.
 *
 * @param path the file, relative to the workspace, with {@code /} between names
 * @param before the hash of the file's bytes before the change; null when the file did not exist.
 *     The bytes of a symbolic link are its target, and a directory has none
 * @param after the hash of its bytes after the change; null when the file was deleted
 * @param bytes the length of the file after the change, in bytes, not negative
 * @param mode the type and the permissions of the file after the change, as six octal digits, such
 *     as {@code 100644}, {@code 120777} for a symbolic link or {@code 040755} for a directory; null
 *     when the file was deleted, or they are not known
 * @param meta the data common to all events
 */
public record FileState(
    String path,
    @Nullable ContentHash before,
    @Nullable ContentHash after,
    @Nullable Long bytes,
    @Nullable String mode,
    Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public FileState {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates the event for a created file. */
  public static FileState created(String path, ContentHash after, long bytes) {
    return changed(path, null, after, bytes);
  }

  /** Creates the event for a changed file, or for a created one when {@code before} is null. */
  public static FileState changed(
      String path, @Nullable ContentHash before, ContentHash after, long bytes) {
    Objects.requireNonNull(after, "after");
    return new FileState(path, before, after, bytes, null, Meta.NONE);
  }

  /** Creates the event for a deleted file. */
  public static FileState deleted(String path, ContentHash before) {
    Objects.requireNonNull(before, "before");
    return new FileState(path, before, null, null, null, Meta.NONE);
  }

  /** Returns this event with the type and the permissions of the file after the change. */
  public FileState withMode(@Nullable String newMode) {
    return new FileState(path, before, after, bytes, newMode, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.FILE_STATE;
  }

  @Override
  public String name() {
    return path;
  }

  @Override
  public FileState withMeta(Meta newMeta) {
    return new FileState(path, before, after, bytes, mode, newMeta);
  }
}
