package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.sandbox.Enforcement;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The process that starts a program in a sandbox.
 *
 * @param words the program and its arguments
 * @param environment the environment of the process, which is complete
 * @param directory the working directory of the process
 * @param status the file in which the launcher notes how far it came, in a directory of its own;
 *     null if it has none
 * @param enforcement the limits, and what the program is shown
 * @param kill the command that ends what the death of the process does not; empty if there is none
 */
record Launch(
    List<String> words,
    Map<String, String> environment,
    Path directory,
    @Nullable Path status,
    Enforcement enforcement,
    List<String> kill) {

  Launch {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
    kill = List.copyOf(kill);
  }
}
