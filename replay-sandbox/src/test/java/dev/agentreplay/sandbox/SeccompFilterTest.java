package dev.agentreplay.sandbox;

import static dev.agentreplay.sandbox.SeccompFilter.ALLOW;
import static dev.agentreplay.sandbox.SeccompFilter.FAMILY_NOT_SUPPORTED;
import static dev.agentreplay.sandbox.SeccompFilter.KILL;
import static dev.agentreplay.sandbox.SeccompFilter.MAX_SEGMENT;
import static dev.agentreplay.sandbox.SeccompFilter.NOT_PERMITTED;
import static dev.agentreplay.sandbox.SeccompFilter.NO_EFFECT;
import static dev.agentreplay.sandbox.SeccompFilter.NO_MEMORY;
import static dev.agentreplay.sandbox.SeccompFilter.NO_SUCH_CALL;
import static dev.agentreplay.sandbox.SeccompFilter.TYPE_NOT_SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.sandbox.internal.Architecture;
import dev.agentreplay.sandbox.internal.SystemCall;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SeccompFilterTest {

  private static final int I386 = 0x40000003;
  private static final int ARM = 0x40000028;
  private static final int CLONE_THREAD_FLAGS = 0x003D0F00;

  @ParameterizedTest
  @EnumSource
  void a_call_of_a_different_architecture_kills(Architecture architecture) {
    BpfInterpreter filter = filter(architecture);
    for (int foreign : new int[] {I386, ARM, 0, -1, other(architecture).audit()}) {
      assertThat(filter.run(foreign, 0)).isEqualTo(KILL);
    }
  }

  @Test
  void a_call_of_x32_kills() {
    BpfInterpreter filter = filter(Architecture.X86_64);
    int x32 = 0x40000000;

    assertThat(filter.run(Architecture.X86_64.audit(), x32)).isEqualTo(KILL);
    assertThat(filter.run(Architecture.X86_64.audit(), x32 | 101)).isEqualTo(KILL);
    assertThat(filter.run(Architecture.X86_64.audit(), -1)).isEqualTo(KILL);
  }

  @ParameterizedTest
  @EnumSource
  void sockets_are_those_of_the_Internet_only(Architecture architecture) {
    for (int family = 0; family < 64; family++) {
      int expected = family == 2 || family == 10 ? ALLOW : FAMILY_NOT_SUPPORTED;
      assertThat(run(architecture, SystemCall.SOCKET, family, 1, 0)).isEqualTo(expected);
      // The kernel looks at 32 bits of the family only, and so must the filter.
      assertThat(run(architecture, SystemCall.SOCKET, family | 1L << 32, 1, 0)).isEqualTo(expected);
      assertThat(run(architecture, SystemCall.SOCKETPAIR, family, 1, 0))
          .isEqualTo(family == 1 ? ALLOW : FAMILY_NOT_SUPPORTED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void pairs_of_sockets_are_connected_for_good(Architecture architecture) {
    for (int flags : new int[] {0, 0x800, 0x80000, 0x80800}) { // SOCK_NONBLOCK, SOCK_CLOEXEC
      for (int type = 0; type < 16; type++) {
        boolean isConnected = type == 1 || type == 5; // SOCK_STREAM, SOCK_SEQPACKET
        boolean isDatagram = type == 2 || type == 3; // SOCK_DGRAM, SOCK_RAW
        int action = run(architecture, SystemCall.SOCKETPAIR, 1, type | flags, 0);

        if (isConnected || isDatagram) {
          assertThat(action).isEqualTo(isConnected ? ALLOW : TYPE_NOT_SUPPORTED);
        }
      }
    }
    assertThat(run(architecture, SystemCall.SOCKETPAIR, 1, 2 | 1L << 32, 0))
        .isEqualTo(TYPE_NOT_SUPPORTED);
  }

  @ParameterizedTest
  @EnumSource
  void memory_that_nothing_counts_is_not_available(Architecture architecture) {
    BpfInterpreter counted = filter(architecture);
    BpfInterpreter filter = new BpfInterpreter(SeccompFilter.of(architecture, false));
    int audit = architecture.audit();
    int segment = SystemCall.SHMGET.number(architecture);

    for (SystemCall call : List.of(SystemCall.MEMFD_CREATE, SystemCall.MEMFD_SECRET)) {
      assertThat(filter.run(audit, call.number(architecture))).isEqualTo(NO_SUCH_CALL);
      assertThat(counted.run(audit, call.number(architecture))).isEqualTo(ALLOW);
    }
    assertThat(filter.run(audit, segment, 0, MAX_SEGMENT)).isEqualTo(ALLOW);
    assertThat(filter.run(audit, segment, 0, MAX_SEGMENT + 1)).isEqualTo(NO_MEMORY);
    assertThat(filter.run(audit, segment, 0, -1)).isEqualTo(NO_MEMORY);
    assertThat(filter.run(audit, segment, 0, 1L << 32)).isEqualTo(NO_MEMORY);
    assertThat(counted.run(audit, segment, 0, 1L << 32)).isEqualTo(ALLOW);
  }

  @ParameterizedTest
  @EnumSource
  void processes_and_threads_are_permitted_but_no_namespaces(Architecture architecture) {
    int fork = 17;
    assertThat(run(architecture, SystemCall.CLONE, fork)).isEqualTo(ALLOW);
    assertThat(run(architecture, SystemCall.CLONE, CLONE_THREAD_FLAGS)).isEqualTo(ALLOW);
    for (int flag : new int[] {0x20000, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30}) {
      assertThat(run(architecture, SystemCall.CLONE, fork | flag)).isEqualTo(NOT_PERMITTED);
    }
    assertThat(run(architecture, SystemCall.CLONE3, 0, 88)).isEqualTo(NO_SUCH_CALL);
  }

  @ParameterizedTest
  @EnumSource
  void no_input_is_pushed_into_a_terminal(Architecture architecture) {
    assertThat(run(architecture, SystemCall.IOCTL, 0, 0x5412)).isEqualTo(NOT_PERMITTED);
    assertThat(run(architecture, SystemCall.IOCTL, 0, 0x541C)).isEqualTo(NOT_PERMITTED);
    assertThat(run(architecture, SystemCall.IOCTL, 0, 0x5412 | 1L << 40)).isEqualTo(NOT_PERMITTED);
    assertThat(run(architecture, SystemCall.IOCTL, 0, 0x5413)).isEqualTo(ALLOW);
  }

  @ParameterizedTest
  @EnumSource
  void exactly_the_listed_calls_are_refused(Architecture architecture) {
    Set<Integer> refused = new HashSet<>();
    for (SystemCall call : SystemCall.values()) {
      boolean isRefused = !call.isInspected() && !call.isIsolatedByNamespaces();
      if (isRefused && call.number(architecture) >= 0) {
        refused.add(call.number(architecture));
      }
    }
    int clone3 = SystemCall.CLONE3.number(architecture);
    int socket = SystemCall.SOCKET.number(architecture);
    int pair = SystemCall.SOCKETPAIR.number(architecture);
    for (int number = 0; number < 1024; number++) {
      if (number != clone3 && number != socket && number != pair) {
        assertThat(filter(architecture).run(architecture.audit(), number))
            .as("call %d", number)
            .isEqualTo(refused.contains(number) ? NOT_PERMITTED : ALLOW);
      }
    }
    assertThat(refused).hasSizeGreaterThan(45);
  }

  @ParameterizedTest
  @EnumSource
  void without_namespaces_nothing_is_shared_with_other_programs(Architecture architecture) {
    byte[] usual = SeccompFilter.of(architecture, true);
    byte[] alone = SeccompFilter.withoutNamespaces(architecture, true, true);
    byte[] grouped = SeccompFilter.withoutNamespaces(architecture, false, false);
    for (int family = 0; family < 64; family++) {
      assertThat(run(alone, architecture, SystemCall.SOCKET, family, 1, 0))
          .isEqualTo(FAMILY_NOT_SUPPORTED);
    }
    assertThat(run(alone, architecture, SystemCall.SOCKETPAIR, 1, 1, 0)).isEqualTo(ALLOW);
    assertThat(run(alone, architecture, SystemCall.SHMGET)).isEqualTo(NOT_PERMITTED);
    assertThat(run(alone, architecture, SystemCall.MEMFD_CREATE)).isEqualTo(ALLOW);
    assertThat(run(grouped, architecture, SystemCall.MEMFD_CREATE)).isEqualTo(NO_SUCH_CALL);
    for (SystemCall call : SystemCall.values()) {
      if (call == SystemCall.KILL) {
        assertThat(run(usual, architecture, call, -1, 9)).isEqualTo(ALLOW);
        assertThat(run(alone, architecture, call, -1, 9)).isEqualTo(NOT_PERMITTED);
        assertThat(run(alone, architecture, call, 0xFFFF_FFFFL, 9)).isEqualTo(NOT_PERMITTED);
        assertThat(run(alone, architecture, call, 77, 9)).isEqualTo(ALLOW);
        assertThat(run(alone, architecture, call, -77, 9)).isEqualTo(ALLOW);
      } else if (call.isIsolatedByNamespaces()) {
        boolean isSession = call == SystemCall.SETSID;
        assertThat(run(usual, architecture, call)).as(call.name()).isEqualTo(ALLOW);
        assertThat(run(alone, architecture, call))
            .as(call.name())
            .isEqualTo(isSession ? NO_EFFECT : NOT_PERMITTED);
        assertThat(run(grouped, architecture, call))
            .as(call.name())
            .isEqualTo(isSession ? ALLOW : NOT_PERMITTED);
      } else if (!call.isInspected() && call.number(architecture) >= 0) {
        assertThat(run(alone, architecture, call)).as(call.name()).isEqualTo(NOT_PERMITTED);
      }
    }
  }

  private static int run(
      byte[] filter, Architecture architecture, SystemCall call, long... arguments) {
    return new BpfInterpreter(filter)
        .run(architecture.audit(), call.number(architecture), arguments);
  }

  private static int run(Architecture architecture, SystemCall call, long... arguments) {
    return filter(architecture).run(architecture.audit(), call.number(architecture), arguments);
  }

  private static BpfInterpreter filter(Architecture architecture) {
    return new BpfInterpreter(SeccompFilter.of(architecture, true));
  }

  private static Architecture other(Architecture architecture) {
    return architecture == Architecture.X86_64 ? Architecture.AARCH64 : Architecture.X86_64;
  }
}
