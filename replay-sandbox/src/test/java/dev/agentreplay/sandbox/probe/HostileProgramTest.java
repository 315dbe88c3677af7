package dev.agentreplay.sandbox.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.sandbox.Bubblewrap;
import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxLimits;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.SandboxedProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A program that attacks the machine from inside the sandbox. */
@EnabledOnOs(OS.LINUX)
class HostileProgramTest {

  private static final SandboxLimits LIMITS = new SandboxLimits(512 << 20, 100, 64 << 20);

  private final String token = UUID.randomUUID().toString();
  private Path base = Path.of("");
  private Path original = Path.of("");
  private Path secret = Path.of("");
  private Path copy = Path.of("");

  private static Sandbox sandbox() {
    try {
      return Bubblewrap.find();
    } catch (SandboxException e) {
      System.err.println("SKIPPED: a hostile program is NOT TESTED: " + e.getMessage());
      assumeTrue(false, String.valueOf(e.getMessage()));
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void prepare() throws IOException {
    base = Files.createTempDirectory("replay-hostile-").toRealPath();
    original = Files.createDirectories(base.resolve("original/src"));
    Files.writeString(original.resolve("kept.txt"), "kept");
    Files.createSymbolicLink(original.resolve("link"), Path.of("kept.txt"));
    original = original.getParent();
    Files.writeString(original.resolve("kept.txt"), "kept");
    secret = Files.writeString(base.resolve("secret"), "secret of the host");
    copy = Files.createDirectories(base.resolve("copy"));
    Files.writeString(copy.resolve("kept.txt"), "kept");
  }

  @AfterEach
  void delete() throws Exception {
    // rm follows no link, and deletes trees that are deeper than a path may be
    new ProcessBuilder(
            "sh", "-c", "chmod -R u+rwx \"$0\" 2>/dev/null; rm -rf \"$0\"", base.toString())
        .start()
        .waitFor();
    assertThat(base).doesNotExist();
  }

  private SandboxOptions options() {
    return SandboxOptions.of(copy)
        .withLimits(LIMITS)
        .withEnvironment(Map.of("PATH", "/usr/bin:/bin"));
  }

  @Test
  @Tag("slow")
  void nothing_outside_is_reached_and_nothing_is_left() throws Exception {
    Sandbox sandbox = sandbox();
    String before = hash(original);
    String script = script();
    String output;
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      server.setSoTimeout(1);
      List<String> command = List.of(
          "/bin/sh",
          "-c",
          script,
          "hostile",
          original.toString(),
          secret.toString(),
          String.valueOf(ProcessHandle.current().pid()),
          String.valueOf(server.getLocalPort()),
          token);
      try (SandboxedProcess program = sandbox.start(command, options())) {
        program.process().getOutputStream().close();
        output =
            new String(program.process().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String errors =
            new String(program.process().getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.fault()).as(output + errors).isNull();
      }
      assertThat(hasConnection(server)).isFalse();
    }
    assertThat(output).isEqualTo("end\n");
    assertThat(hash(original)).isEqualTo(before);
    assertThat(Files.readString(secret)).isEqualTo("secret of the host");
    assertThat(Leftovers.await(token + "-left", false))
        .as("processes left behind")
        .isTrue();
    assertThat(Path.of("/usr/replay-hostile")).doesNotExist();
    assertThat(copy.resolve("kept.txt")).doesNotExist(); // the attack did run
  }

  @Test
  void fork_bomb_ends_at_the_limit_and_leaves_no_process() throws Exception {
    Sandbox sandbox = sandbox();
    String script = "f() { f | f & }; f; sleep 60; : " + token;
    try (SandboxedProcess program =
        sandbox.start(List.of("/bin/sh", "-c", script, "bomb"), options())) {
      program.process().getOutputStream().close();
      SandboxException fault = program.fault();
      assertThat(Objects.requireNonNull(fault).reason()).isEqualTo(Reason.LIMIT);
    }
    // each process of the bomb has the same command line
    assertThat(Leftovers.await(token, false)).isTrue();
  }

  @Test
  void two_gigabytes_are_stopped_at_the_limit() throws Exception {
    Sandbox sandbox = sandbox();
    String before = hash(original);
    String script = "i=0; while [ $i -lt 64 ]; do"
        + " head -c 33554432 /dev/zero >big-$i || exit 9; sleep 0.1; i=$((i + 1)); done;"
        + " echo written";
    try (SandboxedProcess program =
        sandbox.start(List.of("/bin/sh", "-c", script, token), options())) {
      String output =
          new String(program.process().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      SandboxException fault = program.fault();
      assertThat(output).isEmpty();
      assertThat(fault).isNotNull();
      assertThat(Objects.requireNonNull(fault).reason()).isEqualTo(Reason.LIMIT);
    }
    assertThat(size(copy)).isLessThan(1L << 30);
    assertThat(hash(original)).isEqualTo(before);
    assertThat(Leftovers.await(token, false)).isTrue();
  }

  private static boolean hasConnection(ServerSocket server) throws IOException {
    try {
      server.accept().close();
      return true;
    } catch (SocketTimeoutException none) {
      return false;
    }
  }

  private static String script() throws IOException {
    try (InputStream in = HostileProgramTest.class.getResourceAsStream("hostile.sh")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static long size(Path directory) throws IOException {
    long size = 0;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        size += Files.size(file);
      }
    }
    return size;
  }

  /** The hash of paths, kinds, modes, times and contents of a tree. */
  private static String hash(Path directory) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    List<Path> files = new ArrayList<>();
    try (Stream<Path> tree = Files.walk(directory)) {
      tree.forEach(files::add);
    }
    Collections.sort(files);
    for (Path file : files) {
      Map<String, Object> facts = Files.readAttributes(
          file, "unix:mode,lastModifiedTime,ctime,ino,nlink", LinkOption.NOFOLLOW_LINKS);
      digest.update((file + " " + new TreeMap<>(facts)).getBytes(StandardCharsets.UTF_8));
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        digest.update(Files.readAllBytes(file));
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
