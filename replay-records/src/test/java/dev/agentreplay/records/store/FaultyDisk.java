package dev.agentreplay.records.store;

import dev.agentreplay.io.file.AppendFile;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The disk of this machine, on which one call that writes fails. */
final class FaultyDisk implements Disk {

  /** A way to fail. */
  enum Fault {
    /** The call does nothing. */
    BEFORE,
    /** The call does everything. */
    AFTER,
    /** The process dies before the call: no later call does anything. */
    DEATH_BEFORE,
    /** The process dies after the call. */
    DEATH_AFTER;

    boolean isDeath() {
      return this == DEATH_BEFORE || this == DEATH_AFTER;
    }

    boolean isAfter() {
      return this == AFTER || this == DEATH_AFTER;
    }
  }

  /** The message of the call that fails, and of all calls after a death. */
  static final String INJECTED = "injected fault";

  /** A call that writes. */
  @FunctionalInterface
  private interface Call<T extends @Nullable Object> {
    T run() throws IOException;
  }

  private final Disk disk = LocalDisk.INSTANCE;
  private final int failing;
  private final Fault fault;
  private int calls;
  private boolean isDead;

  /**
   * Creates a disk.
   *
   * @param failing the number of the call that fails, from 1
   */
  FaultyDisk(int failing, Fault fault) {
    this.failing = failing;
    this.fault = fault;
  }

  /** Whether the call that fails was made. */
  boolean hasFailed() {
    return calls >= failing;
  }

  private <T extends @Nullable Object> T call(Call<T> call) throws IOException {
    if (isDead) {
      throw new IOException(INJECTED);
    }
    if (++calls != failing) {
      return call.run();
    }
    isDead = fault.isDeath();
    if (fault.isAfter()) {
      call.run();
    }
    throw new IOException(INJECTED);
  }

  private void write(Call<?> call) throws IOException {
    call(call);
  }

  @Override
  public AppendFile create(Path file) throws IOException {
    if (fault.isAfter() && calls + 1 == failing) {
      call(() -> {
        disk.create(file).close();
        return file;
      });
    }
    return new FaultyFile(call(() -> disk.create(file)));
  }

  @Override
  public AppendFile createReplacement(Path file, Path replaced) throws IOException {
    return new FaultyFile(call(() -> disk.createReplacement(file, replaced)));
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    return new FaultyFile(call(() -> disk.append(file)));
  }

  @Override
  public InputStream read(Path file) throws IOException {
    return disk.read(file);
  }

  @Override
  public @Nullable FileState state(Path file) throws IOException {
    return disk.state(file);
  }

  @Override
  public Lock lock(Path file) throws IOException {
    return disk.lock(file);
  }

  @Override
  public boolean exists(Path file) {
    return disk.exists(file);
  }

  @Override
  public List<String> names(Path directory) throws IOException {
    return disk.names(directory);
  }

  @Override
  public void move(Path file, Path name) throws IOException {
    write(() -> {
      disk.move(file, name);
      return name;
    });
  }

  @Override
  public void moveIfAbsent(Path file, Path name) throws IOException {
    write(() -> {
      disk.moveIfAbsent(file, name);
      return name;
    });
  }

  @Override
  public void delete(Path file) throws IOException {
    write(() -> {
      disk.delete(file);
      return file;
    });
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    write(() -> {
      disk.createDirectory(directory);
      return directory;
    });
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    write(() -> {
      disk.forceDirectory(directory);
      return directory;
    });
  }

  /** A file whose calls are those of the disk. */
  private final class FaultyFile extends AppendFile {
    private final AppendFile file;

    FaultyFile(AppendFile file) {
      this.file = file;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      FaultyDisk.this.write(() -> {
        file.write(bytes, from, length);
        return file;
      });
    }

    @Override
    public long length() throws IOException {
      return file.length();
    }

    @Override
    public void truncate(long length) throws IOException {
      FaultyDisk.this.write(() -> {
        file.truncate(length);
        return file;
      });
    }

    @Override
    public void force() throws IOException {
      FaultyDisk.this.write(() -> {
        file.force();
        return file;
      });
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
