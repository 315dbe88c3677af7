package dev.agentreplay.sandbox.replay;

import dev.agentreplay.engine.replay.Isolation;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.subject.ProcessCommand;
import dev.agentreplay.engine.subject.ProcessStarter;
import dev.agentreplay.io.file.TemporaryDirectory;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.Enforcement;
import dev.agentreplay.sandbox.Limiter;
import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.SandboxedProcess;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import dev.agentreplay.sandbox.mechanism.SandboxSelection;
import dev.agentreplay.sandbox.mechanism.Sandboxes;
import dev.agentreplay.sandbox.probe.ProbeResult;
import dev.agentreplay.sandbox.probe.ProbeResult.Outcome;
import dev.agentreplay.sandbox.snapshot.SessionSnapshot;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The workspace of a replay, and the sandbox in which its programs run. The workspace is a copy in
 * a temporary directory: the recorded snapshot, or a directory of the caller. Programs see it at
 * the recorded path, under the recorded user, host, time zone and environment. The original is
 * never changed.
 *
 * <pre>{@code
 * try (ReplaySandbox sandbox = ReplaySandbox.open(session, ReplayMode.FULL)) {
 *   Replay replay = sandbox.replay();
 *   ProcessTools.parse(JsonText.parse(text).asObject(), sandbox::isolate, null).addTo(replay);
 *   ReplayReport report = replay.run();
 * }
 * }</pre>
 *
 * <p>In a mode that executes no tools there is nothing to restore, unless the caller gives a
 * directory: programs see the current directory, and cannot change it.
 *
 * <p>Tools that run inside this JVM are not isolated: they work on {@link #directory}, through a
 * {@link dev.agentreplay.sandbox.workspace.Workspace} if their paths are not trusted, and their
 * network cannot be cut off.
 *
 * <p>Safe for use by several threads. Closing it deletes the workspace, unless it is to be kept,
 * after the programs have ended.
 */
public final class ReplaySandbox implements Closeable, ProcessStarter {

  private static final String TEMPORARY = "/tmp";

  /** The variables of the locale that programs get from this process. */
  private static final Set<String> LOCALE = Set.of("LANG", "LC_ALL");

  /** The session and the mode of its replay; null if the programs belong to no recording. */
  private final @Nullable Session session;

  private final @Nullable ReplayMode mode;
  private final @Nullable SandboxSelection selection;
  private final ReplayWorkspace workspace;
  private final SandboxOptions view;
  private final boolean isKept;
  /** The limits of the program that was started last; null if none was. */
  private volatile @Nullable Enforcement enforcement;

  private ReplaySandbox(
      @Nullable Session session,
      @Nullable ReplayMode mode,
      ReplaySandboxOptions options,
      ReplayWorkspace workspace) {
    this.session = session;
    this.mode = mode;
    this.selection = options.selection();
    this.workspace = workspace;
    this.view = workspace.view();
    this.isKept = options.isKept();
  }

  /**
   * Restores the recorded workspace of a session, with the first mechanism of this machine that
   * isolates, and the default limits.
   *
   * @param mode the mode of the replay
   * @throws ReplayRefusedException if no sandbox can be used, the mode is {@link ReplayMode#FULL}
   *     and the session has no snapshot, or its workspace is larger than the limit
   * @throws IOException if the settings of the session cannot be read, or the workspace not be
   *     restored; nothing is left then
   */
  public static ReplaySandbox open(Session session, ReplayMode mode) throws IOException {
    SandboxSelection selection = Sandboxes.select(SandboxChoice.automatic());
    return open(session, mode, ReplaySandboxOptions.of(selection));
  }

  /**
   * Restores the workspace of a session.
   *
   * @param mode the mode of the replay
   * @throws ReplayRefusedException if no sandbox can be used, or programs in it cannot see the
   *     workspace at its recorded path; if the mode is {@link ReplayMode#FULL}, the session has no
   *     snapshot, and the options no directory; or if the workspace is larger than the limit
   * @throws IOException if the settings of the session cannot be read, or the workspace not be
   *     restored; nothing is left then
   */
  public static ReplaySandbox open(Session session, ReplayMode mode, ReplaySandboxOptions options)
      throws IOException {
    requireSandbox(options.selection()); // before anything is restored
    RecordedRun recorded = RecordedRun.of(session);
    boolean runsTools =
        mode == ReplayMode.FULL || mode == ReplayMode.TOOLS_LIVE || mode == ReplayMode.NODE;
    SessionSnapshot snapshot =
        runsTools || options.workspace() != null ? snapshot(session, options) : null;
    if (mode == ReplayMode.FULL && snapshot == null && options.workspace() == null) {
      throw new ReplayRefusedException(
          ReplayRefusedException.Reason.NO_WORKSPACE,
          "%s: the recording has no snapshot of the workspace: a replay in the mode full needs the"
                  .formatted(session.log())
              + " directory on which its tools work");
    }
    return new ReplaySandbox(
        session, mode, options, ReplayWorkspace.open(options, recorded, snapshot, runsTools));
  }

  /**
   * Opens the sandbox of programs that belong to no recording of their workspace, such as the
   * agents of a session record. Their workspace is a copy of the directory in the options; without
   * one, they see the current directory, and cannot change it. {@link #replay} cannot be used then.
   *
   * @throws ReplayRefusedException if no sandbox can be used, programs in it cannot see the
   *     workspace at its path, or the workspace is larger than the limit
   * @throws IOException if the workspace cannot be copied; nothing is left then
   */
  public static ReplaySandbox open(ReplaySandboxOptions options) throws IOException {
    requireSandbox(options.selection());
    return new ReplaySandbox(
        null, null, options, ReplayWorkspace.open(options, RecordedRun.NONE, null, false));
  }

  private static void requireSandbox(@Nullable SandboxSelection selection)
      throws ReplayRefusedException {
    try {
      if (selection != null) {
        selection.sandbox();
      }
    } catch (SandboxException e) {
      throw refused(e);
    }
  }

  /** The refusal of a replay whose programs cannot be started in a sandbox. */
  static ReplayRefusedException refused(SandboxException cause) {
    ReplayRefusedException refused = new ReplayRefusedException(
        ReplayRefusedException.Reason.NO_SANDBOX, String.valueOf(cause.getMessage()));
    refused.initCause(cause);
    return refused;
  }

  /** The recorded snapshot, which need not be readable if it is not restored. */
  private static @Nullable SessionSnapshot snapshot(Session session, ReplaySandboxOptions options)
      throws IOException {
    try {
      return SessionSnapshot.find(session);
    } catch (NoSuchFileException | DocumentFormatException e) {
      if (options.workspace() == null) {
        throw e;
      }
      return null;
    }
  }

  /** The copy of the workspace on this machine, or the current directory if there is no copy. */
  public Path directory() {
    return view.workspace();
  }

  /** The copy that is left when this sandbox is closed; null if there is none. */
  public @Nullable Path keptDirectory() {
    return isKept && workspace.temporary() != null ? view.workspace() : null;
  }

  /**
   * Returns a command that starts in the sandbox, under the recorded circumstances. Without a
   * sandbox these are the directory and the time zone alone.
   */
  public ProcessCommand isolate(ProcessCommand command) {
    return selection == null
        ? command.withDirectory(directory()).withVariables(variables())
        : command.withVariables(variables()).withStarter(this);
  }

  /** The variables that programs get in place of those of this process. */
  Map<String, String> variables() {
    Map<String, String> variables = new TreeMap<>(workspace.pinned());
    if (selection == null) {
      // not those of the recording, which could load its files into any program
      variables.keySet().retainAll(Set.of("TZ"));
      return variables;
    }
    variables.put("TMPDIR", TEMPORARY);
    if (view.identity() == null || view.identity().variables() == null) {
      variables.putIfAbsent("LANG", "C.UTF-8");
    }
    return variables;
  }

  /**
   * Returns the words of a command with absolute paths in place of those that name files of the
   * current directory, as in {@code python3 agent.py}, if programs start elsewhere.
   */
  public List<String> withAbsolutePaths(List<String> words) {
    return view.directory().equals(ReplayWorkspace.CURRENT)
        ? words
        : words.stream().map(ReplaySandbox::absolute).toList();
  }

  private static String absolute(String word) {
    try {
      Path path = Path.of(word);
      boolean isHere = !word.isEmpty() && !path.isAbsolute() && Files.isRegularFile(path);
      return isHere ? path.toAbsolutePath().normalize().toString() : word;
    } catch (InvalidPathException noPath) {
      return word;
    }
  }

  /**
   * Starts a program in the sandbox.
   *
   * @param directory the working directory, as the program sees it; null for the recorded one
   * @throws NotExecutedException if there is no sandbox, or the program cannot be started in it
   */
  @Override
  public ProcessStarter.RunningProcess start(
      List<String> words, @Nullable Path directory, Map<String, String> environment)
      throws NotExecutedException {
    if (selection == null) {
      throw new NotExecutedException(
          NotExecutedException.Reason.SANDBOX_SETUP, "there is no sandbox", null);
    }
    try {
      SandboxedProcess started = selection.sandbox().start(words, options(directory, environment));
      enforcement = started.enforcement();
      return new Running(started);
    } catch (SandboxException e) {
      throw notExecuted(e);
    }
  }

  @Override
  public void requireExecutable(
      List<String> words, @Nullable Path directory, Map<String, String> environment)
      throws NotExecutedException {
    if (selection == null) {
      return;
    }
    try {
      selection.sandbox().requireProgram(words, options(directory, environment));
    } catch (SandboxException e) {
      throw notExecuted(e);
    }
  }

  private SandboxOptions options(@Nullable Path directory, Map<String, String> environment) {
    Map<String, String> variables = new TreeMap<>(environment);
    Set<String> replaced = variables().keySet();
    variables.keySet().removeIf(name -> LOCALE.contains(name) && !replaced.contains(name));
    SandboxOptions options = view.withEnvironment(variables);
    return directory == null ? options : options.withDirectory(directory);
  }

  private record Running(SandboxedProcess started) implements ProcessStarter.RunningProcess {

    @Override
    public Process process() {
      return started.process();
    }

    @Override
    public @Nullable NotExecutedException fault() throws InterruptedException {
      SandboxException fault = started.fault();
      return fault == null ? null : notExecuted(fault);
    }

    @Override
    public void close() {
      started.close();
    }
  }

  private static NotExecutedException notExecuted(SandboxException e) {
    NotExecutedException.Reason reason =
        switch (e.reason()) {
          case SETUP -> NotExecutedException.Reason.SANDBOX_SETUP;
          case NOT_STARTED -> NotExecutedException.Reason.NOT_STARTED;
          case LIMIT -> NotExecutedException.Reason.LIMIT;
        };
    return new NotExecutedException(reason, String.valueOf(e.getMessage()), e);
  }

  /**
   * Returns a new replay of the session in the mode of this sandbox, with its circumstances, the
   * capture of its workspace and its isolation. The caller adds the tools and the model, whose
   * commands {@link #isolate} puts into the sandbox.
   *
   * @throws IllegalStateException if this sandbox was opened without a session
   */
  public Replay replay() {
    if (session == null || mode == null) {
      throw new IllegalStateException("the sandbox was opened without a session to replay");
    }
    return applyTo(Replay.of(session).mode(mode));
  }

  /** Sets the circumstances, the capture of the workspace and the isolation of a replay. */
  public Replay applyTo(Replay replay) {
    return replay
        .circumstances(circumstances())
        .workspace(workspace.capture())
        .isolation(this::isolation);
  }

  /**
   * The circumstances of the programs: the default ones with their working directory, their time
   * zone and, if the recording has a snapshot, the state of their workspace.
   */
  public Circumstances circumstances() {
    Circumstances present = Circumstances.defaults()
        .with(
            Settings.WORKING_DIRECTORY,
            (selection == null ? directory() : view.directory()).toString(),
            Settings.RUNTIME);
    String zone = workspace.pinned().get("TZ");
    if (zone != null) {
      present = present.with(Settings.TIME_ZONE, zone, Settings.ENV);
    }
    JsonObject state = workspace.state();
    return state == null ? present : present.with(Settings.WORKSPACE, state, null);
  }

  /** The isolation of programs, with the limits of the one that was started last. */
  public Isolation isolation() {
    if (selection == null) {
      return Isolation.NOT_ISOLATED;
    }
    try {
      List<String> open = new ArrayList<>(workspace.gaps());
      JsonObject enforced = JsonObject.EMPTY;
      for (ProbeResult result : selection.report().results()) {
        if (result.outcome() == Outcome.ENFORCED) {
          enforced = enforced.with(result.aspect().id(), result.by());
        } else {
          open.add("%s: %s, %s"
              .formatted(result.aspect().text(), result.outcome().id(), result.detail()));
        }
      }
      Enforcement last = enforcement;
      if (last != null) {
        enforced = withLimit(enforced, "memory", last.memory(), open);
        enforced = withLimit(enforced, "process_count", last.processes(), open);
        enforced = withLimit(enforced, "disk", last.files(), open);
      }
      Sandbox sandbox = selection.sandbox();
      JsonObject pinned = PinnedCircumstances.of(workspace);
      return new Isolation(sandbox.mechanism().id(), enforced, pinned, open);
    } catch (SandboxException e) {
      throw new IllegalStateException(e); // it was there when this object was created
    }
  }

  private static JsonObject withLimit(
      JsonObject enforced, String name, Limiter limiter, List<String> open) {
    if (limiter == Limiter.NONE) {
      open.add(name + ": open, there is no limit");
      return enforced;
    }
    return enforced.with(name, limiter.id());
  }

  @Override
  public void close() throws IOException {
    TemporaryDirectory temporary = workspace.temporary();
    if (temporary != null && isKept) {
      temporary.keep();
    } else if (temporary != null) {
      temporary.close();
    }
  }
}
