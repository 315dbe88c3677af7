package dev.agentreplay.io.log;

import dev.agentreplay.io.file.GzipInput;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A log on disk or in a pipe, compressed or not. */
public final class LogFile {

  private static final int MAGIC_BYTES = 2;

  private LogFile() {}

  /**
   * Opens the bytes of a log: those of all its parts, and those of a compressed one decompressed.
   *
   * @throws NoSuchFileException if there is no log, or a part of it is missing
   */
  public static InputStream open(Path file) throws IOException {
    SegmentsInput parts = plain(file);
    if (parts != null) {
      // else the log would seem to end at the one that is missing
      LogSegments.existing(named(file));
      return parts;
    }
    refuseSegments(file);
    InputStream in = Files.newInputStream(file);
    try {
      byte[] beginning = in.readNBytes(MAGIC_BYTES);
      // a pipe cannot be opened again
      PushbackInputStream whole = new PushbackInputStream(in, MAGIC_BYTES);
      whole.unread(beginning);
      return GzipInput.isMagic(beginning) ? new GzipInput(whole, file.toString()) : whole;
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /**
   * The bytes of a log that any of them can be read from.
   *
   * @throws NoSuchFileException if there is no such file
   * @throws IOException if it is compressed, or no regular file
   */
  static SegmentsInput openPlain(Path file) throws IOException {
    SegmentsInput parts = plain(file);
    if (parts != null) {
      return parts;
    }
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    throw new IOException("%s: expected a regular file that is not compressed, found %s"
        .formatted(file, Files.isRegularFile(file) ? "a gzip file" : "another kind"));
  }

  /** The files that a log is in now. */
  public static List<Path> parts(Path file) throws IOException {
    if (isPlain(file)) {
      return LogSegments.existing(named(file));
    }
    refuseSegments(file);
    return List.of(file);
  }

  /** A compressed log is in one file: what looks like a segment of it would not be read. */
  private static void refuseSegments(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return;
    }
    Path log = named(file);
    for (int part : LogSegments.later(LocalDisk.INSTANCE, log)) {
      throw new IOException(
          "%s: expected one log, found a compressed one, which has no segments, and %s"
              .formatted(
                  PlainText.escaped(file.toString()),
                  PlainText.escaped(LogSegments.file(log, part).getFileName().toString())));
    }
  }

  private static @Nullable SegmentsInput plain(Path file) throws IOException {
    return isPlain(file) ? new SegmentsInput(named(file)) : null;
  }

  private static boolean isPlain(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return !GzipInput.isMagic(in.readNBytes(MAGIC_BYTES));
    }
  }

  /** The parts of a log are beside the file itself, not beside a link to it. */
  public static Path named(Path file) throws IOException {
    return Files.isSymbolicLink(file) ? file.toRealPath() : file;
  }
}
