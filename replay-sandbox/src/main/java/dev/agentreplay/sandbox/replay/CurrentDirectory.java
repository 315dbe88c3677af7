package dev.agentreplay.sandbox.replay;

import dev.agentreplay.sandbox.internal.ThisUser;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The current directory, as programs in a sandbox see it. */
final class CurrentDirectory {

  private static final List<Path> SETTINGS =
      List.of(Path.of("/dev"), Path.of("/etc"), Path.of("/proc"), Path.of("/run"), Path.of("/sys"));

  private CurrentDirectory() {}

  /**
   * Whether a directory is not shown, because more than the files of a project is in it: the home
   * directory, the temporary files of all programs, or the settings of the system.
   */
  static boolean holdsMore(Path directory) {
    Path home = ThisUser.home();
    Path temporary =
        Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().normalize();
    return (home != null && home.startsWith(directory))
        || temporary.startsWith(directory)
        || Path.of("/var/tmp").startsWith(directory)
        || SETTINGS.stream().anyMatch(directory::startsWith);
  }

  /**
   * The paths that show a directory, in which there may be the place of a workspace. A place that
   * does not exist any more cannot be created in a directory that is shown read-only: then all that
   * is next to it is shown by itself, without links.
   */
  static List<Path> around(Path directory, Path workspace) throws IOException {
    if (!workspace.startsWith(directory)
        || workspace.equals(directory)
        || Files.isDirectory(workspace)) {
      return List.of(directory);
    }
    List<Path> paths = new ArrayList<>();
    Path next = directory;
    while (!next.equals(workspace) && Files.isDirectory(next, LinkOption.NOFOLLOW_LINKS)) {
      Path within = next.resolve(next.relativize(workspace).getName(0));
      try (DirectoryStream<Path> children = Files.newDirectoryStream(next)) {
        for (Path child : children) {
          if (!child.equals(within) && !Files.isSymbolicLink(child)) {
            paths.add(child);
          }
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      next = within;
    }
    return paths;
  }
}
