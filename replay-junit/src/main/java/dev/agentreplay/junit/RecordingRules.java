package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.rules.RulesFile;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The files {@value RulesFile#NAME} that apply to a recording: in the folder of recordings, in the
 * directory of the recording, and in those between. Without such a folder around it, those in the
 * directory of the recording and in its parent.
 */
final class RecordingRules {

  /** The folders of recordings of all tests in this process; assertions do not know their test. */
  private static final Set<Path> FOLDERS = ConcurrentHashMap.newKeySet();

  /** The files, from the nearest to the outermost. */
  private final List<Path> files;

  private final List<RulesFile> rules;

  private RecordingRules(List<Path> files, List<RulesFile> rules) {
    this.files = files;
    this.rules = rules;
  }

  /** Records that tests have recordings in a folder. */
  static void searchUpTo(Path folder) {
    FOLDERS.add(folder.toAbsolutePath().normalize());
  }

  /**
   * Reads the rules of the recording at a path.
   *
   * @throws IOException if a file is not one of rules; the message has the file and the line
   */
  static RecordingRules of(Path place) throws IOException {
    Path path = place.toAbsolutePath().normalize();
    Path last = top(path);
    List<Path> files = new ArrayList<>();
    List<RulesFile> rules = new ArrayList<>();
    for (Path at = path; at != null; at = at.equals(last) ? null : at.getParent()) {
      Path file = at.resolve(RulesFile.NAME);
      if (Files.exists(file)) {
        files.add(file);
        rules.add(RulesFile.read(file));
      }
    }
    return new RecordingRules(files, rules);
  }

  /** The last directory that is searched. */
  private static Path top(Path path) {
    Path top = path.getParent() == null ? path : path.getParent();
    Path usual = ReplaySettings.current().recordings();
    if (path.startsWith(usual)) {
      top = usual;
    }
    for (Path folder : FOLDERS) {
      if (path.startsWith(folder) && folder.getNameCount() < top.getNameCount()) {
        top = folder;
      }
    }
    return top;
  }

  /** Returns options with the rules; those of a nearer file take precedence. */
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
