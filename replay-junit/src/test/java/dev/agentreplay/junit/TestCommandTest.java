package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.junit.ReplaySettings.Update;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command that runs the current test. */
class TestCommandTest {

  @TempDir
  private Path module;

  private String command(Path directory) throws Exception {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("pom.xml"), "");
    return accepting(directory);
  }

  private static String accepting(Path directory) {
    return accepting(directory, Map.of());
  }

  private static String accepting(Path directory, Map<String, String> properties) {
    ReplaySettings settings = ReplaySettings.of(
        name -> name.equals("basedir") ? directory.toString() : properties.get(name), Map.of());
    return TestCommand.current(settings).accepting(Update.ALL);
  }

  @Test
  void test_is_the_outermost_on_the_stack() throws Exception {
    Callable<String> inner = new Callable<>() {
      @Override
      @Test
      public String call() {
        return accepting(module);
      }
    };
    command(module);
    assertThat(inner.call())
        .isEqualTo("to accept it: mvn test \"-Dtest=%s#test_is_the_outermost_on_the_stack\""
                .formatted(getClass().getName())
            + " \"-Dsurefire.failIfNoSpecifiedTests=false\" \"-Dreplay.update=all\"");
  }

  @RepeatedTest(1)
  void any_kind_of_test_is_found() throws Exception {
    assertThat(command(module)).contains("#any_kind_of_test_is_found\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"$HOME", "a`b", "it\"s", "now!", "%PATH%"})
  void path_that_a_shell_would_expand_is_not_in_a_command(String name) throws Exception {
    command(module);
    assertThat(accepting(module, Map.of("replay.recordings", name)))
        .isEqualTo("to accept it, run %s#path_that_a_shell_would_expand_is_not_in_a_command again"
                .formatted(getClass().getName())
            + " with -Dreplay.update=all");
  }

  @Test
  void folder_of_recordings_is_named_again() throws Exception {
    command(module);
    assertThat(accepting(module, Map.of("replay.recordings", "recorded here")))
        .endsWith(" \"-Dreplay.recordings=%s\" \"-Dreplay.update=all\""
            .formatted(module.resolve("recorded here")));
    assertThat(accepting(module, Map.of("replay.recordings", "src/test/resources/")))
        .doesNotContain("replay.recordings");
  }

  @Test
  void test_in_another_thread_is_not_known() throws Exception {
    command(module);
    FutureTask<String> elsewhere = new FutureTask<>(() -> accepting(module));
    new Thread(elsewhere).start();
    assertThat(elsewhere.get())
        .isEqualTo("to accept it, run this test again with -Dreplay.update=all");
  }

  @Test
  void build_without_a_pom_is_not_known() throws Exception {
    assertThat(accepting(module))
        .isEqualTo("to accept it, run this test again with -Dreplay.update=all");
  }

  @Nested
  class InNestedClass {
    @Test
    void class_is_named_without_a_dollar() throws Exception {
      assertThat(command(module))
          .contains("\"-Dtest=dev.agentreplay.junit.TestCommandTest?InNestedClass#class_is_named");
    }
  }
}
