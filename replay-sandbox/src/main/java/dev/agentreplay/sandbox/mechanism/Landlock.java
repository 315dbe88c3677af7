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
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Landlock through {@code setpriv} of util-linux 2.40 or later, for machines on which user
 * namespaces are forbidden. Files are isolated, and with newer versions TCP, abstract sockets and
 * signals. Names and sizes of files, path-named Unix sockets, UDP and the list of processes are
 * not. Not run on a machine with such a version: only its arguments are tested.
 */
final class Landlock implements Launcher {

  private static final String READ_TREE = "execute,read-file,read-dir";
  private static final String READ_FILE = "execute,read-file";
  private static final List<String> SYSTEM =
      List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");
  private static final List<String> CONFIGURATION = List.of(
      "/etc/alternatives",
      "/etc/group",
      "/etc/ld.so.cache",
      "/etc/ld.so.conf",
      "/etc/ld.so.conf.d",
      "/etc/localtime",
      "/etc/nsswitch.conf",
      "/etc/passwd",
      // not all of pki and ssl, which hold private keys that root could read
      "/etc/pki/ca-trust",
      "/etc/pki/java",
      "/etc/pki/tls/certs",
      "/etc/ssl/cert.pem",
      "/etc/ssl/certs",
      "/etc/ssl/openssl.cnf");
  private static final List<String> DEVICES =
      List.of("/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero");

  /** Notes at descriptor 9 how far the start came; the program does not get the descriptor. */
  private static final String START =
      "command -v \"$1\" >/dev/null || { echo missing >&9; exit 127; }; "
          + "echo started >&9; exec \"$@\" 9>&-";

  private final String setpriv;
  private final List<String> restrictions;
  private final Predicate<Path> exists;

  private Landlock(String setpriv, List<String> restrictions, Predicate<Path> exists) {
    this.setpriv = setpriv;
    this.restrictions = restrictions;
    this.exists = exists;
  }

  /**
   * The mechanism, as far as the help of {@code setpriv} lists it; null if it lists none.
   *
   * @param exists the files of the machine
   */
  static @Nullable Landlock of(String setpriv, String help, Predicate<Path> exists) {
    if (!help.contains("--landlock-access")) {
      return null;
    }
    List<String> restrictions = new ArrayList<>(List.of("fs"));
    if (help.contains("connect-tcp")) {
      restrictions.add("net");
    }
    if (help.contains("abstract-unix-socket")) {
      restrictions.add("scope");
    }
    return new Landlock(setpriv, restrictions, exists);
  }

  @Override
  public Mechanism mechanism() {
    return Mechanism.LANDLOCK;
  }

  @Override
  public Launch launch(List<String> command, SandboxOptions options) throws SandboxException {
    Launcher.requireSamePath(options, "Landlock");
    Path status;
    try {
      status = Files.createTempFile("replay-status-", "");
    } catch (IOException e) {
      throw new SandboxException(Reason.SETUP, "no temporary file: " + e);
    }
    List<String> words = new ArrayList<>();
    words.addAll(List.of("/bin/sh", "-c", "exec \"$@\" 9>\"$0\"", status.toString()));
    words.addAll(arguments(options));
    HostIdentity identity = options.identity();
    String umask = identity == null ? null : identity.umask();
    boolean isOctal = umask != null && umask.matches("[0-7]{1,4}");
    words.addAll(List.of("/bin/sh", "-c", isOctal ? "umask " + umask + "; " + START : START, "sh"));
    words.addAll(command);
    return new Launch(words, options.environment(), options.directory(), status, List.of());
  }

  /** The call of {@code setpriv}, up to the program that it starts. */
  List<String> arguments(SandboxOptions options) {
    List<String> words = new ArrayList<>(List.of(setpriv, "--no-new-privs"));
    for (String restriction : restrictions) {
      words.addAll(List.of("--landlock-access", restriction));
    }
    for (String directory : SYSTEM) {
      allow(words, READ_TREE, Path.of(directory));
    }
    for (String file : CONFIGURATION) {
      allow(words, Files.isDirectory(Path.of(file)) ? READ_TREE : READ_FILE, Path.of(file));
    }
    for (String device : DEVICES) {
      allow(words, "read-file,write-file", Path.of(device));
    }
    for (Path path : options.readOnly()) {
      allow(words, Files.isDirectory(path) ? READ_TREE : READ_FILE, path);
    }
    // an empty list of accesses allows each of them
    allow(words, options.isWritable() ? "" : READ_TREE, options.workspace());
    words.add("--");
    return words;
  }

  private void allow(List<String> words, String accesses, Path path) {
    if (exists.test(path)) {
      words.addAll(List.of("--landlock-rule", "path-beneath:" + accesses + ":" + path));
    }
  }

  @Override
  public @Nullable Reason fault(int exitCode, String status) {
    return switch (status.strip()) {
      case "started" -> null;
      case "missing" -> Reason.NOT_STARTED;
      default -> Reason.SETUP;
    };
  }
}
