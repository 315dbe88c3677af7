package dev.agentreplay.sandbox;

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
 */
final class SeccompFilter {

  static final int KILL = 0x80000000;
  static final int ALLOW = 0x7FFF0000;
  static final int NOT_PERMITTED = errno(1);
  static final int NO_MEMORY = errno(12);
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
  private static final int X32 = 0x40000000;

  private SeccompFilter() {}

  /**
   * The filter as a program of classic BPF.
   *
   * @param countsMemory whether a control group counts all memory of the program; otherwise files
   *     in memory have to be in {@code /dev/shm}, and segments of System V are small
   */
  static byte[] of(Architecture architecture, boolean countsMemory) {
    BpfAssembler bpf = new BpfAssembler();
    bpf.load(ARCHITECTURE).ifNotEqual(architecture.audit(), "kill").load(NUMBER);
    if (architecture == Architecture.X86_64) {
      bpf.ifAtLeast(X32, "kill");
    }
    for (SystemCall call : SystemCall.values()) {
      int number = call.number(architecture);
      if (number >= 0 && !(countsMemory && call.isUncountedMemory())) {
        bpf.ifEqual(number, call.isInspected() ? call.name() : "deny");
      }
    }
    bpf.label("allow").returns(ALLOW);
    bpf.label("SOCKET").load(FIRST_ARGUMENT);
    bpf.ifEqual(AF_INET, "permit").ifEqual(AF_INET6, "permit").returns(FAMILY_NOT_SUPPORTED);
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

  private static int errno(int number) {
    return 0x00050000 | number;
  }
}
