package dev.agentreplay.sandbox.probe;

import dev.agentreplay.io.file.FileMessages;
import dev.agentreplay.sandbox.Enforcement;
import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.SandboxedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the probes of a sandbox: one start of a program that attempts to reach this machine, while
 * this process makes the same attempts as the control. Attempts are made with this Java runtime,
 * which the sandbox shows read-only, and with Perl or Python those that Java has no method for.
 */
public final class SandboxProbes {

  /** The variable that programs in the sandbox are given. */
  static final String VARIABLE = "REPLAY_PROBE";

  private static final long SECONDS = 60;

  private final Sandbox sandbox;
  private final ProbeSet set;
  private final List<String> interpreters;
  private final String nonce;
  private Enforcement enforcement = Enforcement.NONE;

  private SandboxProbes(Sandbox sandbox, ProbeSet set, List<String> interpreters) {
    this.sandbox = sandbox;
    this.interpreters = interpreters;
    this.set = set;
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    this.nonce = HexFormat.of().formatHex(random);
  }

  /** Runs all probes. */
  public static SandboxReport run(Sandbox sandbox) throws SandboxException {
    return run(sandbox, ProbeSet.FULL);
  }

  /**
   * Runs probes.
   *
   * @throws SandboxException if the program could not be started in the sandbox, or the probes
   *     themselves could not be set up
   */
  public static SandboxReport run(Sandbox sandbox, ProbeSet set) throws SandboxException {
    boolean isFull = set == ProbeSet.FULL;
    return run(sandbox, set, isFull ? List.copyOf(ScriptControl.SCRIPTS.keySet()) : List.of());
  }

  /** Runs probes, with the first of some interpreters for the script. */
  static SandboxReport run(Sandbox sandbox, ProbeSet set, List<String> interpreters)
      throws SandboxException {
    long start = System.nanoTime();
    SandboxProbes probes = new SandboxProbes(sandbox, set, interpreters);
    try {
      List<ProbeResult> results = Judgment.of(probes.probe(), set);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      return new SandboxReport(sandbox.mechanism(), probes.enforcement, results, millis);
    } catch (SandboxException e) {
      throw e;
    } catch (IOException e) {
      throw new SandboxException(
          Reason.SETUP, "the probes could not be set up: " + FileMessages.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SandboxException(Reason.SETUP, "the probes were interrupted");
    }
  }

  private ProbeRun probe() throws IOException, InterruptedException {
    try (ProbeScene scene = ProbeScene.create(nonce);
        ProbeListeners listeners = ProbeListeners.start(nonce, scene.socket());
        ScriptControl script =
            ScriptControl.start(interpreters, "abstract-" + nonce, scene.workspace())) {
      scene.write(scene.parameters("inside", listeners, set));
      ProbeOutput direct = new ProbeOutput();
      direct.add(script.output());
      boolean wasLeft;
      boolean isLeft;
      String failure;
      try (SandboxedProcess program = sandbox.start(command(scene), options(scene))) {
        enforcement = program.enforcement();
        Properties control = scene.parameters("direct", listeners, set);
        direct.add(ProbeProgram.run(control));
        String end = await(program);
        wasLeft = end != null && Leftovers.await("left-" + nonce, true);
        program.process().getOutputStream().close();
        failure = failure(program, end, scene.workspace());
      } finally {
        // nothing of the probe may be left, also where the sandbox does not care
        isLeft = !Leftovers.await("left-" + nonce, false);
        Leftovers.kill("left-" + nonce);
      }
      return facts(scene, listeners, direct, wasLeft, isLeft, failure);
    }
  }

  private ProbeRun facts(
      ProbeScene scene,
      ProbeListeners listeners,
      ProbeOutput direct,
      boolean wasLeft,
      boolean isLeft,
      @Nullable String failure)
      throws IOException {
    ProbeOutput inside = new ProbeOutput();
    for (String name : List.of("sh.out", "java.out", "script.out")) {
      inside.add(text(scene.workspace().resolve(name)));
    }
    Set<String> home = new HashSet<>(scene.homeFiles());
    home.addAll(scene.homeDirectory());
    return new ProbeRun(
        sandbox.mechanism(),
        nonce,
        inside,
        direct,
        home,
        Files.exists(scene.allowed("inside"), LinkOption.NOFOLLOW_LINKS),
        Files.exists(scene.target("inside"), LinkOption.NOFOLLOW_LINKS),
        listeners.isReached("tcp", "inside"),
        listeners.isReached("udp", "inside"),
        wasLeft,
        isLeft,
        failure);
  }

  private List<String> command(ProbeScene scene) throws IOException {
    return List.of(
        "/bin/sh",
        "-c",
        ProbeScene.script(),
        "probe",
        java().toString(),
        scene.workspace().toString(),
        String.valueOf(ProcessHandle.current().pid()),
        // the token is joined in the sandbox: the command line of the program has only its parts
        "left",
        nonce,
        String.join(" ", interpreters));
  }

  private SandboxOptions options(ProbeScene scene) throws IOException {
    return SandboxOptions.of(scene.workspace())
        .withReadOnly(runtime())
        .withEnvironment(Map.of("PATH", "/usr/local/bin:/usr/bin:/bin", VARIABLE, nonce));
  }

  private static Path java() throws IOException {
    Path program = Path.of(System.getProperty("java.home"), "bin", "java");
    if (!Files.isExecutable(program)) {
      throw new IOException("this Java runtime has no " + program);
    }
    return program;
  }

  /** The directory of this Java runtime, and those of its files that are links to elsewhere. */
  private static List<Path> runtime() throws IOException {
    Path home = Path.of(System.getProperty("java.home"));
    Set<Path> paths = new LinkedHashSet<>();
    paths.add(home);
    Path real = home.toRealPath();
    paths.add(real);
    try (Stream<Path> files = Files.walk(real, 3)) {
      for (Path link : (Iterable<Path>) files.filter(Files::isSymbolicLink)::iterator) {
        // distributions keep configuration in /etc
        if (Files.exists(link) && link.toRealPath().startsWith("/etc")) {
          paths.add(link.toRealPath());
          Path first = link.resolveSibling(Files.readSymbolicLink(link)).normalize();
          paths.add(first);
        }
      }
    }
    return List.copyOf(paths);
  }

  /** Waits for the line that ends the attempts; null if there was none. */
  private static @Nullable String await(SandboxedProcess program) throws IOException {
    Process process = program.process();
    Thread guard = new Thread(
        () -> {
          try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
              program.close();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        },
        "replay-probe-guard");
    guard.setDaemon(true);
    guard.start();
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    try {
      String line = reader.readLine();
      return "end".equals(line) ? line : null;
    } catch (IOException closed) {
      return null;
    } finally {
      guard.interrupt();
    }
  }

  private static @Nullable String failure(
      SandboxedProcess program, @Nullable String end, Path workspace)
      throws IOException, InterruptedException {
    Process process = program.process();
    if (end != null) {
      process.waitFor(SECONDS, TimeUnit.SECONDS);
      String errors = text(workspace.resolve("java.err")) + text(workspace.resolve("script.err"));
      return errors.isBlank() ? null : shorten(errors);
    }
    if (!process.waitFor(1, TimeUnit.SECONDS)) {
      return "no answer within %d seconds".formatted(SECONDS);
    }
    String errors = new String(process.getErrorStream().readNBytes(4096), StandardCharsets.UTF_8);
    SandboxException fault = program.fault();
    if (fault != null) {
      String message = String.valueOf(fault.getMessage());
      boolean isComplete = errors.isBlank() || message.contains(errors.strip());
      throw new SandboxException(
          fault.reason(), isComplete ? message : message + ": " + shorten(errors));
    }
    throw new SandboxException(
        Reason.SETUP,
        "the program of the probes ended with exit code %d: %s"
            .formatted(process.exitValue(), shorten(errors)));
  }

  private static String shorten(String text) {
    String line = text.strip().replaceAll("\\s*\\R\\s*", "; ");
    return line.length() > 300 ? line.substring(0, 300) + "…" : line;
  }

  private static String text(Path file) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        ? Files.readString(file, StandardCharsets.UTF_8)
        : "";
  }
}
