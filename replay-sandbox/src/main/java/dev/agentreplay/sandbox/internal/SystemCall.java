package dev.agentreplay.sandbox.internal;

/** The system calls that the seccomp filters refuse or inspect, with their numbers. */
public enum SystemCall {
  SOCKET(41, 198),
  SOCKETPAIR(53, 199),
  CLONE(56, 220),
  CLONE3(435, 435),
  SHMGET(29, 194),
  MEMFD_CREATE(319, 279),
  MEMFD_SECRET(447, 447),
  IOCTL(16, 29),

  // Other processes.
  PTRACE(101, 117),
  PROCESS_VM_READV(310, 270),
  PROCESS_VM_WRITEV(311, 271),
  KCMP(312, 272),
  PIDFD_GETFD(438, 438),

  // Namespaces and mounts.
  UNSHARE(272, 97),
  SETNS(308, 268),
  MOUNT(165, 40),
  UMOUNT2(166, 39),
  PIVOT_ROOT(155, 41),
  CHROOT(161, 51),
  OPEN_TREE(428, 428),
  MOVE_MOUNT(429, 429),
  FSOPEN(430, 430),
  FSCONFIG(431, 431),
  FSMOUNT(432, 432),
  FSPICK(433, 433),
  MOUNT_SETATTR(442, 442),
  OPEN_TREE_ATTR(467, 467),
  NAME_TO_HANDLE_AT(303, 264),
  OPEN_BY_HANDLE_AT(304, 265),
  FANOTIFY_INIT(300, 262),

  // Large parts of the kernel that programs can do without.
  ADD_KEY(248, 217),
  REQUEST_KEY(249, 218),
  KEYCTL(250, 219),
  BPF(321, 280),
  PERF_EVENT_OPEN(298, 241),
  USERFAULTFD(323, 282),
  IO_URING_SETUP(425, 425),
  IO_URING_ENTER(426, 426),
  IO_URING_REGISTER(427, 427),
  MODIFY_LDT(154, -1),
  USELIB(134, -1),
  SYSFS(139, -1),
  LOOKUP_DCOOKIE(212, 18),
  NFSSERVCTL(180, 42),

  // Administration of the machine.
  KEXEC_LOAD(246, 104),
  KEXEC_FILE_LOAD(320, 294),
  CREATE_MODULE(174, -1),
  INIT_MODULE(175, 105),
  FINIT_MODULE(313, 273),
  DELETE_MODULE(176, 106),
  QUERY_MODULE(178, -1),
  QUOTACTL(179, 60),
  QUOTACTL_FD(443, 443),
  ACCT(163, 89),
  SWAPON(167, 224),
  SWAPOFF(168, 225),
  REBOOT(169, 142),
  SETTIMEOFDAY(164, 170),
  ADJTIMEX(159, 171),
  CLOCK_ADJTIME(305, 266),
  CLOCK_SETTIME(227, 112),
  SETHOSTNAME(170, 161),
  SETDOMAINNAME(171, 162),
  IOPL(172, -1),
  IOPERM(173, -1),
  VHANGUP(153, 58),
  SYSLOG(103, 116),

  // What a namespace would hide: memory, semaphores and messages of other programs, sessions, and
  // signals.
  SHMAT(30, 196),
  SHMCTL(31, 195),
  SEMGET(64, 190),
  SEMOP(65, 193),
  SEMCTL(66, 191),
  SEMTIMEDOP(220, 192),
  MSGGET(68, 186),
  MSGSND(69, 189),
  MSGRCV(70, 188),
  MSGCTL(71, 187),
  MQ_OPEN(240, 180),
  MQ_UNLINK(241, 181),
  SETSID(112, 157),
  KILL(62, 129);

  private final int x86;
  private final int arm;

  SystemCall(int x86, int arm) {
    this.x86 = x86;
    this.arm = arm;
  }

  /** The number on an architecture; negative if it has none. */
  public int number(Architecture architecture) {
    return architecture == Architecture.X86_64 ? x86 : arm;
  }

  /** Whether the call is refused only where no control group counts the memory of a program. */
  public boolean isUncountedMemory() {
    return this == SHMGET || this == MEMFD_CREATE || this == MEMFD_SECRET;
  }

  /** Whether the filter looks at the arguments, so that the call is not refused as such. */
  public boolean isInspected() {
    return compareTo(IOCTL) <= 0;
  }

  /** Whether the filter refuses or inspects the call only where no namespace isolates. */
  public boolean isIsolatedByNamespaces() {
    return compareTo(SHMAT) >= 0;
  }
}
