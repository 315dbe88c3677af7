package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.probe.ProbeResult;
import dev.agentreplay.sandbox.probe.ProbeSet;
import dev.agentreplay.sandbox.probe.SandboxProbes;
import dev.agentreplay.sandbox.probe.SandboxReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects a sandbox by running probes in it: an installed mechanism counts for nothing.
 *
 * <p>On Linux, Bubblewrap is used if everything is isolated, else Landlock if files are; the report
 * then lists its gaps. On macOS, {@code sandbox-exec} is used if files are isolated. Podman and
 * Docker are used only on request, and Windows has no mechanism. If none can be used, there is no
 * sandbox: programs are never started without one instead.
 *
 * <p>A sandbox that can be used is kept for the life of this process, with its report.
 */
public final class Sandboxes {

  private static final Map<Key, SandboxAttempt> KNOWN = new ConcurrentHashMap<>();

  private record Key(SandboxChoice choice, ProbeSet set) {}

  private final Machine machine;
  private final ProbeSet set;

  Sandboxes(Machine machine, ProbeSet set) {
    this.machine = machine;
    this.set = set;
  }

  /** Selects a sandbox, with the probes of {@link ProbeSet#FAST}. */
  public static SandboxSelection select(SandboxChoice choice) {
    return select(choice, ProbeSet.FAST);
  }

  /** Selects a sandbox. */
  public static SandboxSelection select(SandboxChoice choice, ProbeSet set) {
    Key key = new Key(choice, set);
    SandboxAttempt known = KNOWN.get(key);
    if (known != null) {
      return new SandboxSelection(List.of(known));
    }
    SandboxSelection selection = new Sandboxes(new Machine(), set).choose(choice);
    SandboxAttempt used = selection.used();
    if (used != null) {
      KNOWN.put(key, used);
    }
    return selection;
  }

  /** The sandbox that isolates nothing, for a user who has said so. */
  public static Sandbox unsafe() {
    return new CommandSandbox(new NoIsolation());
  }

  SandboxSelection choose(SandboxChoice choice) {
    List<SandboxAttempt> attempts = new ArrayList<>();
    for (Mechanism mechanism : mechanisms(choice)) {
      SandboxAttempt attempt = attempt(mechanism, choice.image());
      attempts.add(attempt);
      if (attempt.sandbox() != null) {
        break;
      }
    }
    return new SandboxSelection(attempts);
  }

  private List<Mechanism> mechanisms(SandboxChoice choice) {
    if (choice.mechanism() != null) {
      return List.of(choice.mechanism());
    }
    String system = machine.system().toLowerCase(Locale.ROOT);
    if (system.contains("linux")) {
      return List.of(Mechanism.BUBBLEWRAP, Mechanism.LANDLOCK);
    }
    return List.of(system.contains("mac") ? Mechanism.SEATBELT : Mechanism.NONE);
  }

  private SandboxAttempt attempt(Mechanism mechanism, @Nullable String image) {
    SandboxAttempt refused = refusal(mechanism);
    if (refused != null) {
      return refused;
    }
    SandboxReport report;
    Sandbox sandbox;
    try {
      sandbox = switch (mechanism) {
        case BUBBLEWRAP -> machine.bubblewrap();
        case LANDLOCK -> machine.landlock();
        case SEATBELT -> new CommandSandbox(new Seatbelt());
        case PODMAN, DOCKER -> container(mechanism, Objects.requireNonNull(image));
        case NONE -> throw new IllegalStateException("refused above");
      };
      report = SandboxProbes.run(sandbox, set);
    } catch (SandboxException e) {
      String message = String.valueOf(e.getMessage());
      return SandboxAttempt.failed(mechanism, null, message, remedies(mechanism, message));
    }
    boolean isFilesOnly = mechanism == Mechanism.LANDLOCK || mechanism == Mechanism.SEATBELT;
    if (isFilesOnly ? report.isolatesFiles() : report.isIsolated()) {
      return SandboxAttempt.usable(sandbox, report);
    }
    return SandboxAttempt.failed(mechanism, report, unproven(report), List.of());
  }

  private @Nullable SandboxAttempt refusal(Mechanism mechanism) {
    String system = machine.system().toLowerCase(Locale.ROOT);
    boolean isLinux = system.contains("linux");
    boolean isMac = system.contains("mac");
    if (!isLinux && !isMac) {
      return SandboxAttempt.failed(
          mechanism,
          null,
          "there is no mechanism for " + machine.system(),
          system.contains("windows")
              ? List.of("run the replay in WSL 2, the Linux of Windows")
              : List.of());
    }
    boolean needsLinux = mechanism == Mechanism.BUBBLEWRAP || mechanism == Mechanism.LANDLOCK;
    if ((needsLinux && !isLinux) || (mechanism == Mechanism.SEATBELT && !isMac)) {
      return SandboxAttempt.failed(
          mechanism,
          null,
          "expected %s, found %s".formatted(needsLinux ? "Linux" : "macOS", machine.system()),
          List.of());
    }
    return null;
  }

  private Sandbox container(Mechanism mechanism, String image) throws SandboxException {
    if (machine.output(List.of(mechanism.id(), "--version")) == null) {
      throw new SandboxException(
          SandboxException.Reason.SETUP, mechanism.id() + " is not installed");
    }
    Container.removeAbandoned(mechanism, machine);
    return new CommandSandbox(new Container(mechanism, image, machine.environment()));
  }

  private List<String> remedies(Mechanism mechanism, String failure) {
    return switch (mechanism) {
      case BUBBLEWRAP -> Remedies.of(failure, machine);
      case PODMAN, DOCKER ->
        failure.contains("container-init binary not found")
            ? List.of("install the first process of containers: apt-get install catatonit")
            : List.of(
                "start the engine, and fetch the image: %s pull IMAGE".formatted(mechanism.id()));
      default -> List.of();
    };
  }

  private static String unproven(SandboxReport report) {
    return "not shown to isolate: "
        + report.unproven().stream().map(Sandboxes::describe).collect(Collectors.joining(", "));
  }

  private static String describe(ProbeResult result) {
    return "%s (%s, %s)".formatted(result.aspect().text(), result.outcome().id(), result.detail());
  }
}
