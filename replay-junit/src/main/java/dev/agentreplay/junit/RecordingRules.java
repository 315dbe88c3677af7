package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.rules.RulesFile;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The files {@value RulesFile#NAME} that apply to a recording: in the folder of recordings, in the
 * directory of the recording, and in those between. Of a recording outside that folder only the
 * file in its own directory applies, or the one next to it if it is a log with a name of its own.
 */
final class RecordingRules {

  /** The folder of recordings of the test that a thread runs; assertions do not know their test. */
  private static final ThreadLocal<@Nullable Supplier<Path>> FOLDER = new ThreadLocal<>();

  /** The files, from the nearest to the outermost. */
  private final List<Path> files;

  private final List<RulesFile> rules;

  private RecordingRules(List<Path> files, List<RulesFile> rules) {
    this.files = files;
    this.rules = rules;
  }

  /**
   * Sets the folder of recordings of the test that this thread runs, or null if it ended. Returns
   * the one before.
   */
  static @Nullable Supplier<Path> searchUpTo(@Nullable Supplier<Path> folder) {
    Supplier<Path> before = FOLDER.get();
    if (folder == null) {
      FOLDER.remove();
    } else {
      FOLDER.set(folder);
    }
    return before;
  }

  /** The folder of recordings of the test; in a thread that runs none, that of the process. */
  private static Path folder() {
    Supplier<Path> ofTest = FOLDER.get();
    Path folder = ofTest == null ? ReplaySettings.current().recordings() : ofTest.get();
    return folder.toAbsolutePath().normalize();
  }

  /**
   * Reads the rules of the recording at a path.
   *
   * @throws IOException if a file is not one of rules; the message has the file and the line
   */
  static RecordingRules of(Path place) throws IOException {
    return read(directories(place.toAbsolutePath().normalize(), folder()));
  }

  /**
   * Reads the rules of several runs: those of the first one, and those in the folder of recordings,
   * also if no run is in it.
   *
   * @throws IOException if a file is not one of rules; the message has the file and the line
   */
  static RecordingRules ofRuns(Path first) throws IOException {
    Path folder = folder();
    List<Path> directories = directories(first.toAbsolutePath().normalize(), folder);
    if (!directories.contains(folder)) {
      directories.add(folder);
    }
    return read(directories);
  }

  private static RecordingRules read(List<Path> directories) throws IOException {
    List<Path> files = new ArrayList<>();
    List<RulesFile> rules = new ArrayList<>();
    for (Path directory : directories) {
      Path file = directory.resolve(RulesFile.NAME);
      if (Files.exists(file)) {
        files.add(file);
        rules.add(RulesFile.read(file));
      }
    }
    return new RecordingRules(files, rules);
  }

  /** The directories with the rules of a recording, from the nearest to the outermost. */
  private static List<Path> directories(Path recording, Path folder) {
    Path parent = recording.getParent();
    Path own = parent != null && RecordingsFolder.isLog(recording) ? parent : recording;
    List<Path> directories = new ArrayList<>(List.of(own));
    if (own.startsWith(folder)) {
      for (Path at = own.getParent(); at != null && at.startsWith(folder); at = at.getParent()) {
        directories.add(at);
      }
    }
    return directories;
  }

  /**
   * Returns options with the rules: first those of the options, then those of the nearest file.
   * Where the first rule decides, the nearest one does.
   */
  DiffOptions applyTo(DiffOptions options) {
    DiffOptions all = options;
    for (RulesFile each : rules) {
      all = each.applyTo(all);
    }
    return all;
  }

  /** A line of a message that names the files; empty if there is none. */
  String text() {
    return files.isEmpty()
        ? ""
        : "\nrules:    " + files.stream().map(Shown::path).collect(Collectors.joining(", "));
  }

  /**
   * A line of a message with the command that compares both sessions under the same rules; empty if
   * there is no file, or the test has rules of its own.
   *
   * @param own the options of the test
   */
  String command(DiffOptions own, Session recording, Session actual) {
    if (files.isEmpty() || !own.equals(DiffOptions.defaults())) {
      return "";
    }
    List<String> words = new ArrayList<>(List.of("replay", "diff"));
    for (int i = files.size() - 1; i >= 0; i--) { // of several, the last takes precedence
      words.add("--rules");
      words.add(files.get(i).toString());
    }
    words.add(Acceptance.place(recording).toString());
    words.add(Acceptance.place(actual).toString());
    return words.stream()
        .map(TestCommand::quoted)
        .map(Shown::plain)
        .collect(Collectors.joining(" ", "\nto compare them again: ", ""));
  }
}
