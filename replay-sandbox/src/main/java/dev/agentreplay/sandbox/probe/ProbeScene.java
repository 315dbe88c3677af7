package dev.agentreplay.sandbox.probe;

import dev.agentreplay.io.file.TemporaryDirectory;
import dev.agentreplay.sandbox.internal.ThisUser;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/**
 * The files of a probe: a temporary directory with the workspace of the sandbox, and next to it one
 * with the files, the socket and the target of writes that must be out of reach.
 */
final class ProbeScene implements Closeable {

  private static final String PACKAGE = "dev/agentreplay/sandbox/probe";
  private static final int HOME_FILES = 3;
  private static final List<String> KERNEL =
      List.of("/proc/sys/kernel/core_pattern", "/proc/sys/vm/overcommit_memory", "/proc/mtrr");

  private final TemporaryDirectory temporary;
  private final Path workspace;
  private final Path outside;
  private final String nonce;
  private final Path home;

  private ProbeScene(TemporaryDirectory temporary, String nonce) {
    this.temporary = temporary;
    this.workspace = temporary.path().resolve("w");
    this.outside = temporary.path().resolve("o");
    this.nonce = nonce;
    Path known = ThisUser.home();
    this.home = known == null ? temporary.path().resolve("no-home") : known;
  }

  static ProbeScene create(String nonce) throws IOException {
    ProbeScene scene = new ProbeScene(TemporaryDirectory.create(), nonce);
    try {
      Files.createDirectory(scene.workspace);
      Files.createDirectory(scene.outside);
      Files.writeString(scene.workspace.resolve("marker"), nonce);
      Files.writeString(scene.outside.resolve("marker"), nonce);
      Path classes = Files.createDirectories(scene.workspace.resolve(PACKAGE));
      copy("ProbeProgram.class", classes);
      for (String script : ScriptControl.SCRIPTS.values()) {
        copy(script, scene.workspace);
      }
      return scene;
    } catch (IOException | RuntimeException e) {
      scene.close();
      throw e;
    }
  }

  Path workspace() {
    return workspace;
  }

  Path socket() {
    return outside.resolve("s");
  }

  /** The parameters of the program on one side. */
  Properties parameters(String side, ProbeListeners listeners, ProbeSet set) throws IOException {
    Properties parameters = new Properties();
    parameters.setProperty("side", side);
    parameters.setProperty("nonce", nonce);
    parameters.setProperty("own", workspace.toString());
    parameters.setProperty("pid", String.valueOf(ProcessHandle.current().pid()));
    put(parameters, "tcp", listeners.tcp());
    put(parameters, "udp", listeners.udp());
    put(parameters, "dns", listeners.udp());
    put(parameters, Aspect.UNIX_SOCKET.id(), List.of(socket().toString()));
    put(parameters, "write", List.of(target(side).toString()));
    List<String> files = new ArrayList<>(homeFiles());
    files.addAll(otherFiles());
    put(parameters, "read", files);
    put(parameters, "list", homeDirectory());
    put(parameters, "kernel", KERNEL);
    if (set == ProbeSet.FULL) {
      put(parameters, Aspect.USER_BUS.id(), userBuses());
      put(parameters, Aspect.DOCKER_SOCKET.id(), engines());
      put(parameters, "resolver", resolvers());
    }
    return parameters;
  }

  /** The file outside the workspace that a side writes. */
  Path target(String side) {
    return outside.resolve("written-" + side);
  }

  /** The file in the workspace that a side writes. */
  Path allowed(String side) {
    return workspace.resolve("written-" + side);
  }

  List<String> homeDirectory() {
    boolean isOwn = home.getNameCount() > 0 && Files.isDirectory(home);
    return isOwn ? List.of(home.toString()) : List.of();
  }

  /** The first regular files of the home directory that this process can read. */
  List<String> homeFiles() throws IOException {
    List<String> files = new ArrayList<>();
    for (String directory : homeDirectory()) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(directory))) {
        for (Path entry : entries) {
          if (files.size() < HOME_FILES
              && Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)
              && Files.isReadable(entry)
              && entry.toFile().length() > 0) { // 0 if it was deleted meanwhile
            files.add(entry.toString());
          }
        }
      }
    }
    return files;
  }

  List<String> otherFiles() {
    return List.of(
        outside.resolve("marker").toString(),
        "/etc/shadow",
        "/etc/ssh/ssh_host_ed25519_key",
        "/etc/machine-id");
  }

  private static List<String> userBuses() {
    Set<String> paths = new LinkedHashSet<>();
    String address = System.getenv("DBUS_SESSION_BUS_ADDRESS");
    if (address != null && address.startsWith("unix:path=")) {
      paths.add(address.substring("unix:path=".length()).split("[,;]", 2)[0]);
    }
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    if (runtime != null) {
      paths.add(runtime + "/bus");
      paths.add(runtime + "/systemd/private");
    }
    paths.add("/run/dbus/system_bus_socket");
    paths.add("/run/systemd/private");
    return List.copyOf(paths);
  }

  private static List<String> engines() {
    Set<String> paths = new LinkedHashSet<>();
    String host = System.getenv("DOCKER_HOST");
    if (host != null && host.startsWith("unix://")) {
      paths.add(host.substring("unix://".length()));
    }
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    if (runtime != null) {
      paths.add(runtime + "/docker.sock");
      paths.add(runtime + "/podman/podman.sock");
    }
    paths.addAll(Arrays.asList(
        "/var/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock"));
    return List.copyOf(paths);
  }

  private static List<String> resolvers() {
    return List.of("/run/nscd/socket", "/run/systemd/resolve/io.systemd.Resolve");
  }

  private static void put(Properties parameters, String name, List<String> values) {
    parameters.setProperty(name, String.join("\n", values));
  }

  void write(Properties parameters) throws IOException {
    try (OutputStream out = Files.newOutputStream(workspace.resolve("parameters"))) {
      parameters.store(out, null);
    }
  }

  static String script() throws IOException {
    try (InputStream in = resource("probe.sh")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void copy(String name, Path directory) throws IOException {
    try (InputStream in = resource(name)) {
      Files.copy(in, directory.resolve(name));
    }
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = ProbeScene.class.getResourceAsStream(name);
    if (in == null) {
      throw new IOException("the library lacks its resource " + name);
    }
    return in;
  }

  @Override
  public void close() throws IOException {
    temporary.close();
  }
}
