package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionDirectory;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Copies, moves and deletes the files of a session in its directory. */
final class SessionFolder {

  private static final Pattern INVOCATION = Pattern.compile("[0-9]+");

  private SessionFolder() {}

  /**
   * Deletes the session in a directory, if there is one. Directories whose name is a number are
   * kept: they belong to invocations of a test.
   *
   * @throws FileAlreadyExistsException if there is any other file; nothing is deleted then
   */
  static void clear(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    Path blobs = directory.resolve(Session.BLOBS_NAME);
    for (Path file : list(directory)) {
      String name = file.getFileName().toString();
      boolean isDirectory = Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
      if (isDirectory && file.equals(blobs)) {
        for (Path blob : list(blobs)) {
          boolean isTemporary = WholeFile.isTemporary(blob.getFileName().toString());
          files.add(required(isBlob(blob) || isTemporary, blob));
        }
        files.add(blobs);
      } else if (!isDirectory || !INVOCATION.matcher(name).matches()) {
        boolean isOurs = SessionDirectory.isOfSession(name)
            || SessionDirectory.isLeftover(name)
            || name.equals(Session.SUMMARY_NAME)
            || name.equals(Session.ACCEPTED_NAME)
            || name.equals(Replay.LEDGER_NAME);
        files.add(required(!isDirectory && isOurs, file));
      }
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }

  /**
   * Copies a session, byte for byte, into a directory without a session.
   *
   * @throws IOException also if a file of the session is a link
   */
  static void copy(Session session, Path directory) throws IOException {
    Files.createDirectories(directory);
    if (session.blobs() != null) {
      Path blobs = Files.createDirectories(directory.resolve(Session.BLOBS_NAME));
      for (Path blob : list(session.blobs())) {
        if (isBlob(blob)) {
          RegularFiles.copy(blob, blobs.resolve(blob.getFileName()));
        }
      }
    }
    copy(session.receipt(), directory.resolve(Session.RECEIPT_NAME));
    copy(session.envelope(), directory.resolve(Session.ENVELOPE_NAME));
    copy(session.publicCheckpoint(), directory.resolve(Session.PUBLIC_CHECKPOINT_NAME));
    copy(session.summary(), directory.resolve(Session.SUMMARY_NAME));
    boolean isCompressed = session.log().toString().endsWith(".gz");
    Path log = directory.resolve(isCompressed ? Session.COMPRESSED_LOG_NAME : Session.LOG_NAME);
    List<Path> segments = session.segments();
    for (int segment = segments.size(); segment > 0; segment--) {
      copy(segments.get(segment - 1), LogSegments.file(log, segment));
    }
  }

  /**
   * Moves a session from one directory to another and replaces the session there. The log is moved
   * last. Files of the replaced session without a counterpart in the new one are renamed to
   * {@code <name>.replaced}; files that are not part of a session are not changed.
   */
  static void move(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    Path blobs = from.resolve(Session.BLOBS_NAME);
    Path blobsThere = to.resolve(Session.BLOBS_NAME);
    for (Path file : list(to)) {
      String name = file.getFileName().toString();
      if (SessionDirectory.isOfSession(name) || name.equals(Session.ACCEPTED_NAME)) {
        setAside(file, from);
      }
    }
    for (Path blob : list(blobsThere)) {
      if (isBlob(blob)) {
        setAside(blob, blobs);
      }
    }
    for (Path blob : list(blobs)) {
      Files.createDirectories(blobsThere);
      replace(blob, blobsThere.resolve(blob.getFileName()));
    }
    Files.deleteIfExists(blobs);
    List<Path> files = new ArrayList<>(list(from));
    files.sort((a, b) -> Boolean.compare(isLog(a), isLog(b)));
    for (Path file : files) {
      replace(file, to.resolve(file.getFileName()));
    }
    deleteIfEmpty(from);
  }

  /**
   * Moves the log in a session directory to a path with a different file name, and deletes the
   * other files of the directory.
   *
   * @return null, or the reason why it cannot be moved; nothing is moved then
   */
  static @Nullable String moveLog(Path from, Path place) throws IOException {
    Path log = from.resolve(Session.LOG_NAME);
    if (!place.toString().endsWith(".jsonl") || !Files.exists(log)) {
      return "one of the two logs is compressed";
    }
    if (Files.exists(from.resolve(Session.BLOBS_NAME)) || Files.exists(LogSegments.file(log, 2))) {
      return "the session has several files, which need a directory";
    }
    Files.createDirectories(LogSegments.directory(place));
    replace(log, place);
    clear(from);
    deleteIfEmpty(from);
    return null;
  }

  /** Moves a file, replacing an existing one atomically. */
  private static void replace(Path file, Path place) throws IOException {
    Files.move(file, place, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes a directory if it is empty. */
  private static void deleteIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      // files of others are kept
    }
  }

  private static void setAside(Path file, Path replacements) throws IOException {
    String name = file.getFileName().toString();
    if (Files.exists(replacements.resolve(name))) {
      return;
    }
    Path aside = file.resolveSibling(name + ".replaced");
    for (int n = 2; Files.exists(aside, LinkOption.NOFOLLOW_LINKS); n++) {
      aside = file.resolveSibling(name + ".replaced." + n);
    }
    Files.move(file, aside);
  }

  private static void copy(@Nullable Path file, Path place) throws IOException {
    if (file != null) {
      RegularFiles.copy(file, place);
    }
  }

  private static Path required(boolean isOfSession, Path file) throws IOException {
    if (!isOfSession) {
      throw new FileAlreadyExistsException(file.toString(), null, "not part of a session");
    }
    return file;
  }

  private static boolean isLog(Path file) {
    return file.endsWith(Session.LOG_NAME) || file.endsWith(Session.COMPRESSED_LOG_NAME);
  }

  private static boolean isBlob(Path file) {
    return SessionDirectory.isBlob(file.getFileName().toString());
  }

  /** The files in a directory, sorted; empty if the directory does not exist. */
  private static List<Path> list(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }
}
