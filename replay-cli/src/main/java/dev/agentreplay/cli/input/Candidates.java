package dev.agentreplay.cli.input;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.convert.SessionFormat;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The values of options whose types are enums of the library, in the spelling of the command line:
 * for help texts and shell completion.
 */
public final class Candidates {

  private Candidates() {}

  /** The values of {@code --canonicalization}. */
  public static final class Profiles implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(Canonicalization.values()).map(Canonicalization::id).iterator();
    }
  }

  /** The values of {@code --to}. */
  public static final class Forms implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(SessionFormat.values()).map(SessionFormat::id).iterator();
    }
  }

  /** The values of {@code --fail-on}: every severity that can fail a comparison. */
  public static final class Severities implements Iterable<String> {
    /** The severities. */
    public static final List<DivergenceSeverity> VALUES = Stream.of(DivergenceSeverity.values())
        .filter(severity -> severity != DivergenceSeverity.NONE)
        .toList();

    @Override
    public Iterator<String> iterator() {
      return VALUES.stream().map(DivergenceSeverity::id).iterator();
    }
  }
}
