package dev.agentreplay.sandbox;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files of the operating system that every program sees: {@code /usr} with the links to it, and
 * of {@code /etc} what programs need and what holds no secret.
 */
record SystemFiles(List<Entry> entries) {

  /** A file or directory, or a link with its target. */
  record Entry(Path path, @Nullable String target) {}

  private static final List<String> TOP =
      List.of("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32");

  // Not all of ssl and pki, which hold private keys that root could read.
  private static final List<String> CONFIGURATION = List.of(
      "alternatives",
      "ca-certificates",
      "crypto-policies",
      "fonts",
      "ld.so.cache",
      "ld.so.conf",
      "ld.so.conf.d",
      "localtime",
      "timezone",
      "maven/logging",
      "maven/m2.conf",
      "mime.types",
      "os-release",
      "pki/ca-trust",
      "pki/java",
      "pki/tls/cert.pem",
      "pki/tls/certs",
      "pki/tls/openssl.cnf",
      "protocols",
      "services",
      "ssl/cert.pem",
      "ssl/certs",
      "ssl/openssl.cnf");

  /** The files of a machine whose root directory is given. */
  static SystemFiles of(Path root) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (String name : TOP) {
      add(entries, root, Path.of("/", name));
    }
    TreeSet<String> names = new TreeSet<>(CONFIGURATION);
    Path etc = root.resolve("etc");
    if (Files.isDirectory(etc)) {
      // The configuration of Debian's JDKs.
      try (DirectoryStream<Path> java = Files.newDirectoryStream(etc, "java-*")) {
        java.forEach(path -> names.add(path.getFileName().toString()));
      }
    }
    for (String name : names) {
      add(entries, root, Path.of("/etc", name));
    }
    return new SystemFiles(List.copyOf(entries));
  }

  /** Whether a path is in a directory of the system, which every program sees. */
  boolean shows(Path path) {
    return directoryAbove(path) != null;
  }

  /** The directory of the system in which a path is, or that it names; null if there is none. */
  @Nullable
  Path directoryAbove(Path path) {
    return entries.stream()
        .map(Entry::path)
        .filter(path::startsWith)
        .findFirst()
        .orElse(null);
  }

  private static void add(List<Entry> entries, Path root, Path path) throws IOException {
    Path file = root.resolve(Path.of("/").relativize(path));
    if (Files.isSymbolicLink(file)) {
      entries.add(new Entry(path, Files.readSymbolicLink(file).toString()));
    } else if (Files.exists(file)) {
      entries.add(new Entry(path, null));
    }
  }
}
