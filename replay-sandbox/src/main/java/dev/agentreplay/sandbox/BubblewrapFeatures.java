package dev.agentreplay.sandbox;

import java.nio.file.Path;

/**
 * An installed {@code bwrap}.
 *
 * @param disablesNamespaces whether it can forbid further user namespaces
 * @param limitsSize whether it can limit the size of file systems in memory
 * @param overlays whether it can mount overlays
 */
record BubblewrapFeatures(
    Path program,
    String version,
    boolean disablesNamespaces,
    boolean limitsSize,
    boolean overlays) {

  /** Finds the features in the output of {@code bwrap --help}. */
  static BubblewrapFeatures of(Path program, String version, String help) throws SandboxException {
    for (String option : new String[] {"--json-status-fd", "--clearenv", "--perms", "--seccomp"}) {
      if (!help.contains(option + " ") && !help.contains(option + "\n")) {
        throw new SandboxException(
            SandboxException.Reason.SETUP,
            "%s, %s, has no option %s; version 0.5 or later is needed"
                .formatted(program, version, option));
      }
    }
    return new BubblewrapFeatures(
        program,
        version,
        help.contains("--disable-userns"),
        help.contains("--size "),
        help.contains("--overlay-src "));
  }

  BubblewrapFeatures withDisablesNamespaces(boolean disables) {
    return new BubblewrapFeatures(program, version, disables, limitsSize, overlays);
  }
}
