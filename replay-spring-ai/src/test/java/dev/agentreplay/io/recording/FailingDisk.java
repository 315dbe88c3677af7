package dev.agentreplay.io.recording;

import dev.agentreplay.io.file.AppendFile;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.model.SessionStart;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk that is full for some of the writes, counted from 0; in this package for its seam. */
public final class FailingDisk {

  private final int from;
  private final int to;
  private int writes;

  /** A disk on which the writes from {@code from} on fail, up to {@code to} exclusively. */
  public FailingDisk(int from, int to) {
    this.from = from;
    this.to = to;
  }

  /** Starts a session on this disk. */
  public SessionRecorder start(Path directory, SessionStart start, RecorderOptions options)
      throws IOException {
    Files.createDirectories(directory);
    return SessionRecorder.start(disk(), directory, start, options);
  }

  /** The number of writes. */
  public synchronized int writes() {
    return writes;
  }

  private Disk disk() {
    return (Disk) Proxy.newProxyInstance(
        Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
          try {
            Object result = method.invoke(LocalDisk.INSTANCE, arguments);
            return result instanceof AppendFile file ? new FailingFile(file) : result;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private synchronized void countWrite() throws IOException {
    int number = writes++;
    if (number >= from && number < to) {
      throw new IOException("no space left on device");
    }
  }

  private final class FailingFile extends AppendFile {
    private final AppendFile file;

    FailingFile(AppendFile file) {
      this.file = file;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      countWrite();
      file.write(bytes, offset, length);
    }

    @Override
    public long length() throws IOException {
      return file.length();
    }

    @Override
    public void truncate(long length) throws IOException {
      file.truncate(length);
    }

    @Override
    public void force() throws IOException {
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
