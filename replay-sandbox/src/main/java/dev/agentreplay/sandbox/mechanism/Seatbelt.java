package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.sandbox.Enforcement;
import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sandbox of macOS, set up by {@code sandbox-exec} with a generated profile that denies what it
 * does not name. Untested: it was not run on macOS; only the profile is tested as a text. The
 * probes decide at run time whether it isolates.
 */
final class Seatbelt implements Launcher {

  static final String PROGRAM = "/usr/bin/sandbox-exec";

  private static final List<String> SYSTEM = List.of(
      "/bin",
      "/sbin",
      "/usr",
      "/System",
      "/Library/Apple",
      "/private/etc/ssl",
      "/private/var/db/timezone",
      "/private/var/db/dyld");
  private static final List<String> DEVICES =
      List.of("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom");

  @Override
  public Mechanism mechanism() {
    return Mechanism.SEATBELT;
  }

  @Override
  public Launch launch(List<String> command, SandboxOptions options) throws SandboxException {
    Launcher.requireSamePath(options, "sandbox-exec");
    List<String> words = new ArrayList<>(List.of(PROGRAM, "-p", profile(options)));
    words.addAll(command);
    return new Launch(
        words, options.environment(), options.directory(), null, Enforcement.NONE, List.of());
  }

  /** The profile: no network, no services, and the files that the options name. */
  static String profile(SandboxOptions options) {
    StringBuilder profile = new StringBuilder("(version 1)\n(deny default)\n");
    profile.append("(allow process-fork)\n(allow process-exec)\n(allow sysctl-read)\n");
    profile.append("(allow signal (target same-sandbox))\n");
    profile.append("(allow file-read-metadata)\n");
    profile.append("(allow file-read* (literal \"/\")");
    for (String directory : SYSTEM) {
      profile.append(' ').append(rule("subpath", directory));
    }
    for (Path path : options.readOnly()) {
      profile.append(' ').append(rule("subpath", path.toString()));
    }
    profile.append(' ').append(rule("subpath", options.workspace().toString())).append(")\n");
    profile.append("(allow file-read* file-write-data");
    for (String device : DEVICES) {
      profile.append(' ').append(rule("literal", device));
    }
    profile.append(")\n");
    if (options.isWritable()) {
      profile
          .append("(allow file-write* ")
          .append(rule("subpath", options.workspace().toString()))
          .append(")\n");
    }
    return profile.toString();
  }

  private static String rule(String kind, String path) {
    return "(%s \"%s\")".formatted(kind, path.replace("\\", "\\\\").replace("\"", "\\\""));
  }

  @Override
  public @Nullable Reason fault(int exitCode, String status) {
    return switch (exitCode) {
      case 65 -> Reason.SETUP; // EX_DATAERR: the profile was refused
      case 71 -> Reason.NOT_STARTED; // EX_OSERR: the program could not be executed
      default -> null;
    };
  }
}
