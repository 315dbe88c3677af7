package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.Status;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.service.AiServices;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tools that were compiled without {@code javac -parameters}: only a recording shows that. */
class WithoutParametersTest {

  private static final String SOURCE =
      """
      public final class Tools {
        @dev.langchain4j.agent.tool.Tool
        public String read(String path) {
          return "content of " + path.strip();
        }
      }
      """;

  @TempDir
  Path directory;

  @ParameterizedTest
  @CsvSource({"-g, false", "-parameters, true"})
  void agent_says_done_whether_its_tools_all_fail_or_succeed(String option, boolean succeed)
      throws Exception {
    Path source = Files.writeString(directory.resolve("Tools.java"), SOURCE);
    int exit = ToolProvider.getSystemJavaCompiler()
        .run(
            null,
            null,
            null,
            option,
            "-proc:none",
            "-cp",
            System.getProperty("java.class.path")
                + File.pathSeparator
                + System.getProperty("surefire.test.class.path", ""),
            "-d",
            directory.toString(),
            source.toString());
    assertThat(exit).isZero();
    Path sessions = directory.resolve("sessions");
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()});
        AiServiceRecorder recording = AiServiceRecorder.into(sessions)) {
      Object tools = loader.loadClass("Tools").getConstructor().newInstance();
      Assistant assistant = recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(
                  ScriptedModel.call("a1", "read", "{\"path\":\"a.txt\"}"),
                  ScriptedModel.call("a2", "read", "{\"path\":\"b.txt\"}"),
                  AiMessage.from("done")))
              .tools(tools))
          .build();
      assertThat(assistant.chat("go")).isEqualTo("done");
      assertThat(recording.failures()).isZero();
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.end().status()).isEqualTo(Status.SUCCESS);
    assertThat(recorded.toolResults()).hasSize(2);
    assertThat(recorded.toolResults())
        .extracting(result -> result.outcome().succeeded())
        .containsOnly(succeed);
    assertThat(recorded.toolResults())
        .extracting(result -> result.outcome().error() != null)
        .containsOnly(!succeed);
  }
}
