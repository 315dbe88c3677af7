package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.internal.Architecture;
import dev.agentreplay.sandbox.internal.SystemCall;
import org.jspecify.annotations.Nullable;

/**
 * The seccomp filter of a program in a sandbox. It permits what is not listed, since the namespaces
 * isolate; it takes away what leads out of them or into rarely used parts of the kernel:
 *
 * <ul>
 *   <li>a system call of a foreign architecture kills the program, since its numbers are different;
 *   <li>sockets are those of the Internet, of which the sandbox has only the loopback interface,
 *       and pairs of connected Unix sockets; netlink, vsock, packet sockets and all others are not
 *       supported, nor are pairs for datagrams, each of which can send to any path;
 *   <li>namespaces, mounts, keys, BPF, performance counters, {@code io_uring}, access to the memory
 *       of other processes and administration of the machine are not permitted;
 *   <li>no input is pushed into a terminal;
 *   <li>memory that only a control group could count is not available without one.
 * </ul>
 *
 * <p>Without namespaces, there are no sockets but pairs of Unix sockets, and no memory, semaphores
 * and messages that are shared with other programs; no signal is sent to all processes at once.
 */
final class SeccompFilter {

  static final int KILL = 0x80000000;
  static final int ALLOW = 0x7FFF0000;
  static final int NOT_PERMITTED = errno(1);
  static final int NO_MEMORY = errno(12);
  static final int NO_EFFECT = errno(0);
  static final int NO_SUCH_CALL = errno(38);
  static final int TYPE_NOT_SUPPORTED = errno(94);
  static final int FAMILY_NOT_SUPPORTED = errno(97);
  // The bytes of a segment of System V, as databases use to find out whether they run already.
  static final int MAX_SEGMENT = 1 << 16;

  private static final int NUMBER = 0;
  private static final int ARCHITECTURE = 4;
  private static final int FIRST_ARGUMENT = 16;
  private static final int SECOND_ARGUMENT = 24;

  private static final int AF_UNIX = 1;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  // Of SOCK_DGRAM, and of SOCK_RAW, which is the same for Unix sockets; not of the connected types.
  private static final int DATAGRAM_BIT = 2;
  private static final int TIOCSTI = 0x5412;
  private static final int TIOCLINUX = 0x541C;
  // CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET of linux/sched.h.
  private static final int NEW_NAMESPACES = 0x7E020000;
  private static final int ALL_PROCESSES = -1;
  private static final int X32 = 0x40000000;

  private SeccompFilter() {}

  /**
   * The filter of a program in namespaces of its own, as a program of classic BPF.
   *
   * @param countsMemory whether a control group counts all memory of the program; otherwise files
   *     in memory have to be in {@code /dev/shm}, and segments of System V are small
   */
  static byte[] of(Architecture architecture, boolean countsMemory) {
    return assemble(architecture, true, false, countsMemory);
  }

  /**
   * The filter of a program that has no namespaces of its own.
   *
   * @param keepsSession whether a program stays in the session in which it was started, so that it
   *     can be found: {@code setsid} succeeds, and has no effect
   * @param countsMemory as in {@link #of}
   */
  static byte[] withoutNamespaces(
      Architecture architecture, boolean keepsSession, boolean countsMemory) {
    return assemble(architecture, false, keepsSession, countsMemory);
  }

  private static byte[] assemble(
      Architecture architecture,
      boolean hasNamespaces,
      boolean keepsSession,
      boolean countsMemory) {
    BpfAssembler bpf = new BpfAssembler();
    bpf.load(ARCHITECTURE).ifNotEqual(architecture.audit(), "kill").load(NUMBER);
    if (architecture == Architecture.X86_64) {
      bpf.ifAtLeast(X32, "kill");
    }
    if (!hasNamespaces) {
      bpf.ifEqual(SystemCall.KILL.number(architecture), SystemCall.KILL.name());
    }
    if (keepsSession) {
      bpf.ifEqual(SystemCall.SETSID.number(architecture), "ignore");
    }
    for (SystemCall call : SystemCall.values()) {
      int number = call.number(architecture);
      String target = target(call, hasNamespaces, countsMemory);
      if (number >= 0 && target != null) {
        bpf.ifEqual(number, target);
      }
    }
    bpf.label("allow").returns(ALLOW);
    bpf.label("ignore").returns(NO_EFFECT);
    bpf.label("KILL").load(FIRST_ARGUMENT).ifEqual(ALL_PROCESSES, "deny").returns(ALLOW);
    bpf.label("SOCKET");
    if (hasNamespaces) {
      bpf.load(FIRST_ARGUMENT).ifEqual(AF_INET, "permit").ifEqual(AF_INET6, "permit");
    }
    bpf.returns(FAMILY_NOT_SUPPORTED);
    bpf.label("SOCKETPAIR").load(FIRST_ARGUMENT);
    bpf.ifEqual(AF_UNIX, "pair").returns(FAMILY_NOT_SUPPORTED);
    bpf.label("pair").load(SECOND_ARGUMENT).ifAnyBit(DATAGRAM_BIT, "datagrams").returns(ALLOW);
    bpf.label("datagrams").returns(TYPE_NOT_SUPPORTED);
    bpf.label("CLONE").load(FIRST_ARGUMENT).ifAnyBit(NEW_NAMESPACES, "deny").returns(ALLOW);
    // Its flags are in memory, which a filter cannot read; libraries then use clone.
    bpf.label("CLONE3").label("MEMFD_CREATE").label("MEMFD_SECRET").returns(NO_SUCH_CALL);
    bpf.label("SHMGET").load(SECOND_ARGUMENT + 4).ifAtLeast(1, "large");
    bpf.load(SECOND_ARGUMENT).ifAtLeast(MAX_SEGMENT + 1, "large").returns(ALLOW);
    bpf.label("large").returns(NO_MEMORY);
    bpf.label("IOCTL").load(SECOND_ARGUMENT);
    bpf.ifEqual(TIOCSTI, "deny").ifEqual(TIOCLINUX, "deny");
    bpf.label("permit").returns(ALLOW);
    bpf.label("deny").returns(NOT_PERMITTED);
    bpf.label("kill").returns(KILL);
    return bpf.assemble();
  }

  /** The label for a call that each filter has in the same way; null if it is permitted. */
  private static @Nullable String target(
      SystemCall call, boolean hasNamespaces, boolean countsMemory) {
    if (call == SystemCall.SHMGET && !hasNamespaces) {
      return "deny";
    }
    boolean isPermitted = call == SystemCall.SETSID
        || call == SystemCall.KILL
        || (hasNamespaces && call.isIsolatedByNamespaces())
        || (countsMemory && call.isUncountedMemory());
    return isPermitted ? null : call.isInspected() ? call.name() : "deny";
  }

  private static int errno(int number) {
    return 0x00050000 | number;
  }
}
