package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The guides, each of which is followed in a directory of its own in which {@code sessions/} has
 * recorded sessions: {@code task-18_trial-0} to {@code task-18_trial-3}, runs of one task by one
 * agent.
 */
final class Guides {

  static final Path DOCUMENTS = Path.of("../docs");
  private static final Path SESSIONS = Path.of("../replay-engine/src/test/resources/sessions");

  private Guides() {}

  /** The guides that have commands with their output; the code of all guides is compiled. */
  static List<Path> withCommands(boolean runAgents) throws IOException {
    try (Stream<Path> files = Files.list(DOCUMENTS.resolve("how-to"))) {
      return files
          .filter(guide -> text(guide).contains("```console\n"))
          .filter(guide -> runsAgents(guide) == runAgents)
          .sorted()
          .toList();
    }
  }

  private static boolean runsAgents(Path guide) {
    return Stream.of("--agents", "--subject").anyMatch(text(guide)::contains);
  }

  private static String text(Path guide) {
    try {
      return Files.readString(guide);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void follow(Path guide, Path directory, Path tools) throws Exception {
    copySessions(directory.resolve("sessions"));

    int commands = new DocumentShell(directory, tools).follow(guide);

    assertThat(commands).isPositive();
  }

  static void copySessions(Path target) throws IOException {
    try (Stream<Path> files = Files.walk(SESSIONS)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = target.resolve(SESSIONS.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }
}
