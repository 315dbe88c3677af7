package dev.agentreplay.sandbox.probe;

import dev.agentreplay.sandbox.probe.ProbeResult.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The results that follow from the facts of a run. */
final class Judgment {

  /** Variables that a shell, or the engine of a container, sets itself, or that name a locale. */
  private static final Pattern COMMON = Pattern.compile(
      "PATH|HOME|TERM|HOSTNAME|PWD|OLDPWD|SHLVL|_|container|TZ|LANG|LANGUAGE|LC_[A-Z]+");

  private final ProbeRun run;
  private final Enforcer enforcer;

  private Judgment(ProbeRun run) {
    this.run = run;
    this.enforcer = new Enforcer(run);
  }

  static List<ProbeResult> of(ProbeRun run, ProbeSet set) {
    Judgment judgment = new Judgment(run);
    List<ProbeResult> results = new ArrayList<>();
    for (Aspect aspect : Aspect.values()) {
      if (aspect.isIn(set)) {
        results.add(judgment.result(aspect));
      }
    }
    return results;
  }

  private ProbeResult result(Aspect aspect) {
    ProbeOutput inside = run.inside();
    ProbeOutput direct = run.direct();
    return switch (aspect) {
      case TCP ->
        attempt(
            aspect,
            "tcp",
            worksOrHasNoSockets("tcp"),
            run.isReachedByTcp() ? "a listener was reached" : null);
      case UDP ->
        attempt(
            aspect,
            "udp",
            worksOrHasNoSockets("udp"),
            run.isReachedByUdp() ? "a listener was reached" : null);
      case DNS ->
        attempt(aspect, "dns", worksOrHasNoSockets("udp"), first(inside.reached("resolver")));
      case UNIX_SOCKET -> attempt(aspect, aspect.id(), worked(), null);
      case USER_BUS -> attempt(aspect, aspect.id(), worked(), null);
      case DOCKER_SOCKET -> attempt(aspect, aspect.id(), worked(), null);
      case ABSTRACT_SOCKET, NETLINK, VSOCK ->
        attempt(aspect, aspect.id(), inside.works("socket") || inside.works("system_call"), null);
      case TERMINAL -> attempt(aspect, "terminal", inside.works("terminal"), null);
      case NESTED_NAMESPACES -> attempt(aspect, aspect.id(), inside.works("system_call"), null);
      case WRITE_OUTSIDE ->
        judge(
            aspect,
            run.isWrittenInside() && inside.works("write"),
            !direct.seen(aspect.id()).isEmpty(),
            run.isWrittenOutside() ? "a file was written next to the workspace" : null,
            inside.seen(aspect.id()).isEmpty()
                ? inside.blocked(aspect.id())
                : "a written file did not arrive on this machine");
      case KERNEL -> attempt(aspect, aspect.id(), worked(), null);
      case READ_HOME -> files(aspect, true);
      case READ_OTHERS -> files(aspect, false);
      case ENVIRONMENT -> environment();
      case DESCRIPTORS -> descriptors();
      case PROCESSES -> processes();
      case LEFTOVERS ->
        judge(
            aspect,
            run.wasLeft(),
            true,
            run.isLeft() ? "a process was left behind" : null,
            "a process in a session of its own ended with the sandbox");
    };
  }

  /** Whether the program has read the marker in its workspace. */
  private boolean worked() {
    return run.inside().works("read", run.nonce());
  }

  /** Whether the program reached itself by a protocol, or works but for sockets. */
  private boolean worksOrHasNoSockets(String protocol) {
    return run.inside().works(protocol)
        || (worked() && Enforcer.isFamilyRefused(first(run.inside().seen(protocol))));
  }

  private ProbeResult attempt(
      Aspect aspect, String name, boolean works, @Nullable String otherwise) {
    String reached = first(run.inside().reached(name));
    return judge(
        aspect,
        works,
        !run.direct().reached(name).isEmpty(),
        reached == null ? otherwise : reached,
        run.inside().blocked(name));
  }

  private ProbeResult files(Aspect aspect, boolean isHome) {
    Set<String> outside = new TreeSet<>();
    for (String file : run.direct().seen("read")) {
      String path = file.substring(0, file.lastIndexOf(' ') < 0 ? 0 : file.lastIndexOf(" ("));
      if (run.homeFiles().contains(path) == isHome) {
        outside.add(file);
      }
    }
    Set<String> both = new TreeSet<>(run.inside().seen("read"));
    both.retainAll(outside);
    String found = both.isEmpty() ? null : both.iterator().next();
    return judge(
        aspect,
        worked(),
        !outside.isEmpty(),
        found == null ? null : found.substring(0, found.lastIndexOf(" (")) + " was read",
        "%d paths that this process reads cannot be read".formatted(outside.size()));
  }

  private ProbeResult environment() {
    Set<String> seen = new TreeSet<>(run.inside().seen("environment"));
    for (String block : run.inside().seen("environ")) {
      seen.addAll(List.of(block.split("\0", -1)));
    }
    int secrets = 0;
    String leaked = null;
    for (Map.Entry<String, String> entry : System.getenv().entrySet()) {
      if (!COMMON.matcher(entry.getKey()).matches()) {
        secrets++;
        if (seen.contains(entry.getKey() + "=" + entry.getValue())) {
          leaked = entry.getKey() + " was seen";
        }
      }
    }
    return judge(
        Aspect.ENVIRONMENT,
        seen.contains(SandboxProbes.VARIABLE + "=" + run.nonce()),
        secrets > 0,
        leaked,
        "none of %d variables is in the environment of any process".formatted(secrets));
  }

  private ProbeResult descriptors() {
    List<String> others = new ArrayList<>();
    int standard = 0;
    for (String descriptor : run.inside().seen("fd")) {
      if (descriptor.matches("[012] .*")) {
        standard++;
      } else {
        others.add(descriptor);
      }
    }
    if (run.inside().seen("fd").isEmpty() && worked()) {
      return inconclusive(Aspect.DESCRIPTORS, "the program cannot list its descriptors");
    }
    return judge(
        Aspect.DESCRIPTORS,
        standard == 3,
        true,
        others.isEmpty() ? null : "open: " + String.join(", ", others),
        "only input, output and errors are open");
  }

  private ProbeResult processes() {
    // this process is the one whose command line both sides would see
    String own = Enforcer.commandLine();
    boolean isSeen = run.inside().seen("process").contains(own);
    boolean isSignalled = !run.inside().seen("kill").isEmpty() && !enforcer.isSeparate("pid");
    String other = first(run.inside().reached("processes"));
    boolean isSeenOutside = run.direct().seen("process").contains(own)
        || !run.direct().reached("processes").isEmpty();
    return judge(
        Aspect.PROCESSES,
        !run.inside().seen("pid").isEmpty(),
        isSeenOutside,
        isSeen
            ? "the command line of this process was read"
            : isSignalled ? "a signal could be sent to this process" : other,
        "%d processes in sight, this one not among them"
            .formatted(run.inside().seen("process").size()));
  }

  private ProbeResult judge(
      Aspect aspect,
      boolean works,
      boolean isOpenOutside,
      @Nullable String reached,
      @Nullable String blocked) {
    if (reached != null) {
      return new ProbeResult(aspect, Outcome.OPEN, Enforcer.NONE, reached);
    }
    if (!works) {
      return inconclusive(aspect, notWorking(aspect));
    }
    if (!isOpenOutside) {
      String kernel = aspect == Aspect.TERMINAL ? enforcer.terminalOfKernel() : null;
      return kernel == null
          ? inconclusive(aspect, outside(aspect))
          : new ProbeResult(aspect, Outcome.ENFORCED, "kernel", kernel);
    }
    if (blocked == null) {
      return inconclusive(aspect, "the program did not report the attempt");
    }
    return new ProbeResult(aspect, Outcome.ENFORCED, enforcer.by(aspect, blocked), blocked);
  }

  private String outside(Aspect aspect) {
    String missing = missing(aspect);
    if (missing != null) {
      return missing;
    }
    return switch (aspect) {
      case USER_BUS, DOCKER_SOCKET -> "none was found on this machine";
      default -> "the same attempt fails outside the sandbox, too";
    };
  }

  private String notWorking(Aspect aspect) {
    String missing = missing(aspect);
    if (missing != null && !run.inside().seen("fd").isEmpty()) {
      return missing;
    }
    String failure = run.failure();
    return "the program did not work in the sandbox" + (failure == null ? "" : ": " + failure);
  }

  /** The interpreter that an aspect needs and that is missing; null if none is. */
  private @Nullable String missing(Aspect aspect) {
    if (!Enforcer.needsScript(aspect)) {
      return null;
    }
    String outside = first(run.direct().seen(ScriptControl.MISSING));
    return outside == null ? first(run.inside().seen(ScriptControl.MISSING)) : outside;
  }

  private static ProbeResult inconclusive(Aspect aspect, String detail) {
    return new ProbeResult(aspect, Outcome.INCONCLUSIVE, Enforcer.NONE, detail);
  }

  private static @Nullable String first(List<String> values) {
    return values.isEmpty() ? null : values.get(0);
  }
}
