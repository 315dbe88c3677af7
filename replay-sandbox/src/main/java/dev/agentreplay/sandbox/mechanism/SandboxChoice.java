package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.sandbox.Mechanism;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The mechanism that the user requests.
 *
 * @param mechanism the mechanism; null for the first that isolates
 * @param image the image of a container; null for other mechanisms
 */
public record SandboxChoice(@Nullable Mechanism mechanism, @Nullable String image) {

  private static final SandboxChoice AUTOMATIC = new SandboxChoice(null, null);

  /** Checks that a container has an image, and that only a container has one. */
  public SandboxChoice {
    boolean isContainer = mechanism == Mechanism.PODMAN || mechanism == Mechanism.DOCKER;
    if (isContainer && mechanism != null && (image == null || image.isBlank())) {
      throw new IllegalArgumentException(
          "%s requires an image: %s:IMAGE".formatted(mechanism.id(), mechanism.id()));
    }
    if (!isContainer && image != null) {
      throw new IllegalArgumentException("only podman and docker take an image, found " + image);
    }
    if (image != null && image.startsWith("-")) {
      throw new IllegalArgumentException("expected the name of an image, found " + image);
    }
  }

  /** The first mechanism that isolates, without containers. */
  public static SandboxChoice automatic() {
    return AUTOMATIC;
  }

  /**
   * Reads the name of a mechanism, {@code auto}, or {@code podman} or {@code docker} with an image
   * after a colon.
   *
   * @throws IllegalArgumentException if it is a different text
   */
  public static SandboxChoice parse(String text) {
    if (text.equals("auto")) {
      return AUTOMATIC;
    }
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    for (Mechanism mechanism : Mechanism.values()) {
      if (mechanism != Mechanism.NONE && mechanism.id().equals(name)) {
        return new SandboxChoice(mechanism, colon < 0 ? null : text.substring(colon + 1));
      }
    }
    throw new IllegalArgumentException("expected auto, %s, found \"%s\""
        .formatted(
            Arrays.stream(Mechanism.values())
                .filter(mechanism -> mechanism != Mechanism.NONE)
                .map(mechanism -> switch (mechanism) {
                  case PODMAN, DOCKER -> mechanism.id() + ":IMAGE";
                  default -> mechanism.id();
                })
                .collect(Collectors.joining(", ")),
            text));
  }
}
