package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.sandbox.Enforcement;
import dev.agentreplay.sandbox.Limiter;
import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.internal.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A container of Podman or Docker, with an image that the user names and that is on the machine. It
 * is used only on request: an engine is a service with the permissions of the administrator, and
 * the image replaces the programs of the machine.
 *
 * <p>A shell in the image notes in a mounted file that the program is about to start: engines have
 * no exit codes of their own that a program could not have, too.
 *
 * <p>A program that is killed counts as one at the limit of memory, since only the kernel and the
 * program itself can do that. A program that can start no more processes gets an error.
 *
 * <p>The name of a container states its owner, so that a later process removes what a crashed one
 * has left.
 */
final class Container implements Launcher {

  // 128 + SIGKILL, which only a program in the container, or the kernel, sends.
  private static final int KILLED = 137;
  // 128 + SIGXFSZ.
  private static final int TOO_LARGE = 153;
  // The unit of ulimit -f.
  private static final int BLOCK = 512;
  private static final Path STATUS = Path.of("/.replay-status");
  private static final String START = "command -v \"$1\" >/dev/null || {" + " echo missing >"
      + STATUS + "; exit 127; }; echo started >" + STATUS + "; exec \"$@\"";

  private final Mechanism mechanism;
  private final String image;
  private final Map<String, String> client;

  /**
   * Creates a launcher.
   *
   * @param client the environment of the client of the engine
   */
  Container(Mechanism mechanism, String image, Map<String, String> client) {
    this.mechanism = mechanism;
    this.image = image;
    this.client = Map.copyOf(client);
  }

  @Override
  public Mechanism mechanism() {
    return mechanism;
  }

  @Override
  public boolean mapsWorkspace() {
    return true;
  }

  @Override
  public Launch launch(List<String> command, SandboxOptions options) throws SandboxException {
    String name = Owner.namePrefix() + UUID.randomUUID();
    Map<String, String> environment = new HashMap<>(client);
    environment.putAll(ContainerVariables.of(options.environment()).values());
    Path directory = null;
    try {
      directory = Files.createTempDirectory(Owner.namePrefix());
      Path status = Files.writeString(directory.resolve("status"), "");
      Files.setPosixFilePermissions(status, PosixFilePermissions.fromString("rw-rw-rw-"));
      Path filter = Files.writeString(
          directory.resolve("seccomp.json"), ContainerFilter.json().toString());
      return new Launch(
          arguments(name, user(options), status, filter, command, options),
          environment,
          options.workspace(),
          status,
          new Enforcement(Limiter.CGROUP, Limiter.CGROUP, Limiter.NONE, options.readOnly()),
          removal(mechanism, name));
    } catch (IOException e) {
      throw failed(directory, e);
    }
  }

  private static SandboxException failed(@Nullable Path directory, IOException cause) {
    try {
      if (directory != null) {
        FileTree.delete(directory);
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
    return cause instanceof SandboxException known
        ? known
        : new SandboxException(Reason.SETUP, "no temporary file: " + cause);
  }

  /** The command that ends and removes a container at once. */
  private static List<String> removal(Mechanism engine, String name) {
    return engine == Mechanism.PODMAN
        ? List.of(engine.id(), "rm", "--force", "--time=0", name)
        : List.of(engine.id(), "rm", "--force", name);
  }

  /** Removes the containers of crashed processes. */
  static void removeAbandoned(Mechanism engine, Machine machine) {
    String names = machine.output(List.of(
        engine.id(), "ps", "--all", "--filter=name=replay-sandbox-", "--format={{.Names}}"));
    if (names != null) {
      names
          .lines()
          .filter(Owner::isAbandoned)
          .forEach(name -> machine.output(removal(engine, name)));
    }
  }

  /** The call of the client. */
  List<String> arguments(
      String name,
      @Nullable String user,
      Path status,
      Path filter,
      List<String> command,
      SandboxOptions options)
      throws SandboxException {
    List<String> words = new ArrayList<>(List.of(
        mechanism.id(),
        "run",
        "--rm",
        "--interactive",
        "--init",
        "--name=" + name,
        "--pull=never",
        "--network=none",
        "--read-only",
        "--cap-drop=ALL",
        "--security-opt=no-new-privileges",
        "--security-opt=seccomp=" + filter,
        "--ipc=private",
        "--log-driver=none",
        "--pids-limit=" + options.limits().processes(),
        "--memory=" + options.limits().memoryBytes(),
        "--memory-swap=" + options.limits().memoryBytes(),
        "--tmpfs=/tmp:rw,nosuid,nodev,size=" + options.limits().temporaryBytes()));
    HostIdentity identity = options.identity();
    if (identity != null && identity.host() != null) {
      words.add("--hostname=" + identity.host());
    }
    if (user != null) {
      words.add("--user=" + user);
      if (mechanism == Mechanism.PODMAN && !isRoot()) {
        words.add("--userns=keep-id"); // so that the number is that of this machine
      }
    }
    ContainerVariables variables = ContainerVariables.of(options.environment());
    words.addAll(variables.options());
    words.add(mount(
        options.workspace(), options.workspacePath(), options.isWritable() ? "" : ",readonly"));
    for (Path path : options.readOnly()) {
      words.add(mount(path, path, ",readonly"));
    }
    words.add(mount(status, STATUS, ""));
    words.add("--workdir=" + options.directory());
    words.addAll(List.of("--entrypoint=/bin/sh", image, "-c"));
    String umask = identity == null ? null : identity.umask();
    boolean isOctal = umask != null && umask.matches("[0-7]{1,4}");
    // by the shell: Podman replaces the configured limits with its own if one is given
    String limit = "ulimit -f " + (options.limits().temporaryBytes() + BLOCK - 1) / BLOCK + "; ";
    String mask = isOctal ? "umask " + umask + "; " : "";
    words.addAll(List.of(limit + mask + variables.script() + START, "sh"));
    words.addAll(command);
    return words;
  }

  private static String mount(Path source, Path target, String mode) throws SandboxException {
    String text = "--mount=type=bind,source=%s,target=%s%s".formatted(source, target, mode);
    if ((source + "" + target).matches("(?s).*[,\"\\n].*")) {
      throw new SandboxException(
          Reason.SETUP, "a container cannot show a path with a comma or a quote: " + source);
    }
    return text;
  }

  private static boolean isRoot() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException notLinux) {
      return false;
    }
  }

  /** The owner of the workspace, who can change it; null if there is none. */
  private static @Nullable String user(SandboxOptions options) throws SandboxException {
    try {
      Map<String, Object> owner = Files.readAttributes(options.workspace(), "unix:uid,gid");
      return owner.get("uid") + ":" + owner.get("gid");
    } catch (UnsupportedOperationException | IllegalArgumentException notUnix) {
      return null;
    } catch (IOException e) {
      throw new SandboxException(Reason.SETUP, "the workspace cannot be read: " + e);
    }
  }

  @Override
  public @Nullable Reason fault(int exitCode, String status) {
    return switch (status.strip()) {
      case "started" -> exitCode == KILLED || exitCode == TOO_LARGE ? Reason.LIMIT : null;
      case "missing" -> Reason.NOT_STARTED;
      default -> Reason.SETUP;
    };
  }
}
