package dev.agentreplay.lint.code;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** A directory of class files, which may be one of the file system {@code jrt:}. */
final class FolderPlace implements ClassPlace {

  private final Path folder;
  private final Set<Path> given;
  private final List<String> classFiles = new ArrayList<>();
  private final List<String> nestedJars = new ArrayList<>();
  private Set<String> classPath = Set.of();
  private boolean isListed;

  /**
   * Creates a place.
   *
   * @param given the real paths of jars that are inputs, or in the class path, themselves
   */
  FolderPlace(Path folder, Set<Path> given) {
    this.folder = folder;
    this.given = given;
  }

  @Override
  public String name() {
    return folder.toString();
  }

  @Override
  public List<String> classFiles() throws IOException {
    list();
    return Collections.unmodifiableList(classFiles);
  }

  @Override
  public List<String> nestedJars() throws IOException {
    list();
    return Collections.unmodifiableList(nestedJars);
  }

  private void list() throws IOException {
    if (isListed) {
      return;
    }
    Path root = folder.toRealPath();
    Path versions = root.resolve("META-INF").resolve("versions");
    Files.walkFileTree(root, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
        return directory.equals(versions) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        String name = root.relativize(file).toString().replace('\\', '/');
        if (name.endsWith(".class") && !name.endsWith(MODULE)) {
          classFiles.add(name);
        } else if (name.endsWith(".jar") && !isGiven(file)) {
          nestedJars.add(name);
        }
        return FileVisitResult.CONTINUE;
      }
    });
    Collections.sort(classFiles);
    Collections.sort(nestedJars);
    classPath = NestedJars.named(nestedJars, () -> manifest(root));
    isListed = true;
  }

  private boolean isGiven(Path jar) {
    try {
      return given.contains(jar.toRealPath());
    } catch (IOException e) {
      return false; // a link to a missing file
    }
  }

  private static @Nullable Manifest manifest(Path root) throws IOException {
    Path file = root.resolve("META-INF").resolve("MANIFEST.MF");
    if (!Files.exists(file)) {
      return null;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return new Manifest(in);
    }
  }

  /** The directory may be a part of an application, or one that has several. */
  @Override
  public boolean isLoaded(String nestedJar) {
    Path own = folder.toAbsolutePath().normalize().getFileName();
    return NestedJars.isLoadedAnywhere((own == null ? "" : own + "/") + nestedJar)
        || classPath.contains(nestedJar);
  }

  @Override
  public String remedy() {
    return "name it as an input";
  }

  @Override
  public boolean has(String file) throws IOException {
    try {
      Path root = folder.toAbsolutePath().normalize();
      Path path = root.resolve(file).normalize();
      return path.startsWith(root)
          && Files.readAttributes(path, BasicFileAttributes.class).isRegularFile();
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException | InvalidPathException e) {
      return false;
    }
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
