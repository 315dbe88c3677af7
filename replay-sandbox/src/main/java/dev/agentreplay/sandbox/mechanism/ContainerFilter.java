package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.internal.SystemCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The seccomp profile of a container, in the form of the OCI runtime specification: that of the
 * sandbox of Linux, except that Unix sockets are permitted, of which there are only those of the
 * container. An engine has a profile of its own, which may be missing, and leaves more open.
 */
final class ContainerFilter {

  private static final int NOT_PERMITTED = 1;
  private static final int NO_SUCH_CALL = 38;
  private static final int FAMILY_NOT_SUPPORTED = 97;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final long INT = 0xFFFF_FFFFL;
  private static final long TIOCSTI = 0x5412;
  private static final long TIOCLINUX = 0x541C;
  // CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET of linux/sched.h.
  private static final int NEW_NAMESPACES = 0x7E020000;

  private ContainerFilter() {}

  static JsonObject json() {
    List<JsonObject> rules = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (SystemCall call : SystemCall.values()) {
      if (!call.isInspected() && !call.isIsolatedByNamespaces()) {
        refused.add(call.name().toLowerCase(Locale.ROOT));
      }
    }
    rules.add(rule(JsonArray.of(refused.toArray()), NOT_PERMITTED, List.of()));
    rules.add(rule(JsonArray.of("clone3"), NO_SUCH_CALL, List.of()));
    for (int family = AF_INET + 1; family < AF_INET6; family++) {
      rules.add(socket(argument(0, "SCMP_CMP_EQ", family, 0)));
    }
    rules.add(socket(argument(0, "SCMP_CMP_GT", AF_INET6, 0)));
    for (int bit = 1; bit > 0; bit <<= 1) {
      if ((NEW_NAMESPACES & bit) != 0) {
        JsonObject flag = argument(0, "SCMP_CMP_MASKED_EQ", bit, bit);
        rules.add(rule(JsonArray.of("clone"), NOT_PERMITTED, List.of(flag)));
      }
    }
    for (long request : new long[] {TIOCSTI, TIOCLINUX}) {
      JsonObject number = argument(1, "SCMP_CMP_MASKED_EQ", INT, request);
      rules.add(rule(JsonArray.of("ioctl"), NOT_PERMITTED, List.of(number)));
    }
    return JsonObject.of(
        "defaultAction", "SCMP_ACT_ALLOW", "syscalls", JsonArray.of(rules.toArray()));
  }

  private static JsonObject socket(JsonObject family) {
    return rule(JsonArray.of("socket"), FAMILY_NOT_SUPPORTED, List.of(family));
  }

  private static JsonObject rule(JsonArray names, int error, List<JsonObject> arguments) {
    return JsonObject.of(
        "names",
        names,
        "action",
        "SCMP_ACT_ERRNO",
        "errnoRet",
        error,
        "args",
        JsonArray.of(arguments.toArray()));
  }

  private static JsonObject argument(int index, String operator, long value, long second) {
    return JsonObject.of("index", index, "value", value, "valueTwo", second, "op", operator);
  }
}
