package dev.agentreplay.sandbox.probe;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.Enforcement;
import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.probe.ProbeResult.Outcome;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The results of the probes of one sandbox, in the order of {@link Aspect}. Immutable. */
public final class SandboxReport {

  private static final Set<Aspect> FILES = EnumSet.of(Aspect.WRITE_OUTSIDE, Aspect.READ_OTHERS);
  // not the home directory and the environment: a service may have none that could be in reach
  private static final Set<Aspect> REQUIRED = EnumSet.of(
      Aspect.TCP,
      Aspect.UDP,
      Aspect.DNS,
      Aspect.UNIX_SOCKET,
      Aspect.WRITE_OUTSIDE,
      Aspect.READ_OTHERS,
      Aspect.DESCRIPTORS,
      Aspect.PROCESSES,
      Aspect.LEFTOVERS);

  private final Mechanism mechanism;
  private final Enforcement enforcement;
  private final List<ProbeResult> results;
  private final long millis;

  SandboxReport(
      Mechanism mechanism, Enforcement enforcement, List<ProbeResult> results, long millis) {
    this.mechanism = mechanism;
    this.enforcement = enforcement;
    this.results = List.copyOf(results);
    this.millis = millis;
  }

  /** The mechanism that was probed. */
  public Mechanism mechanism() {
    return mechanism;
  }

  /** The limits that were in force. */
  public Enforcement enforcement() {
    return enforcement;
  }

  /** The results. */
  public List<ProbeResult> results() {
    return results;
  }

  /** The duration of all probes, in milliseconds. */
  public long millis() {
    return millis;
  }

  /** The result of an aspect; null if it was not probed. */
  public @Nullable ProbeResult result(Aspect aspect) {
    return results.stream().filter(r -> r.aspect() == aspect).findFirst().orElse(null);
  }

  /** The results that are open. */
  public List<ProbeResult> gaps() {
    return results.stream().filter(r -> r.outcome() == Outcome.OPEN).toList();
  }

  /** The results that show nothing. */
  public List<ProbeResult> inconclusive() {
    return results.stream().filter(r -> r.outcome() == Outcome.INCONCLUSIVE).toList();
  }

  /**
   * Whether programs are isolated: nothing is open, and network, files, descriptors and processes
   * are each shown to be enforced.
   */
  public boolean isIsolated() {
    return gaps().isEmpty() && isEnforced(REQUIRED);
  }

  /** Whether programs read and write only the files that they are given. */
  public boolean isolatesFiles() {
    ProbeResult home = result(Aspect.READ_HOME);
    return isEnforced(FILES) && (home == null || home.outcome() != Outcome.OPEN);
  }

  /** The results that keep {@link #isIsolated} from being true. */
  public List<ProbeResult> unproven() {
    return results.stream()
        .filter(r -> r.outcome() == Outcome.OPEN
            || (r.outcome() == Outcome.INCONCLUSIVE && REQUIRED.contains(r.aspect())))
        .toList();
  }

  private boolean isEnforced(Set<Aspect> aspects) {
    Set<Aspect> enforced = EnumSet.noneOf(Aspect.class);
    for (ProbeResult result : results) {
      if (result.outcome() == Outcome.ENFORCED) {
        enforced.add(result.aspect());
      }
    }
    return enforced.containsAll(aspects);
  }

  /** The enforced aspects, each with the part of the operating system that enforced it. */
  public JsonObject enforced() {
    JsonObject enforced = JsonObject.EMPTY;
    for (ProbeResult result : results) {
      if (result.outcome() == Outcome.ENFORCED) {
        enforced = enforced.with(result.aspect().id(), result.by());
      }
    }
    return enforced;
  }

  /** The results that are not enforced, each as a sentence without its end. */
  public List<String> notEnforced() {
    return results.stream()
        .filter(result -> result.outcome() != Outcome.ENFORCED)
        .map(result ->
            "%s: %s: %s".formatted(result.aspect().text(), result.outcome().id(), result.detail()))
        .toList();
  }

  /** The report as JSON. */
  public JsonObject json() {
    List<JsonObject> probes = new ArrayList<>();
    for (ProbeResult result : results) {
      probes.add(JsonObject.of(
          "aspect", result.aspect().id(),
          "outcome", result.outcome().id(),
          "by", result.by(),
          "detail", result.detail()));
    }
    return JsonObject.of(
        "mechanism", mechanism.id(),
        "isolated", isIsolated(),
        "millis", millis,
        "limits",
            JsonObject.of(
                "memory", enforcement.memory().id(),
                "processes", enforcement.processes().id(),
                "files", enforcement.files().id()),
        "probes", JsonArray.of(probes.toArray()));
  }
}
