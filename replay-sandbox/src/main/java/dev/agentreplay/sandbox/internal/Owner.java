package dev.agentreplay.sandbox.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of what a process leaves in the file system while it runs. A name states its owner, by pid
 * namespace, pid and start time, so that a later process finds what a crashed one has left.
 */
public final class Owner {

  private static final Pattern NAME = Pattern.compile("replay-sandbox-(\\d+)-(\\d+)-(\\d+)-.*");
  private static final String PREFIX = prefix();

  private Owner() {}

  /** The beginning of the names of this process. */
  public static String namePrefix() {
    return PREFIX;
  }

  /** Whether a name was given by a process that has ended, in the pid namespace of this one. */
  public static boolean isAbandoned(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches() || !matcher.group(1).equals(namespace())) {
      return false;
    }
    ProcessTable.Entry owner = ProcessTable.read(matcher.group(2));
    return owner == null || !matcher.group(3).equals(Long.toString(owner.start()));
  }

  /** The number of the pid namespace of this process; 0 if it cannot be read. */
  private static String namespace() {
    try {
      String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
      return link.replaceAll("\\D", "");
    } catch (IOException | UnsupportedOperationException hidden) {
      return "0";
    }
  }

  private static String prefix() {
    String pid = Long.toString(ProcessHandle.current().pid());
    ProcessTable.Entry self = ProcessTable.read(pid);
    return "replay-sandbox-%s-%s-%d-".formatted(namespace(), pid, self == null ? 0 : self.start());
  }
}
