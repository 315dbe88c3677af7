package dev.agentreplay.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files that a program needs to start and that are not part of the system: its installation, if
 * it is the file {@code bin/x} of one, or else the file alone; and those of the interpreter that a
 * script names.
 */
final class ProgramFiles {

  private static final String DEFAULT_PATH = "/bin:/usr/bin";
  private static final int MAX_INTERPRETERS = 4;
  // That of Linux.
  private static final int MAX_LINKS = 40;
  private static final List<Path> STORES = List.of(Path.of("/nix/store"), Path.of("/gnu/store"));
  // In a home directory, but with programs only.
  private static final Set<String> VERSION_MANAGERS = Set.of(
      ".asdf", ".bun", ".deno", ".goenv", ".jenv", ".nodenv", ".nvm", ".pyenv", ".rbenv", ".rustup",
      ".sdkman", ".volta");
  private static final Set<Path> SHARED = Set.of(
      Path.of("/home"),
      Path.of("/media"),
      Path.of("/mnt"),
      Path.of("/root"),
      Path.of("/run"),
      Path.of("/srv"),
      Path.of("/tmp"),
      Path.of("/var"));

  private final SandboxOptions options;
  private final SystemFiles system;
  private final List<Path> homes;
  private final List<String> ownPath;
  private final Set<Path> shown = new LinkedHashSet<>();

  private ProgramFiles(
      SandboxOptions options, SystemFiles system, List<Path> homes, String ownPath) {
    this.options = options;
    this.system = system;
    this.homes = homes;
    this.ownPath = List.of(ownPath.split(":", -1));
  }

  /**
   * Finds the files of a program.
   *
   * @param homes directories of users, which are not shown as a whole
   * @param ownPath the search path of the caller, whose programs are shown with their installation
   * @throws SandboxException if there is no such program
   */
  static List<Path> of(
      String program,
      SandboxOptions options,
      SystemFiles system,
      List<Path> homes,
      @Nullable String ownPath)
      throws SandboxException {
    ProgramFiles files =
        new ProgramFiles(options, system, homes, ownPath == null ? DEFAULT_PATH : ownPath);
    files.addProgram(program, 0, program.contains("/"));
    return List.copyOf(files.shown);
  }

  /**
   * Adds the files of a program.
   *
   * @param isGiven whether the caller names its place; otherwise the workspace or the recorded
   *     variables may, which must not make directories of this machine visible
   */
  private void addProgram(String program, int depth, boolean isGiven) throws SandboxException {
    Path path = find(program);
    try {
      Path host = host(path);
      Path link = path;
      boolean isTrusted = isGiven || isOnPath(path);
      for (int links = 0; ; links++) {
        isTrusted = isTrusted && !link.startsWith(options.workspacePath());
        show(link, isTrusted);
        Path file = host(link);
        if (!Files.isSymbolicLink(file)) {
          break;
        }
        // the paths are not resolved as by the kernel, for which the links end somewhere
        if (links == MAX_LINKS) {
          throw notStarted("too many symbolic links: " + path);
        }
        link = link.resolveSibling(Files.readSymbolicLink(file)).normalize();
      }
      if (host.equals(path)) {
        show(path.toRealPath(), isTrusted);
      }
      String interpreter = interpreter(host);
      if (interpreter != null && depth < MAX_INTERPRETERS) {
        addInterpreter(interpreter, path, depth + 1, isTrusted && interpreter.contains("/"));
      }
    } catch (IOException e) {
      if (e instanceof SandboxException known) {
        throw known;
      }
      throw notStarted("cannot read " + path + ": " + e.getMessage());
    }
  }

  private void addInterpreter(String interpreter, Path script, int depth, boolean isGiven)
      throws SandboxException {
    try {
      addProgram(interpreter, depth, isGiven);
    } catch (SandboxException e) {
      throw notStarted("the interpreter of %s: %s".formatted(script, e.getMessage()));
    }
  }

  private Path find(String program) throws SandboxException {
    try {
      if (program.contains("/")) {
        Path path = options.directory().resolve(program).normalize();
        if (!Files.isRegularFile(host(path))) {
          throw notStarted(
              Files.isDirectory(host(path))
                  ? "%s is a directory".formatted(path)
                  : "there is no program " + path);
        }
        if (!Files.isExecutable(host(path))) {
          throw notStarted("the file " + path + " is not executable");
        }
        return path;
      }
      String search = options.environment().getOrDefault("PATH", DEFAULT_PATH);
      for (String directory : search.split(":", -1)) {
        Path path = options.directory().resolve(directory).resolve(program).normalize();
        if (Files.isRegularFile(host(path)) && Files.isExecutable(host(path))) {
          return path;
        }
      }
      throw notStarted("there is no program '%s' in PATH".formatted(program));
    } catch (InvalidPathException e) {
      throw notStarted("not the name of a program: '" + program + "'");
    }
  }

  /** The file on this machine that a program sees at a path. */
  private Path host(Path path) {
    return path.startsWith(options.workspacePath())
        ? options.workspace().resolve(options.workspacePath().relativize(path))
        : path;
  }

  /** Whether a program is in a directory of the caller's own search path. */
  private boolean isOnPath(Path program) {
    return ownPath.contains(String.valueOf(program.getParent()));
  }

  /**
   * Shows a file.
   *
   * @param withInstallation whether also the directory in which the program is installed
   */
  private void show(Path path, boolean withInstallation) {
    if (path.startsWith(options.workspacePath())
        || system.shows(path)
        || shown.stream().anyMatch(path::startsWith)
        || options.readOnly().stream().anyMatch(path::startsWith)) {
      return;
    }
    for (Path store : STORES) {
      if (path.startsWith(store)) {
        shown.add(store);
        return;
      }
    }
    Path bin = path.getParent();
    Path prefix = bin == null ? null : bin.getParent();
    if (bin == null || prefix == null || !withInstallation) {
      shown.add(path);
      return;
    }
    boolean isInstalled = (bin.endsWith("bin") || bin.endsWith("shims")) && isInstallation(prefix);
    shown.add(isInstalled ? prefix : path);
    if (prefix.endsWith(".cargo")) {
      // The programs next to this one only find those of the toolchain.
      Path toolchains = prefix.resolveSibling(".rustup");
      if (Files.isDirectory(toolchains)) {
        shown.add(toolchains);
      }
    }
  }

  private boolean isInstallation(Path prefix) {
    Path parent = prefix.getParent();
    if (parent == null || SHARED.contains(prefix) || parent.equals(Path.of("/home"))) {
      return false;
    }
    for (Path home : homes) {
      // ~/.local and the like hold more than programs.
      boolean isOwn = parent.equals(home);
      boolean isManager = VERSION_MANAGERS.contains(prefix.getFileName().toString());
      if (home.startsWith(prefix) || (isOwn && !isManager)) {
        return false;
      }
    }
    return !options.workspacePath().startsWith(prefix) && !options.workspace().startsWith(prefix);
  }

  /** The program that a script names in its first line; null if the file is not a script. */
  private static @Nullable String interpreter(Path file) throws IOException {
    byte[] start;
    try (InputStream in = Files.newInputStream(file)) {
      start = in.readNBytes(256);
    }
    String text = new String(start, StandardCharsets.UTF_8);
    if (!text.startsWith("#!")) {
      return null;
    }
    List<String> words = new ArrayList<>(
        List.of(text.substring(2).lines().findFirst().orElse("").strip().split("\\s+", -1)));
    if (words.get(0).endsWith("/env")) {
      words.subList(1, words.size()).removeIf(word -> word.startsWith("-") || word.contains("="));
      return words.size() > 1 ? words.get(1) : words.get(0);
    }
    return words.get(0).isEmpty() ? null : words.get(0);
  }

  private static SandboxException notStarted(String message) {
    return new SandboxException(SandboxException.Reason.NOT_STARTED, message);
  }
}
