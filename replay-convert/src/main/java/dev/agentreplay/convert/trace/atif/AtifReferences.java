package dev.agentreplay.convert.trace.atif;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.reading.SourceFiles;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The references of a trajectory to other files: its continuation, and sub-agents. Only files in
 * the directory of the trajectory and below are read, whatever a reference says.
 */
final class AtifReferences {

  static final String CONTINUATION = "continued_trajectory_ref";
  static final String SUBAGENTS = "subagent_trajectories";
  static final String PATH = "trajectory_path";

  private static final int MAX_FILES = 1_000;

  /** The maximum number and size of files that are searched for a reference to a different one. */
  private static final int MAX_SEARCHED = 20;

  private static final long MAX_SEARCHED_BYTES = 64L << 20;

  private AtifReferences() {}

  /** Attaches the files that a trajectory refers to, and those that they refer to. */
  static void attach(TraceSource source, JsonObject trajectory) throws IOException {
    String name = source.names().get(0);
    Path directory = Objects.requireNonNull(source.path().toAbsolutePath().getParent());
    attach(source, directory, name, trajectory);
  }

  private static void attach(TraceSource source, Path directory, String from, JsonObject trajectory)
      throws IOException {
    for (String reference : of(trajectory)) {
      for (String name : names(from, reference)) {
        Path file = directory.resolve(name);
        if (source.names().contains(name) || source.names().size() > MAX_FILES) {
          break;
        } else if (isFileBelow(file, directory)) {
          source.attach(file, name);
          JsonObject referred = read(source, name);
          if (referred != null) {
            attach(source, directory, name, referred);
          }
          break;
        }
      }
    }
  }

  /** Reads an attached file as a trajectory; null if it is none. */
  private static @Nullable JsonObject read(TraceSource source, String name) {
    try {
      return source.document(name) instanceof JsonObject object ? object : null;
    } catch (IOException unreadable) {
      return null; // reading it again reports the reason
    }
  }

  private static boolean isFileBelow(Path file, Path directory) throws IOException {
    return SourceFiles.isFile(file) && file.toRealPath().startsWith(directory.toRealPath());
  }

  /** The name of the attached file that a reference means; null if it is not attached. */
  static @Nullable String find(TraceSource source, String from, String reference) {
    return names(from, reference).stream()
        .filter(source.names()::contains)
        .findFirst()
        .orElse(null);
  }

  /**
   * The names that a reference can mean, relative to the directory of the source: as it says, and
   * next to the file that has it, for a path of the machine that wrote it.
   */
  private static List<String> names(String from, String reference) {
    List<String> names = new ArrayList<>();
    try {
      Path referring = Path.of(from);
      Path path = Path.of(reference.replace('\\', '/'));
      for (Path named :
          Stream.of(path, path.getFileName()).filter(Objects::nonNull).toList()) {
        Path relative = referring.resolveSibling(named).normalize();
        String name = relative.toString().replace('\\', '/');
        if (!relative.isAbsolute() && !relative.startsWith("..") && !name.isEmpty()) {
          names.add(name);
        }
      }
    } catch (InvalidPathException notAPath) {
      return List.of();
    }
    return names;
  }

  /** The paths that a trajectory states, with those of the sub-agents in it. */
  private static Set<String> of(JsonObject trajectory) {
    Set<String> references = new LinkedHashSet<>();
    String continuation = SourceHead.text(trajectory, CONTINUATION);
    if (continuation != null) {
      references.add(continuation);
    }
    collectPaths(trajectory.get("steps"), references);
    if (trajectory.get(SUBAGENTS) instanceof JsonArray subagents) {
      for (JsonValue subagent : subagents) {
        if (subagent instanceof JsonObject object) {
          references.addAll(of(object));
        }
      }
    }
    return references;
  }

  private static void collectPaths(@Nullable JsonValue value, Set<String> references) {
    if (value instanceof JsonArray array) {
      array.forEach(element -> collectPaths(element, references));
    } else if (value instanceof JsonObject object) {
      String path = SourceHead.text(object, PATH);
      if (path != null) {
        references.add(path);
      }
      for (String name : List.of("observation", "results", "subagent_trajectory_ref")) {
        collectPaths(object.get(name), references);
      }
    }
  }

  /** Whether a trajectory next to a file, or one directory above it, refers to it. */
  static boolean isReferredTo(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      return false;
    }
    String name = String.valueOf(file.getFileName());
    for (Path other : files(directory)) {
      String stem = stem(other);
      if (name.startsWith(stem) && !stem.equals(stem(file)) && refersTo(other, name)) {
        return true;
      }
    }
    Path above = directory.getParent();
    if (above != null) {
      List<Path> others = files(above);
      String below = directory.getFileName() + "/" + name;
      for (Path other : others.subList(0, Math.min(others.size(), MAX_SEARCHED))) {
        if (refersTo(other, below)) {
          return true;
        }
      }
    }
    return false;
  }

  private static String stem(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.substring(0, name.length() - ".json".length());
  }

  private static List<Path> files(Path directory) throws IOException {
    return SourceFiles.entries(directory).stream()
        .filter(file -> file.toString().endsWith(".json") && SourceFiles.isFile(file))
        .toList();
  }

  private static boolean refersTo(Path other, String name) {
    try {
      if (Files.size(other) > MAX_SEARCHED_BYTES
          || !AtifReader.isTrajectory(SourceHead.read(other).object())) {
        return false;
      }
      byte[] bytes = Files.readAllBytes(other);
      String last = name.substring(name.lastIndexOf('/') + 1);
      return new String(bytes, UTF_8).contains(last)
          && JsonText.parse(bytes) instanceof JsonObject trajectory
          && of(trajectory).stream()
              .anyMatch(reference ->
                  names(String.valueOf(other.getFileName()), reference).contains(name));
    } catch (IOException | JsonSyntaxException notReadable) {
      return false; // a fault of the other file
    }
  }
}
