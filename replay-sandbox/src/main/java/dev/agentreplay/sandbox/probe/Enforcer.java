package dev.agentreplay.sandbox.probe;

import dev.agentreplay.sandbox.Mechanism;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of the operating system that prevented an attempt, by what the program in the sandbox
 * saw of itself: namespaces other than those of this process, and a seccomp filter.
 */
final class Enforcer {

  static final String NONE = "none";

  private static final Set<Aspect> SCRIPT = EnumSet.of(
      Aspect.ABSTRACT_SOCKET,
      Aspect.NETLINK,
      Aspect.VSOCK,
      Aspect.TERMINAL,
      Aspect.NESTED_NAMESPACES);

  private final ProbeRun run;

  Enforcer(ProbeRun run) {
    this.run = run;
  }

  static boolean needsScript(Aspect aspect) {
    return SCRIPT.contains(aspect);
  }

  /** The command line of this process, as the file system of processes has it. */
  static String commandLine() {
    try {
      return Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException notLinux) {
      return "";
    }
  }

  /** Whether the program was in a namespace of its own. */
  boolean isSeparate(String space) {
    List<String> inside = run.inside().seen("ns_" + space);
    List<String> direct = run.direct().seen("ns_" + space);
    return !inside.isEmpty() && !direct.isEmpty() && !inside.equals(direct);
  }

  String by(Aspect aspect, String blocked) {
    return switch (aspect) {
      case TCP, UDP, DNS ->
        isRefused(blocked) ? "seccomp filter" : space("net", "network namespace");
      case UNIX_SOCKET, USER_BUS, DOCKER_SOCKET ->
        isRefused(blocked) ? "seccomp filter" : space("mnt", "mount namespace");
      case ABSTRACT_SOCKET ->
        isRefused(blocked) ? "seccomp filter" : space("net", "network namespace");
      case NETLINK, VSOCK, TERMINAL -> hasFilter() ? "seccomp filter" : other();
      case NESTED_NAMESPACES -> hasFilter() ? "seccomp filter" : "limit of user namespaces";
      case WRITE_OUTSIDE, READ_HOME, READ_OTHERS, KERNEL -> space("mnt", "mount namespace");
      case ENVIRONMENT -> "complete environment";
      case DESCRIPTORS -> "closed descriptors";
      case PROCESSES -> space("pid", "pid namespace");
      case LEFTOVERS ->
        isSeparate("pid") ? "pid namespace" : "kill of its control group or session";
    };
  }

  /** The reason why the kernel itself accepts no input for a terminal; null if it does. */
  @Nullable
  String terminalOfKernel() {
    return run.inside().seen("legacy_tiocsti").contains("0") ? "dev.tty.legacy_tiocsti=0" : null;
  }

  private boolean isRefused(String blocked) {
    return isFamilyRefused(blocked) || (hasFilter() && blocked.contains("not permitted"));
  }

  /** Whether a socket was refused whose family this machine has. */
  static boolean isFamilyRefused(@Nullable String blocked) {
    return blocked != null && blocked.contains("family not supported");
  }

  private boolean hasFilter() {
    return run.inside().seen("seccomp").contains("2")
        || run.inside().seen("status").stream().anyMatch(s -> s.matches("(?s).*Seccomp:\\s+2.*"));
  }

  private String space(String space, String text) {
    return isSeparate(space) ? text : other();
  }

  private String other() {
    return run.mechanism() == Mechanism.LANDLOCK
        ? "Landlock"
        : run.mechanism() == Mechanism.SEATBELT ? "Seatbelt" : "operating system";
  }
}
