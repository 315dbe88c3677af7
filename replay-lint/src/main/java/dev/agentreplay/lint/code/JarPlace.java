package dev.agentreplay.lint.code;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/** A jar; of one with several releases, the classes for the running JDK. */
final class JarPlace implements ClassPlace {

  /** The places of jars in a jar from which launchers, containers and platforms load classes. */
  private static final List<String> LOADED =
      List.of("BOOT-INF/lib/", "WEB-INF/lib/", "WEB-INF/lib-provided/", "lib/");

  /** The attributes of a manifest that name jars in the jar: of the JDK, OSGi and Eclipse. */
  private static final List<String> CLASS_PATHS =
      List.of("Class-Path", "Bundle-ClassPath", "Rsrc-Class-Path");

  private static final Pattern SEPARATORS = Pattern.compile("[ ,;]+");

  private final Path file;
  private final JarFile jar;
  private final List<String> classFiles = new ArrayList<>();
  private final List<String> nestedJars = new ArrayList<>();
  private final Set<String> classPath = new HashSet<>();

  JarPlace(Path file) throws IOException {
    this.file = file;
    jar = new JarFile(file.toFile(), false, ZipFile.OPEN_READ, Runtime.version());
    try {
      jar.versionedStream().map(JarEntry::getName).forEach(name -> {
        if (name.endsWith(".class") && !name.endsWith(MODULE) && !isVersion(name)) {
          classFiles.add(name);
        } else if (name.endsWith(".jar")) {
          nestedJars.add(name);
        }
      });
      if (!nestedJars.isEmpty()) {
        readClassPath();
      }
    } catch (RuntimeException e) {
      jar.close();
      throw new IOException("not a valid jar: " + e.getMessage(), e);
    }
    Collections.sort(classFiles);
    Collections.sort(nestedJars);
  }

  private void readClassPath() {
    try {
      Manifest manifest = jar.getManifest();
      for (String attribute : CLASS_PATHS) {
        String value = manifest == null ? null : manifest.getMainAttributes().getValue(attribute);
        if (value != null) {
          SEPARATORS
              .splitAsStream(value)
              .forEach(entry -> classPath.add(entry.startsWith("./") ? entry.substring(2) : entry));
        }
      }
    } catch (IOException e) {
      // it names jars that cannot be known, so each may be one of them
      classPath.addAll(nestedJars);
    }
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
  public List<String> classFiles() {
    return Collections.unmodifiableList(classFiles);
  }

  @Override
  public List<String> nestedJars() {
    return Collections.unmodifiableList(nestedJars);
  }

  @Override
  public boolean isLoaded(String nestedJar) {
    return LOADED.stream().anyMatch(nestedJar::startsWith) || classPath.contains(nestedJar);
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
