package dev.agentreplay.convert.shown;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/** A path of a {@link ShownFileSystem}. Immutable. */
final class ShownPath implements Path {

  private final ShownFileSystem files;
  private final Path shown;

  /**
   * Creates a path.
   *
   * @param shown the path, as if the source were a directory
   */
  ShownPath(ShownFileSystem files, Path shown) {
    this.files = files;
    this.shown = shown;
  }

  /** The path, as if the source were a directory. */
  Path shown() {
    return shown;
  }

  /** The temporary file; fails as {@link ShownFileSystem#temporary} does. */
  Path temporary() throws IOException {
    return files.temporary(this);
  }

  @Override
  public FileSystem getFileSystem() {
    return files;
  }

  @Override
  public boolean isAbsolute() {
    return shown.isAbsolute();
  }

  @Override
  public @Nullable Path getRoot() {
    return of(shown.getRoot());
  }

  @Override
  public @Nullable Path getFileName() {
    return of(shown.getFileName());
  }

  @Override
  public @Nullable Path getParent() {
    return of(shown.getParent());
  }

  @Override
  public int getNameCount() {
    return shown.getNameCount();
  }

  @Override
  public Path getName(int index) {
    return with(shown.getName(index));
  }

  @Override
  public Path subpath(int from, int to) {
    return with(shown.subpath(from, to));
  }

  @Override
  public boolean startsWith(Path other) {
    return isHere(other) && shown.startsWith(shown(other));
  }

  @Override
  public boolean endsWith(Path other) {
    return isHere(other) && shown.endsWith(shown(other));
  }

  @Override
  public Path normalize() {
    return with(shown.normalize());
  }

  @Override
  public Path resolve(Path other) {
    return with(shown.resolve(shown(other)));
  }

  @Override
  public Path relativize(Path other) {
    return with(shown.relativize(shown(other)));
  }

  @Override
  public URI toUri() {
    return URI.create(ShownFileProvider.SCHEME + ":" + shown.toUri());
  }

  @Override
  public Path toAbsolutePath() {
    return with(shown.toAbsolutePath());
  }

  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    files.provider().checkAccess(this);
    return with(shown.toAbsolutePath().normalize()); // there are no links
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int compareTo(Path other) {
    return shown.compareTo(((ShownPath) other).shown);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ShownPath path && path.files == files && path.shown.equals(shown);
  }

  @Override
  public int hashCode() {
    return shown.hashCode();
  }

  @Override
  public String toString() {
    return shown.toString();
  }

  private @Nullable Path of(@Nullable Path other) {
    return other == null ? null : with(other);
  }

  private Path with(Path other) {
    return new ShownPath(files, other);
  }

  private boolean isHere(Path other) {
    return other.getFileSystem() == files;
  }

  private Path shown(Path other) {
    if (!isHere(other)) {
      throw new ProviderMismatchException();
    }
    return ((ShownPath) other).shown;
  }
}
