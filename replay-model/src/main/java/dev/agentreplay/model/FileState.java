package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file of the workspace was created, changed or deleted.
 *
 * @param path the file, relative to the workspace, with {@code /} between names
 * @param before the hash of its bytes before; null when it was not there
 * @param after the hash of its bytes after; null when it is not there any more
 * @param bytes its length after, in bytes, not negative
 * @param meta what every event has
 */
public record FileState(
    String path,
    @Nullable ContentHash before,
    @Nullable ContentHash after,
    @Nullable Long bytes,
    Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public FileState {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(meta, "meta");
  }

  /** A file was created. */
  public static FileState created(String path, ContentHash after, long bytes) {
    return changed(path, null, after, bytes);
  }

  /** A file was changed; it was not there when {@code before} is null. */
  public static FileState changed(
      String path, @Nullable ContentHash before, ContentHash after, long bytes) {
    return new FileState(path, before, Objects.requireNonNull(after, "after"), bytes, Meta.NONE);
  }

  /** A file was deleted. */
  public static FileState deleted(String path, ContentHash before) {
    return new FileState(path, Objects.requireNonNull(before, "before"), null, null, Meta.NONE);
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
    return new FileState(path, before, after, bytes, newMeta);
  }
}
