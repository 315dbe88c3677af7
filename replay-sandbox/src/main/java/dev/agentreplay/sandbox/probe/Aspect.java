package dev.agentreplay.sandbox.probe;

import java.util.Locale;

/** One kind of isolation. */
public enum Aspect {
  /** TCP connections to this machine. */
  TCP("TCP connections", true),
  /** UDP datagrams to this machine. */
  UDP("UDP datagrams", true),
  /** Queries to name servers. */
  DNS("DNS queries", true),
  /** Unix sockets that have a path. */
  UNIX_SOCKET("Unix sockets with a path", true),
  /** Files outside the workspace, written. */
  WRITE_OUTSIDE("writes outside the workspace", true),
  /** Files of the home directory, read. */
  READ_HOME("reads of the home directory", true),
  /** Files of the machine and of other users, read. */
  READ_OTHERS("reads of other files", true),
  /** Environment variables of this process. */
  ENVIRONMENT("environment of the caller", true),
  /** Descriptors that were open in this process. */
  DESCRIPTORS("inherited descriptors", true),
  /** Settings of the kernel, written. */
  KERNEL("settings of the kernel", true),
  /** Processes of the machine. */
  PROCESSES("processes of the machine", true),
  /** Processes that outlive the program. */
  LEFTOVERS("processes left behind", true),
  /** Unix sockets without a path. */
  ABSTRACT_SOCKET("abstract Unix sockets", false),
  /** Netlink sockets. */
  NETLINK("netlink sockets", false),
  /** Sockets to the hypervisor. */
  VSOCK("vsock sockets", false),
  /** The message bus of the user or the system. */
  USER_BUS("message bus", false),
  /** The socket of a container engine. */
  DOCKER_SOCKET("socket of a container engine", false),
  /** Input that is put into the terminal, TIOCSTI. */
  TERMINAL("input put into a terminal", false),
  /** User namespaces, created by the program. */
  NESTED_NAMESPACES("nested user namespaces", false);

  private final String text;
  private final boolean isFast;

  Aspect(String text, boolean isFast) {
    this.text = text;
    this.isFast = isFast;
  }

  /** The text of the constant in JSON. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The attempts that are prevented, as a short text. */
  public String text() {
    return text;
  }

  boolean isIn(ProbeSet set) {
    return isFast || set == ProbeSet.FULL;
  }
}
