package dev.agentreplay.sandbox.replay;

import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.io.file.TemporaryDirectory;
import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.io.workspace.WorkspaceSnapshot;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.mechanism.SandboxSelection;
import dev.agentreplay.sandbox.snapshot.SessionSnapshot;
import dev.agentreplay.sandbox.snapshot.SnapshotCapture;
import dev.agentreplay.sandbox.snapshot.SnapshotOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The workspace of a replay: its copy, and what programs see of it and of the recorded
 * circumstances.
 *
 * @param temporary the directory of the copy; null if programs see the current directory
 * @param view the part of the machine that programs see
 * @param recordedPath the recorded path of the workspace; null if none is stated
 * @param pinned the variables that programs get as they were recorded
 * @param recorded the recorded circumstances
 * @param capture the capture of changed files; null if the recording states no snapshot
 * @param state the state of the files, as the setting {@code workspace}: with the hash of the
 *     recorded snapshot, if the files are the same; null if it cannot be compared with one
 * @param gaps sentences on files that programs do not see, or that were not copied
 */
record ReplayWorkspace(
    @Nullable TemporaryDirectory temporary,
    SandboxOptions view,
    @Nullable Path recordedPath,
    Map<String, String> pinned,
    RecordedRun recorded,
    @Nullable SnapshotCapture capture,
    @Nullable JsonObject state,
    List<String> gaps) {

  /** The most files that differ which the state names. */
  private static final int MAX_NAMED = 5;

  /** The current directory. */
  static final Path CURRENT = Path.of("").toAbsolutePath();

  /**
   * Restores the workspace.
   *
   * @param snapshot the recorded snapshot; null if there is none
   * @param restores whether the snapshot is restored, unless the options have a directory
   * @throws IOException if it cannot be restored; nothing is left then
   */
  static ReplayWorkspace open(
      ReplaySandboxOptions options,
      RecordedRun recorded,
      @Nullable SessionSnapshot snapshot,
      boolean restores)
      throws IOException {
    boolean isRestored = restores && options.workspace() == null;
    return new Opening(options, recorded, snapshot).open(isRestored ? snapshot : null);
  }

  /** Whether programs see the workspace at its recorded path. */
  boolean hasRecordedPath() {
    return view.workspacePath().equals(recordedPath);
  }

  /** The steps of {@link #open}. */
  private static final class Opening {

    private final ReplaySandboxOptions options;
    private final RecordedRun recorded;
    private final @Nullable SessionSnapshot stated;
    private final List<String> gaps = new ArrayList<>();

    Opening(ReplaySandboxOptions options, RecordedRun recorded, @Nullable SessionSnapshot stated) {
      this.options = options;
      this.recorded = recorded;
      this.stated = stated;
    }

    ReplayWorkspace open(@Nullable SessionSnapshot snapshot) throws IOException {
      Path given = options.workspace();
      boolean hasCopy = snapshot != null || given != null;
      if (!hasCopy && !CurrentDirectory.holdsMore(CURRENT)) {
        return new ReplayWorkspace(
            null,
            view(CURRENT, null, HostIdentity.UNKNOWN),
            recorded.workingDirectory(),
            variables(HostIdentity.UNKNOWN),
            recorded,
            null,
            null,
            gaps);
      }
      TemporaryDirectory temporary = TemporaryDirectory.createWithoutExitHook();
      try {
        Path copy = temporary.path().resolve("workspace");
        if (given != null) {
          List<String> leftOut =
              WorkspaceCopy.copy(given, copy, options.limits().temporaryBytes());
          leftOut.forEach(path -> gaps.add("not copied, because it is not a file: " + path));
        } else if (snapshot != null) {
          requireWithinLimit(snapshot.manifest().bytes());
          snapshot.restore(copy);
        } else {
          gaps.add("programs do not see the current directory, which has the home directory,"
              + " temporary files or settings of the system");
          Files.createDirectory(copy);
        }
        if (stated != null && hasCopy) {
          for (String database : stated.databasesWithoutDriver(copy)) {
            gaps.add("changes of the database %s are compared by the bytes of its file, because the"
                    .formatted(database)
                + " driver of SQLite is not on the class path");
          }
        }
        Path root = stated == null
            ? recorded.workingDirectory()
            : RecordedRun.absolute(stated.manifest().header().root());
        HostIdentity identity =
            stated == null ? HostIdentity.UNKNOWN : stated.manifest().header().identity();
        return new ReplayWorkspace(
            temporary,
            view(copy, path(root, given, copy), identity),
            root,
            variables(identity),
            recorded,
            stated == null ? null : capture(stated, copy),
            hasCopy ? state(snapshot, copy) : null,
            gaps);
      } catch (IOException | RuntimeException | Error e) {
        try (temporary) {
          throw e;
        }
      }
    }

    /** Compares a copy with the recorded snapshot, unless it was restored from it. */
    private @Nullable JsonObject state(@Nullable SessionSnapshot restored, Path copy) {
      if (stated == null) {
        return null;
      }
      JsonObject same =
          JsonObject.of(WorkspaceSnapshot.HASH, stated.manifest().hash().toString());
      if (restored != null) {
        return same;
      }
      try {
        List<FileState> changes = stated.changesIn(copy);
        List<String> paths = changes.stream().map(FileState::path).toList();
        return changes.isEmpty()
            ? same
            : JsonObject.of(
                WorkspaceSnapshot.CHANGED,
                (long) paths.size(),
                WorkspaceSnapshot.PATHS,
                paths.subList(0, Math.min(paths.size(), MAX_NAMED)));
      } catch (IOException e) {
        gaps.add("the workspace is not compared with the recorded snapshot: " + e.getMessage());
        return null;
      }
    }

    private void requireWithinLimit(long bytes) throws IOException {
      if (bytes > options.limits().temporaryBytes()) {
        throw new ReplayRefusedException(
            ReplayRefusedException.Reason.WORKSPACE_LIMIT,
            "the snapshot has %,d bytes, more than the limit of %,d for the workspace of a replay"
                .formatted(bytes, options.limits().temporaryBytes()));
      }
    }

    /** The path at which programs see the workspace; null if they see no copy. */
    private @Nullable Path path(@Nullable Path root, @Nullable Path given, Path copy) {
      if (root == null && given != null) {
        return given.toAbsolutePath().normalize();
      } else if (root == null && stated != null) {
        gaps.add("programs see the workspace at a temporary path, because the recorded one is not"
            + " a path of this system: " + stated.manifest().header().root());
        return copy;
      }
      return root;
    }

    private SandboxOptions view(Path directory, @Nullable Path at, HostIdentity identity)
        throws IOException {
      boolean maps =
          options.selection() == null || options.selection().sandbox().mapsWorkspace();
      SandboxOptions view = SandboxOptions.of(directory)
          .withReadOnly(readOnly(at == null ? directory : at, maps))
          .withIdentity(pinned(identity))
          .withLimits(options.limits());
      if (at == null) {
        return view.withWritable(false);
      }
      Path working = recorded.workingDirectory();
      Path below = working != null && working.startsWith(at) ? at.relativize(working) : Path.of("");
      if (maps) {
        SandboxOptions mapped = view.withWorkspaceAt(at).withDirectory(below);
        requireVisible(mapped);
        return mapped;
      }
      if (!at.equals(directory)) {
        gaps.add("programs see the workspace at %s, because this sandbox cannot show it at %s"
            .formatted(directory, at));
      }
      return view.withDirectory(below);
    }

    private void requireVisible(SandboxOptions mapped) throws ReplayRefusedException {
      if (options.selection() == null) {
        return;
      }
      try {
        options.selection().sandbox().requireWorkspace(mapped);
      } catch (SandboxException e) {
        throw ReplaySandbox.refused(e);
      }
    }

    /** The part of an identity that the sandbox can set. */
    private HostIdentity pinned(HostIdentity identity) throws SandboxException {
      SandboxSelection selection = options.selection();
      if (selection == null || selection.sandbox().mechanism() == Mechanism.BUBBLEWRAP) {
        return identity;
      }
      boolean hasHost = selection.sandbox().mapsWorkspace();
      String host = hasHost ? identity.host() : null;
      return new HostIdentity(null, null, null, null, host, identity.umask(), identity.variables());
    }

    /** The given paths and the current directory, unless it holds more; not what the copy has. */
    private List<Path> readOnly(Path workspace, boolean maps) throws IOException {
      List<Path> paths = new ArrayList<>(options.readOnly());
      if (!Files.isDirectory(workspace)
          && paths.removeIf(workspace::startsWith)) { // it cannot be created in a read-only one
        gaps.add("programs do not see the directories above " + workspace + ", which is missing");
      }
      if (!maps && workspace.startsWith(CURRENT) && !workspace.equals(CURRENT)) {
        gaps.add("programs do not see the current directory, in which there is " + workspace);
      } else if (!CurrentDirectory.holdsMore(CURRENT)) {
        paths.addAll(CurrentDirectory.around(CURRENT, workspace));
      }
      paths.removeIf(path -> path.startsWith(workspace));
      return paths;
    }

    private SnapshotCapture capture(SessionSnapshot snapshot, Path copy) throws IOException {
      SnapshotOptions rules = SnapshotOptions.of(snapshot.manifest().header().rules());
      return SnapshotCapture.ofChanges(copy, rules)
          .withMaxBytes(saturated(options.limits().temporaryBytes()))
          .withRecordedContents(snapshot.contents().directory().getParent());
    }

    /** The copy and what programs write may each have this size. */
    private static long saturated(long bytes) {
      return bytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * bytes;
    }

    /** The variables that programs get as they were recorded. */
    private Map<String, String> variables(HostIdentity identity) {
      Map<String, String> variables = new TreeMap<>();
      put(variables, "HOME", identity.home());
      put(variables, "USER", identity.user());
      put(variables, "LOGNAME", identity.user());
      if (identity.variables() != null) {
        identity.variables().forEach((name, value) -> put(variables, name, value));
      }
      String zone = recorded.timeZone();
      if (zone != null && isZone(zone)) {
        variables.put("TZ", zone);
      }
      variables.putAll(recorded.environment());
      return Collections.unmodifiableMap(variables);
    }

    private static void put(Map<String, String> variables, String name, @Nullable String value) {
      if (value != null && value.indexOf('\0') < 0) {
        variables.put(name, value);
      }
    }

    private static boolean isZone(String name) {
      try {
        ZoneId.of(name);
        return true;
      } catch (DateTimeException unknown) {
        return false;
      }
    }
  }
}
