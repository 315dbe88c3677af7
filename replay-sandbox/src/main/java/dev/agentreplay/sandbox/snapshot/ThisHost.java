package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.sandbox.internal.ThisUser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The user and the host of this process, as far as they are known without starting a program. */
final class ThisHost {

  private static final Pattern UMASK = Pattern.compile("(?m)^Umask:\\s*0?([0-7]{3})$");

  private ThisHost() {}

  /** The identity; on systems other than Linux the ids and the umask are not known. */
  static HostIdentity identity() {
    Path home = ThisUser.home();
    return new HostIdentity(
        ThisUser.name(),
        id("unix:uid"),
        id("unix:gid"),
        home == null ? null : home.toString(),
        host(),
        umask(),
        System.getenv());
  }

  private static @Nullable Long id(String attribute) {
    try {
      Path self = Path.of("/proc/self");
      return Files.getAttribute(self, attribute) instanceof Number number
          ? (Long) number.longValue()
          : null;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException notLinux) {
      return null;
    }
  }

  private static @Nullable String host() {
    String kernel = text("/proc/sys/kernel/hostname");
    String variable = System.getenv("HOSTNAME") == null
        ? System.getenv("COMPUTERNAME")
        : System.getenv("HOSTNAME");
    return kernel == null ? variable : kernel.strip();
  }

  private static @Nullable String umask() {
    String status = text("/proc/self/status");
    Matcher matcher = status == null ? null : UMASK.matcher(status);
    return matcher != null && matcher.find() ? matcher.group(1) : null;
  }

  private static @Nullable String text(String file) {
    try {
      Path path = Path.of(file);
      return Files.exists(path, LinkOption.NOFOLLOW_LINKS)
          ? Files.readString(path, StandardCharsets.ISO_8859_1)
          : null;
    } catch (IOException | InvalidPathException notLinux) {
      return null;
    }
  }
}
