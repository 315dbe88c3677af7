package dev.agentreplay.sandbox;

import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.sandbox.internal.ThisUser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The user and the host that a program sees: those of the options, or else those of now. */
record ProgramIdentity(String user, long uid, long gid, String home, String host, String umask) {

  private static final long MAX_ID = 0xFFFF_FFFEL;

  /** The home directory of users that have none, as in {@code /etc/passwd} of Debian. */
  private static final String NO_HOME = "/nonexistent";

  static ProgramIdentity of(@Nullable HostIdentity options) throws SandboxException {
    HostIdentity given = options == null ? HostIdentity.UNKNOWN : options;
    long uid = given.uid() == null ? current("uid") : given.uid();
    Path home = ThisUser.home();
    ProgramIdentity all = new ProgramIdentity(
        orElse(given.user(), orElse(ThisUser.name(), "user-" + uid)),
        uid,
        given.gid() == null ? current("gid") : given.gid(),
        orElse(given.home(), home == null ? NO_HOME : home.toString()),
        given.host() == null ? currentHost() : given.host(),
        given.umask() == null ? currentUmask() : given.umask());
    all.check();
    return all;
  }

  /** The lines of {@code /etc/passwd}. */
  String passwd() {
    String line = "%s:x:%d:%d::%s:/bin/sh\n".formatted(user, uid, gid, home);
    return uid == 0 ? line : "root:x:0:0::/root:/bin/sh\n" + line;
  }

  /** The lines of {@code /etc/group}. */
  String group() {
    String line = "%s:x:%d:\n".formatted(user, gid);
    return gid == 0 ? line : "root:x:0:\n" + line;
  }

  /** The lines of {@code /etc/hosts}. */
  String hosts() {
    return "127.0.0.1 localhost\n::1 localhost\n127.0.1.1 " + host + "\n";
  }

  private void check() throws SandboxException {
    check("user name", user, "[^:\\s/]{1,256}");
    check("home directory", home, "[^:\\n\\r\\x00]*");
    check("host name", host, "[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    check("umask", umask, "[0-7]{1,4}");
    if (uid < 0 || uid > MAX_ID || gid < 0 || gid > MAX_ID) {
      throw new SandboxException(
          SandboxException.Reason.SETUP,
          "expected ids of 32 bits, found %d:%d".formatted(uid, gid));
    }
  }

  private static void check(String what, String value, String pattern) throws SandboxException {
    if (!value.matches(pattern)) {
      throw new SandboxException(
          SandboxException.Reason.SETUP, "the %s '%s' is not valid".formatted(what, value));
    }
  }

  private static String orElse(@Nullable String value, String otherwise) {
    return value != null ? value : otherwise;
  }

  private static long current(String attribute) throws SandboxException {
    try {
      Object id = Files.getAttribute(Path.of("/proc/self"), "unix:" + attribute);
      return ((Number) id).longValue() & 0xFFFF_FFFFL;
    } catch (IOException | RuntimeException unknown) {
      throw unreadable("/proc/self", unknown);
    }
  }

  private static String currentHost() throws SandboxException {
    return lines("/proc/sys/kernel/hostname").get(0).strip();
  }

  private static String currentUmask() throws SandboxException {
    for (String line : lines("/proc/self/status")) {
      if (line.startsWith("Umask:")) {
        return line.substring("Umask:".length()).strip();
      }
    }
    return "022";
  }

  private static List<String> lines(String file) throws SandboxException {
    try {
      return Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1);
    } catch (IOException unknown) {
      throw unreadable(file, unknown);
    }
  }

  private static SandboxException unreadable(String file, Exception cause) {
    SandboxException e = new SandboxException(SandboxException.Reason.SETUP, "cannot read " + file);
    e.initCause(cause);
    return e;
  }
}
