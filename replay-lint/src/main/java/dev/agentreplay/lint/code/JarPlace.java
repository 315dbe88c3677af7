package dev.agentreplay.lint.code;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;

/** A jar; of one with several releases, the classes for the running JDK. */
final class JarPlace implements ClassPlace {

  private final Path file;
  private final JarFile jar;
  private final List<String> classFiles = new ArrayList<>();
  private final List<String> nestedJars = new ArrayList<>();
  private Set<String> classPath = Set.of();
  private boolean isListed;

  JarPlace(Path file) throws IOException {
    this.file = file;
    jar = new JarFile(file.toFile(), false, ZipFile.OPEN_READ, Runtime.version());
  }

  private void list() throws IOException {
    if (isListed) {
      return;
    }
    try {
      jar.versionedStream().map(JarEntry::getName).forEach(name -> {
        if (name.endsWith(".class") && !name.endsWith(MODULE) && !isVersion(name)) {
          classFiles.add(name);
        } else if (name.endsWith(".jar")) {
          nestedJars.add(name);
        }
      });
      classPath = NestedJars.named(nestedJars, jar::getManifest);
    } catch (RuntimeException e) {
      throw invalid(e);
    }
    Collections.sort(classFiles);
    Collections.sort(nestedJars);
    isListed = true;
  }

  private static IOException invalid(RuntimeException e) {
    return new IOException("not a valid jar: " + e.getMessage(), e);
  }

  /** Whether an entry is one for a release, in a jar that does not say so. */
  private static boolean isVersion(String name) {
    return name.startsWith("META-INF/versions/");
  }

  @Override
  public String name() {
    return file.toString();
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

  @Override
  public boolean isLoaded(String nestedJar) {
    return NestedJars.isLoaded(nestedJar) || classPath.contains(nestedJar);
  }

  @Override
  public String remedy() {
    return "unpack the outer jar";
  }

  @Override
  public boolean has(String name) throws IOException {
    try {
      return jar.getJarEntry(name) != null;
    } catch (RuntimeException e) {
      throw invalid(e);
    }
  }

  @Override
  public byte[] read(String name) throws IOException {
    JarEntry entry = jar.getJarEntry(name);
    if (entry == null) {
      throw new FileNotFoundException(name);
    }
    try (InputStream in = jar.getInputStream(entry)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw ClassPlace.tooLarge();
      }
      return bytes;
    }
  }

  @Override
  public String describe(String name) {
    return file + "!/" + name;
  }

  @Override
  public void close() throws IOException {
    jar.close();
  }
}
