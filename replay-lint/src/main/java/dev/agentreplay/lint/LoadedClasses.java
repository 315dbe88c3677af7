package dev.agentreplay.lint;

import dev.agentreplay.lint.pattern.MemberPattern;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;

/** The files of classes that are loaded in this JVM. */
final class LoadedClasses {

  private LoadedClasses() {}

  /** The directory or jar that a class is from. */
  static Path place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      throw new IllegalArgumentException(
          "expected a class from a directory or jar, found " + type.getName());
    }
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "expected a class from a directory or jar, found %s from %s"
              .formatted(type.getName(), source.getLocation()),
          e);
    }
  }

  static MemberPattern pattern(Class<?> type) {
    return MemberPattern.ofClass(type.getName().replace('.', '/'));
  }
}
