package dev.agentreplay.lint.code;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A directory of class files, which may be one of the file system {@code jrt:}. */
final class FolderPlace implements ClassPlace {

  private final Path folder;

  FolderPlace(Path folder) {
    this.folder = folder;
  }

  @Override
  public String name() {
    return folder.toString();
  }

  @Override
  public List<String> classFiles() throws IOException {
    List<String> files = new ArrayList<>();
    Path versions = folder.resolve("META-INF").resolve("versions");
    Files.walkFileTree(folder, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
        return directory.equals(versions) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        if (name.endsWith(".class") && !name.endsWith(MODULE)) {
          files.add(name);
        }
        return FileVisitResult.CONTINUE;
      }
    });
    Collections.sort(files);
    return files;
  }

  @Override
  public List<String> nestedJars() {
    return List.of();
  }

  @Override
  public boolean isLoaded(String nestedJar) {
    return false;
  }

  @Override
  public byte[] read(String file) throws IOException {
    try (InputStream in = Files.newInputStream(folder.resolve(file))) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw ClassPlace.tooLarge();
      }
      return bytes;
    }
  }

  @Override
  public String describe(String file) {
    return folder.resolve(file).toString();
  }

  @Override
  public void close() {}
}
