package dev.agentreplay.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.reporting.OutputDirectoryProvider;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.EventType;

/**
 * A run of tests by JUnit Jupiter, with folders of its own.
 *
 * @param root holds recordings, what the tests record, and what they publish
 */
record TestRun(Path root) {

  Path recordings() {
    return root.resolve("recordings");
  }

  Path output() {
    return root.resolve("output");
  }

  Path published() {
    return root.resolve("published");
  }

  EngineExecutionResults of(Class<?>... tests) {
    return builder(tests).execute();
  }

  EngineTestKit.Builder builder(Class<?>... tests) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(
            Arrays.stream(tests).map(type -> selectClass(type)).toArray(DiscoverySelector[]::new))
        .configurationParameter(ReplaySettings.RECORDINGS, recordings().toString())
        .configurationParameter(ReplaySettings.OUTPUT, output().toString())
        .outputDirectoryProvider(new OutputDirectoryProvider() {
          @Override
          public Path getRootDirectory() {
            return published();
          }

          @Override
          public Path createOutputDirectory(TestDescriptor test) throws IOException {
            return Files.createDirectories(published());
          }
        });
  }

  /** Makes a recording. */
  Path record(String name, String... outputs) throws IOException {
    return record(recordings().resolve(name), outputs);
  }

  /** Makes a session in which a tool is called some times. */
  static Path record(Path directory, String... outputs) throws IOException {
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, directory.getFileName().toString())) {
      for (String output : outputs) {
        recorder.call("read", JsonObject.of("path", "a.txt")).result(JsonValue.of(output));
      }
      recorder.end(Status.SUCCESS, 1);
    }
    return directory;
  }

  /** The failures of tests and containers, in the order of their ends. */
  static List<Throwable> failures(EngineExecutionResults results) {
    return results.allEvents().stream()
        .filter(event -> event.getType() == EventType.FINISHED)
        .flatMap(TestRun::failure)
        .toList();
  }

  private static Stream<Throwable> failure(Event event) {
    return event
        .getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class)
        .getThrowable()
        .stream();
  }

  /** The paths of all files in a directory, sorted; none if it is missing. */
  static List<String> files(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString().replace('\\', '/'))
          .sorted()
          .toList();
    }
  }
}
