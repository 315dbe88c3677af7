package dev.agentreplay.io.context;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Names of files in a stable order: that of their code points, in every locale. */
final class DirectoryNames {

  /** The order of code points, which differs from that of {@code char}s beyond U+FFFF. */
  static final Comparator<String> ORDER = DirectoryNames::compare;

  private DirectoryNames() {}

  /** The names of the entries of a directory. */
  static List<String> list(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        names.add(String.valueOf(entry.getFileName()));
      }
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    names.sort(ORDER);
    return List.copyOf(names);
  }

  /** The relative paths of files and directories below a directory that match a glob. */
  static List<String> glob(Path given, String pattern) throws IOException {
    Path directory = given.toRealPath(); // which may be a link, unlike those below it
    PathMatcher matcher = directory.getFileSystem().getPathMatcher("glob:" + pattern);
    List<String> found = new ArrayList<>();
    Files.walkFileTree(directory, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path entry, BasicFileAttributes attributes) {
        if (!entry.equals(directory)) {
          add(entry);
        }
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path entry, BasicFileAttributes attributes)
          throws IOException {
        if (entry.equals(directory)) {
          throw new java.nio.file.NotDirectoryException(directory.toString());
        }
        add(entry);
        return FileVisitResult.CONTINUE;
      }

      private void add(Path entry) {
        Path relative = directory.relativize(entry);
        if (matcher.matches(relative)) {
          found.add(StreamSupport.stream(relative.spliterator(), false)
              .map(Path::toString)
              .collect(Collectors.joining("/")));
        }
      }
    });
    found.sort(ORDER);
    return List.copyOf(found);
  }

  private static int compare(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean isPair = Character.isSurrogate(a) != Character.isSurrogate(b);
        return isPair ? (Character.isSurrogate(a) ? 1 : -1) : a - b;
      }
    }
    return left.length() - right.length();
  }
}
