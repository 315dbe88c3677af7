package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.replay.execution.NotExecutedException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command line of a program, which is started without a shell. Immutable.
 *
 * <p>Of the environment of this process, the program gets {@code PATH}, {@code LANG},
 * {@code LC_ALL}, {@code TZ} and {@code TMPDIR}, on Windows also {@code SystemRoot},
 * {@code PATHEXT}, {@code TEMP} and {@code TMP}, and the variables that {@link #withEnvironment}
 * allows; {@code REPLAY_PROTOCOL} is {@value #PROTOCOL}. {@code HOME} is not among them, because
 * programs find credentials below it. The values that {@link #withVariables} states replace those
 * of this process.
 *
 * <p>The program has the permissions of this process, unless {@link #withStarter} states what
 * starts it.
 */
public final class ProcessCommand {

  /** The version of the protocol, docs/protocol.md. */
  static final int PROTOCOL = 1;

  /** The name of the variable with the version of the protocol. */
  static final String PROTOCOL_VARIABLE = "REPLAY_PROTOCOL";

  private static final boolean IS_WINDOWS = File.separatorChar == '\\';

  private static final Set<String> PASSED = IS_WINDOWS
      ? Set.of("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "SystemRoot", "PATHEXT", "TEMP", "TMP")
      : Set.of("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR");

  private final List<String> words;
  private final @Nullable Path directory;
  private final Set<String> environment;
  private final Map<String, String> variables;
  private final Consumer<String> errors;
  private final @Nullable ProcessStarter starter;

  private ProcessCommand(
      List<String> words,
      @Nullable Path directory,
      Set<String> environment,
      Map<String, String> variables,
      Consumer<String> errors,
      @Nullable ProcessStarter starter) {
    this.words = words;
    this.directory = directory;
    this.environment = environment;
    this.variables = variables;
    this.errors = errors;
    this.starter = starter;
  }

  /**
   * Creates a command in the working directory of this process.
   *
   * @param words the program and its arguments
   * @throws IllegalArgumentException if there is no program
   */
  public static ProcessCommand of(List<String> words) {
    List<String> copy = List.copyOf(words);
    if (copy.isEmpty() || copy.get(0).isBlank()) {
      throw new IllegalArgumentException("a command needs a program");
    }
    return new ProcessCommand(copy, null, Set.of(), Map.of(), line -> {}, null);
  }

  /** Returns this command with a working directory; null for that of this process. */
  public ProcessCommand withDirectory(@Nullable Path newDirectory) {
    return new ProcessCommand(words, newDirectory, environment, variables, errors, starter);
  }

  /** Returns this command with the names of further variables that the program gets. */
  public ProcessCommand withEnvironment(Set<String> names) {
    Set<String> copy = Collections.unmodifiableSet(new TreeSet<>(names));
    return new ProcessCommand(words, directory, copy, variables, errors, starter);
  }

  /**
   * Returns this command with variables whose values the program gets in place of those of this
   * process, such as a recorded {@code TZ}; {@code REPLAY_PROTOCOL} is not replaced.
   *
   * @throws IllegalArgumentException if a name is not one of a variable, or a value has a NUL
   */
  public ProcessCommand withVariables(Map<String, String> values) {
    Map<String, String> copy = Collections.unmodifiableMap(new TreeMap<>(values));
    copy.forEach((name, value) -> {
      if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("not the name of a variable: \"" + name + '"');
      } else if (value.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("the value of " + name + " has a NUL");
      }
    });
    return new ProcessCommand(words, directory, environment, copy, errors, starter);
  }

  /**
   * Returns this command with a receiver of the lines that the program writes to its standard
   * error, without their ends; a line is cut after 10,000 characters, and after 1,048,576
   * characters the rest is left out, as a last line says. They are discarded by default. It is
   * called on a thread of its own.
   */
  public ProcessCommand withErrors(Consumer<String> receiver) {
    Objects.requireNonNull(receiver, "receiver");
    return new ProcessCommand(words, directory, environment, variables, receiver, starter);
  }

  /**
   * Returns this command with a starter of its process, such as a sandbox; null to start it with
   * the permissions of this process. The starter gets the whole environment of the program.
   */
  public ProcessCommand withStarter(@Nullable ProcessStarter newStarter) {
    return new ProcessCommand(words, directory, environment, variables, errors, newStarter);
  }

  /** The program and its arguments. */
  public List<String> words() {
    return words;
  }

  /**
   * Checks that the program exists and may be executed, before something depends on it. On Windows,
   * which tries several names, and for the interpreter of a script, only its start shows that; with
   * a starter, which may have different files, what it knows is checked.
   *
   * @throws IOException if it cannot be started; the message names it
   */
  public void requireExecutable() throws IOException {
    if (name().indexOf('\0') >= 0) {
      throw new IOException(cannotStart("its name has a NUL"));
    } else if (starter != null) {
      requireExecutable(starter);
      return;
    }
    if (directory != null && !Files.isDirectory(directory)) {
      throw new IOException(cannotStart("the working directory is not a directory: " + directory));
    }
    String path = System.getenv("PATH");
    if (IS_WINDOWS || (path == null && !name().contains("/"))) {
      return;
    }
    List<Path> found;
    try {
      found = files(path).filter(Files::exists).toList();
    } catch (InvalidPathException e) {
      throw new IOException(cannotStart(e.getMessage()), e);
    }
    if (found.isEmpty()) {
      throw new IOException(cannotStart("No such file or directory"));
    } else if (found.stream().noneMatch(f -> Files.isRegularFile(f) && Files.isExecutable(f))) {
      throw new IOException(cannotStart("Permission denied"));
    }
  }

  private void requireExecutable(ProcessStarter by) throws IOException {
    try {
      by.requireExecutable(words, directory, variables());
    } catch (NotExecutedException e) {
      throw new IOException(cannotStart(e.getMessage()), e);
    }
  }

  /** The files that may be the program, as the system finds it. */
  private Stream<Path> files(@Nullable String path) {
    Path from = directory == null ? Path.of("") : directory;
    return path == null || name().contains("/")
        ? Stream.of(from.resolve(name()))
        : Stream.of(path.split(File.pathSeparator))
            .map(each -> from.resolve(each).resolve(name()));
  }

  /** The message of a failure to start. */
  String cannotStart(@Nullable String reason) {
    return "cannot start \"%s\": %s".formatted(name(), reason);
  }

  /** The name of the program, for messages. */
  String name() {
    return words.get(0);
  }

  @Nullable
  Path directory() {
    return directory;
  }

  Consumer<String> errors() {
    return errors;
  }

  @Nullable
  ProcessStarter starter() {
    return starter;
  }

  /** The whole environment of the program. */
  Map<String, String> variables() {
    return Map.copyOf(builder().environment());
  }

  /** The builder of the process, with the environment that it gets. */
  ProcessBuilder builder() {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(words));
    if (directory != null) {
      builder.directory(directory.toFile());
    }
    builder.environment().keySet().removeIf(name -> !isPassed(name));
    builder.environment().putAll(variables);
    builder.environment().put(PROTOCOL_VARIABLE, Integer.toString(PROTOCOL));
    return builder;
  }

  private boolean isPassed(String name) {
    return contains(PASSED, name) || contains(environment, name);
  }

  /** On Windows, names of variables are equal without regard to case. */
  private static boolean contains(Set<String> names, String name) {
    return IS_WINDOWS ? names.stream().anyMatch(name::equalsIgnoreCase) : names.contains(name);
  }
}
