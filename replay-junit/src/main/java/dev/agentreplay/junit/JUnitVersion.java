package dev.agentreplay.junit;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The version of JUnit that a build has, which may be older than what is needed. */
final class JUnitVersion {

  private static final String LEAST = "5.12";

  /** What a context has from that version on. */
  private static final String METHOD = "publishDirectory";

  private JUnitVersion() {}

  /** Fails, before a method is called that is missing, unless JUnit is new enough. */
  static void require() {
    String found = ExtensionContext.class.getPackage().getImplementationVersion();
    if (found == null) {
      found = Optional.ofNullable(ExtensionContext.class.getModule().getDescriptor())
          .flatMap(module -> module.rawVersion())
          .orElse(null);
    }
    require(ExtensionContext.class, found);
  }

  /** Fails unless a context is new enough, with the version that it is of, if it is known. */
  static void require(Class<?> context, @Nullable String found) {
    boolean isNewEnough =
        Arrays.stream(context.getMethods()).anyMatch(method -> method.getName().equals(METHOD));
    if (!isNewEnough) {
      throw new ExtensionConfigurationException("replay-junit needs JUnit %s or later, found %s"
          .formatted(LEAST, found == null ? "an earlier one" : found));
    }
  }
}
