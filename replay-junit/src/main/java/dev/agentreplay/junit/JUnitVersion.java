package dev.agentreplay.junit;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The version of JUnit in a build, which may be older than the minimum. */
final class JUnitVersion {

  private static final String LEAST = "5.12";

  /** A method that {@link ExtensionContext} has since that version. */
  private static final String METHOD = "publishDirectory";

  private JUnitVersion() {}

  /** Fails if JUnit is too old, before a missing method is called. */
  static void require() {
    String found = ExtensionContext.class.getPackage().getImplementationVersion();
    if (found == null) {
      found = Optional.ofNullable(ExtensionContext.class.getModule().getDescriptor())
          .flatMap(module -> module.rawVersion())
          .orElse(null);
    }
    require(ExtensionContext.class, found);
  }

  /**
   * Fails if JUnit is too old.
   *
   * @param context the class of contexts of that JUnit
   * @param found the version of that JUnit; null if it is unknown
   */
  static void require(Class<?> context, @Nullable String found) {
    boolean isNewEnough =
        Arrays.stream(context.getMethods()).anyMatch(method -> method.getName().equals(METHOD));
    if (!isNewEnough) {
      throw new ExtensionConfigurationException("replay-junit needs JUnit %s or later, found %s"
          .formatted(LEAST, found == null ? "an earlier version" : found));
    }
  }
}
