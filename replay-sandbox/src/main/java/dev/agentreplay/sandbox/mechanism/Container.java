package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * <p>Of the exit codes of the client, 125 is an engine that could not set the container up, and 126
 * and 127 are programs that could not be started; a program that itself ends with one of these
 * looks the same.
 */
final class Container implements Launcher {

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
    String name = "replay-" + UUID.randomUUID();
    Map<String, String> environment = new HashMap<>(client);
    for (Map.Entry<String, String> entry : options.environment().entrySet()) {
      if (!client.containsKey(entry.getKey())) {
        environment.put(entry.getKey(), entry.getValue());
      }
    }
    return new Launch(
        arguments(name, user(options), command, options),
        environment,
        options.workspace(),
        null,
        List.of(mechanism.id(), "kill", name));
  }

  /** The call of the client. */
  List<String> arguments(
      String name, @Nullable String user, List<String> command, SandboxOptions options)
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
    }
    for (Map.Entry<String, String> entry : options.environment().entrySet()) {
      // the client passes the value on, so that it is not on a command line that others can read,
      // unless the client needs a variable of this name itself
      words.add("--env="
          + (client.containsKey(entry.getKey())
              ? entry.getKey() + "=" + entry.getValue()
              : entry.getKey()));
    }
    words.add(mount(
        options.workspace(), options.workspacePath(), options.isWritable() ? "" : ",readonly"));
    for (Path path : options.readOnly()) {
      words.add(mount(path, path, ",readonly"));
    }
    words.add("--workdir=" + options.directory());
    words.add("--entrypoint=" + command.get(0));
    words.add(image);
    words.addAll(command.subList(1, command.size()));
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

  private static @Nullable String user(SandboxOptions options) throws SandboxException {
    HostIdentity identity = options.identity();
    if (identity != null && identity.uid() != null && identity.gid() != null) {
      return identity.uid() + ":" + identity.gid();
    }
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
    return switch (exitCode) {
      case 125 -> Reason.SETUP;
      case 126, 127 -> Reason.NOT_STARTED;
      default -> null;
    };
  }
}
