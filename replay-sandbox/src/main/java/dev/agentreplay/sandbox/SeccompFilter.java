package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.internal.Architecture;
import dev.agentreplay.sandbox.internal.SystemCall;

/**
 * The seccomp filter of a program in a sandbox. It permits what is not listed, since the namespaces
 * isolate; it takes away what leads out of them or into rarely used parts of the kernel:
 *
 * <ul>
 *   <li>a system call of a foreign architecture kills the program, since its numbers are different;
 *   <li>sockets are those of the Internet, of which the sandbox has only the loopback interface,
 *       and pairs of Unix sockets; netlink, vsock, packet sockets and all others are not supported;
 *   <li>namespaces, mounts, keys, BPF, performance counters, {@code io_uring}, access to the memory
 *       of other processes and administration of the machine are not permitted;
 *   <li>no input is pushed into a terminal.
 * </ul>
 *
 * <p>Without namespaces, there are no sockets but pairs of Unix sockets, and no memory, semaphores
 * and messages that are shared with other programs; no signal is sent to all processes at once.
 */
final class SeccompFilter {

  static final int KILL = 0x80000000;
  static final int ALLOW = 0x7FFF0000;
  static final int NOT_PERMITTED = errno(1);
  static final int NO_EFFECT = errno(0);
  static final int NO_SUCH_CALL = errno(38);
  static final int FAMILY_NOT_SUPPORTED = errno(97);

  private static final int NUMBER = 0;
  private static final int ARCHITECTURE = 4;
  private static final int FIRST_ARGUMENT = 16;
  private static final int SECOND_ARGUMENT = 24;

  private static final int AF_UNIX = 1;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int TIOCSTI = 0x5412;
  private static final int TIOCLINUX = 0x541C;
  // CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET of linux/sched.h.
  private static final int NEW_NAMESPACES = 0x7E020000;
  private static final int ALL_PROCESSES = -1;
  private static final int X32 = 0x40000000;

  private SeccompFilter() {}

  /** The filter of a program in namespaces of its own, as a program of classic BPF. */
  static byte[] of(Architecture architecture) {
    return assemble(architecture, true, false);
  }

  /**
   * The filter of a program that has no namespaces of its own.
   *
   * @param keepsSession whether a program stays in the session in which it was started, so that it
   *     can be found: {@code setsid} succeeds, and has no effect
   */
  static byte[] withoutNamespaces(Architecture architecture, boolean keepsSession) {
    return assemble(architecture, false, keepsSession);
  }

  private static byte[] assemble(
      Architecture architecture, boolean hasNamespaces, boolean keepsSession) {
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
      boolean isRefused = call != SystemCall.SETSID
          && call != SystemCall.KILL
          && !(hasNamespaces && call.isIsolatedByNamespaces());
      if (number >= 0 && isRefused) {
        bpf.ifEqual(number, call.isInspected() ? call.name() : "deny");
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
    bpf.ifEqual(AF_UNIX, "permit").returns(FAMILY_NOT_SUPPORTED);
    bpf.label("CLONE").load(FIRST_ARGUMENT).ifAnyBit(NEW_NAMESPACES, "deny").returns(ALLOW);
    // Its flags are in memory, which a filter cannot read; libraries then use clone.
    bpf.label("CLONE3").returns(NO_SUCH_CALL);
    bpf.label("IOCTL").load(SECOND_ARGUMENT);
    bpf.ifEqual(TIOCSTI, "deny").ifEqual(TIOCLINUX, "deny");
    bpf.label("permit").returns(ALLOW);
    bpf.label("deny").returns(NOT_PERMITTED);
    bpf.label("kill").returns(KILL);
    return bpf.assemble();
  }

  private static int errno(int number) {
    return 0x00050000 | number;
  }
}
