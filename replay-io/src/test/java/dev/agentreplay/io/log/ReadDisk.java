package dev.agentreplay.io.log;

import dev.agentreplay.io.file.AppendFile;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The disk of this machine, to be read from; a test lets something happen in its calls. */
class ReadDisk implements Disk {

  @Override
  public InputStream read(Path file) throws IOException {
    return LocalDisk.INSTANCE.read(file);
  }

  @Override
  public @Nullable FileState state(Path file) throws IOException {
    return LocalDisk.INSTANCE.state(file);
  }

  @Override
  public List<String> names(Path directory) throws IOException {
    return LocalDisk.INSTANCE.names(directory);
  }

  @Override
  public boolean exists(Path file) {
    return LocalDisk.INSTANCE.exists(file);
  }

  @Override
  public AppendFile create(Path file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public AppendFile createReplacement(Path file, Path replaced) {
    throw new UnsupportedOperationException();
  }

  @Override
  public AppendFile append(Path file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Lock lock(Path file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void move(Path file, Path name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void moveIfAbsent(Path file, Path name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(Path file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createDirectory(Path directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void forceDirectory(Path directory) {
    throw new UnsupportedOperationException();
  }
}
