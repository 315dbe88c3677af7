package dev.agentreplay.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Bytes and special files for tests of readers. */
public final class TestFiles {

  private TestFiles() {}

  /** Compresses bytes to one gzip member (RFC 1952). */
  public static byte[] gzip(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out) {
      {
        def.setLevel(Deflater.BEST_SPEED);
      }
    }) {
      gzip.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Concatenates two arrays. */
  public static byte[] concat(byte[] left, byte[] right) {
    byte[] both = Arrays.copyOf(left, left.length + right.length);
    System.arraycopy(right, 0, both, left.length, right.length);
    return both;
  }

  /** Creates a named pipe. Returns whether this platform supports named pipes. */
  public static boolean makePipe(Path pipe) throws InterruptedException {
    try {
      return new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Deletes a directory with everything in it. */
  public static void delete(Path directory) throws IOException {
    List<Path> found;
    try (Stream<Path> walk = Files.walk(directory)) {
      found = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : found) {
      Files.delete(path);
    }
  }
}
