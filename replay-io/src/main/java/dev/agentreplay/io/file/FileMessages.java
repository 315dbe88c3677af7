package dev.agentreplay.io.file;

import dev.agentreplay.model.text.Excerpt;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Messages for failures of file systems: those of the JDK are often the bare path. */
public final class FileMessages {

  private static final int MAX_PATH = 200;

  private FileMessages() {}

  /**
   * Returns the message of a failure, with the path and the reason. Of a path only the first 200
   * characters are stated.
   */
  public static String of(Throwable failure) {
    if (!(failure instanceof FileSystemException known) || known.getFile() == null) {
      String message = failure.getMessage();
      return message == null ? failure.toString() : message;
    }
    String path = Excerpt.beginning(known.getFile(), MAX_PATH);
    return (path.equals(known.getFile()) ? path : path + "...") + ": " + reason(known);
  }

  private static String reason(FileSystemException failure) {
    if (failure.getReason() != null) {
      return failure.getReason();
    } else if (failure instanceof AccessDeniedException) {
      return "permission denied";
    } else if (failure instanceof NoSuchFileException) {
      return "no such file or directory";
    } else if (failure instanceof NotDirectoryException) {
      return "not a directory";
    } else if (failure instanceof FileAlreadyExistsException) {
      return "the file exists";
    } else if (failure instanceof DirectoryNotEmptyException) {
      return "the directory is not empty";
    }
    return failure.getClass().getSimpleName();
  }
}
