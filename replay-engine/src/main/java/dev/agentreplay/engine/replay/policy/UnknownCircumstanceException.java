package dev.agentreplay.engine.replay.policy;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Thrown before anything runs when the name of {@code Replay.onCircumstance} is neither that of a
 * circumstance of each replay nor of a setting that the recording states.
 */
public final class UnknownCircumstanceException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String name;
  private final transient List<String> known;

  /**
   * Creates an exception.
   *
   * @param known the names that the recording may have
   */
  public UnknownCircumstanceException(String name, Set<String> known) {
    super("unknown circumstance \"%s\"; known are %s".formatted(name, String.join(", ", known)));
    this.name = Objects.requireNonNull(name, "name");
    this.known = List.copyOf(known);
  }

  /** The unknown name. */
  public String name() {
    return name;
  }

  /** The names of circumstances that the recording may have. */
  public List<String> known() {
    return known;
  }
}
