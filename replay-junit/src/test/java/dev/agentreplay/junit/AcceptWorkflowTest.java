package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.session.Session;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Accepting and changing a recording in a project that Maven builds. */
@Tag("slow")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs a POSIX shell")
class AcceptWorkflowTest {

  private static final String MAVEN = System.getProperty("replay.test.maven", "");
  private static final String SETTINGS =
      """
      <settings>
        <localRepository>%s</localRepository>
        <offline>true</offline>
      </settings>
      """;
  private static final String ROOT_POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>example</groupId>
        <artifactId>example</artifactId>
        <version>1</version>
        <packaging>pom</packaging>
        <modules>
          <module>agent</module>
          <module>tools</module>
        </modules>
      </project>
      """;
  private static final String TOOLS_POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>example</groupId>
        <artifactId>tools</artifactId>
        <version>1</version>
        <packaging>pom</packaging>
      </project>
      """;
  private static final String AGENT_POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>example</groupId>
        <artifactId>agent</artifactId>
        <version>1</version>
        <packaging>pom</packaging>
        <dependencies>
          <dependency>
            <groupId>example</groupId>
            <artifactId>tools</artifactId>
            <version>1</version>
            <type>pom</type>
          </dependency>
          <dependency>
            <groupId>org.junit.jupiter</groupId>
            <artifactId>junit-jupiter</artifactId>
            <version>%s</version>
            <scope>test</scope>
          </dependency>
        </dependencies>
        <build>
          <plugins>
            <plugin>
              <groupId>org.apache.maven.plugins</groupId>
              <artifactId>maven-surefire-plugin</artifactId>
              <version>%s</version>
              <executions>
                <execution>
                  <phase>test</phase>
                  <goals>
                    <goal>test</goal>
                  </goals>
                </execution>
              </executions>
              <configuration>
                <argLine>%s</argLine>
                <additionalClasspathElements>
                  %s
                </additionalClasspathElements>
              </configuration>
            </plugin>
          </plugins>
        </build>
      </project>
      """;

  /** Neither Maven nor the tests run long enough for more. */
  private static final String QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto";

  private static final String AGENT =
      """
      package example;

      import static dev.agentreplay.junit.ReplayAssertions.assertThat;

      import dev.agentreplay.io.session.Session;
      import dev.agentreplay.io.recording.SessionRecorder;
      import dev.agentreplay.junit.ReplaySession;
      import dev.agentreplay.model.Status;
      import dev.agentreplay.model.json.JsonObject;
      import dev.agentreplay.model.json.JsonValue;
      import org.junit.jupiter.api.Nested;
      import org.junit.jupiter.api.Test;

      class AgentTest {
        @Nested
        class Greeting {
          @Test
          @ReplaySession("greets")
          void greets(Session recording, SessionRecorder recorder) throws Exception {
            recorder.call("say", JsonObject.of("to", "all")).result(JsonValue.of("%s"));
            recorder.end(Status.SUCCESS, 1);
            assertThat(recorder).matches(recording);
          }
        }

        @Test
        void another() {
          if (System.getProperty("replay.update") != null) {
            throw new AssertionError("the command runs other tests as well");
          }
        }
      }
      """;

  private static final String REVIEW =
      """
      package example;

      import dev.agentreplay.engine.replay.AgentScope;
      import dev.agentreplay.engine.replay.execution.Executors;
      import dev.agentreplay.engine.replay.policy.ReplayMode;
      import dev.agentreplay.junit.ReplayExecutors;
      import dev.agentreplay.junit.ReplaySession;
      import dev.agentreplay.model.ModelResult;
      import org.junit.jupiter.api.Test;

      class AgentTest {
        @ReplayExecutors
        static Executors live() {
          System.out.println("the model is real");
          return Executors.none()
              .withModel((call, pieces) -> ModelResult.of(call.id(), "it is empty"));
        }

        @Test
        @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
        void reviews(AgentScope scope) throws Exception {
          scope.ask("gpt-5", "%s");
        }
      }
      """;

  /** The exit code and output of a run. */
  private record Run(int exitCode, String output) {}

  private Path project;
  private Path agent;
  private Path recordings;

  @BeforeEach
  void create(@TempDir Path directory) throws IOException {
    assumeTrue(!MAVEN.isEmpty(), "replay.test.maven does not name the home of Maven");
    project = Files.createDirectory(directory.resolve("my project"));
    agent = project.resolve("agent");
    recordings = agent.resolve("src/test/resources");
    String classPath = Arrays.stream(
            System.getProperty("java.class.path").split(File.pathSeparator))
        .map("<element>%s</element>"::formatted)
        .collect(Collectors.joining("\n"));
    pom(project, ROOT_POM);
    pom(project.resolve("tools"), TOOLS_POM);
    pom(
        agent,
        AGENT_POM.formatted(
            System.getProperty("replay.test.junit"),
            System.getProperty("replay.test.surefire"),
            QUICK,
            classPath));
    Path settings = Files.writeString(
        directory.resolve("settings.xml"),
        SETTINGS.formatted(System.getProperty("replay.test.repository")));
    Files.writeString(
        Files.createDirectory(project.resolve(".mvn")).resolve("maven.config"),
        "-B\n-s\n%s\n".formatted(settings));
    agentSays("hello");
  }

  private static void pom(Path directory, String pom) throws IOException {
    Files.writeString(Files.createDirectories(directory).resolve("pom.xml"), pom);
  }

  /** Compiles the test of an agent that says something. */
  private void agentSays(String greeting) throws IOException {
    compile(AGENT.formatted(greeting));
  }

  /** Compiles the test of an agent that asks its model something. */
  private void agentAsks(String question) throws IOException {
    compile(REVIEW.formatted(question));
  }

  private void compile(String test) throws IOException {
    Path source = Files.writeString(agent.resolve("AgentTest.java"), test);
    Path classes = Files.createDirectories(agent.resolve("target/test-classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    int errors = compiler.run(
        null,
        null,
        null,
        "-proc:none",
        "-parameters",
        "-cp",
        System.getProperty("java.class.path"),
        "-d",
        classes.toString(),
        source.toString());
    assertThat(errors).isZero();
  }

  private Run test(boolean ci, String... properties) throws Exception {
    List<String> command = new ArrayList<>(List.of("mvn", "test"));
    command.addAll(List.of(properties));
    return run(project, ci, command);
  }

  /** Runs Maven as from a shell. */
  private Run run(Path directory, boolean ci, List<String> command) throws Exception {
    Path log = project.resolve("maven.log");
    ProcessBuilder process = new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile());
    Map<String, String> environment = process.environment();
    environment.keySet().removeAll(Set.of("CI", "MAVEN_ARGS"));
    environment.put("MAVEN_OPTS", QUICK);
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.merge("PATH", MAVEN + "/bin", (path, maven) -> maven + File.pathSeparator + path);
    if (ci) {
      environment.put("CI", "true");
    }
    Process started = process.start();
    try {
      assertThat(started.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      started.destroyForcibly();
    }
    return new Run(started.exitValue(), Files.readString(log, StandardCharsets.UTF_8));
  }

  /** Runs the command that a run printed, as it is printed. */
  private Run accept(Run refused) throws Exception {
    Matcher command = Pattern.compile("to (?:accept it|record it|record it again): (mvn .*)")
        .matcher(refused.output());
    assertThat(command.find()).as(refused.output()).isTrue();
    return run(project, false, List.of("sh", "-c", command.group(1)));
  }

  @Test
  void recording_is_accepted_changed_and_accepted_again_but_not_on_a_build_server()
      throws Exception {
    Path recording = recordings.resolve("greets");
    Path received = recordings.resolve("greets.received");

    Run refused = test(true, "-Dreplay.update=all");
    fails(refused);
    assertThat(refused.output())
        .contains("replay.update=all is refused")
        .contains("the environment variable CI is set");
    assertThat(recordings).doesNotExist();

    Run missing = test(false);
    fails(missing);
    assertThat(missing.output()).contains(" no recording at " + recording);
    assertThat(TestRun.files(recordings))
        .containsExactly("greets.received/RECEIPT.json", "greets.received/REPLAY.jsonl");

    Run recorded = accept(missing);
    passes(recorded);
    assertThat(recorded.output()).contains("replay: recorded " + recording);
    assertThat(TestRun.files(recordings))
        .containsExactly("greets/RECEIPT.json", "greets/REPLAY.jsonl");
    passes(test(false, "-Dreplay.unused=fail"));

    agentSays("good day");
    Run changed = test(false);
    fails(changed);
    assertThat(changed.output())
        .contains(" session mismatch: diverged at call #0: say returned a different output")
        .contains("hello")
        .contains("good day");
    assertThat(TestRun.files(agent.resolve("target")))
        .anyMatch(file -> file.endsWith("/report.html"));
    assertThat(Files.readString(recording.resolve(Session.LOG_NAME))).contains("hello");
    assertThat(Files.readString(received.resolve(Session.LOG_NAME))).contains("good day");

    passes(accept(changed));
    assertThat(TestRun.files(recordings))
        .containsExactly("greets/RECEIPT.json", "greets/REPLAY.jsonl");
    assertThat(Files.readString(recording.resolve(Session.LOG_NAME))).contains("good day");

    TestRun.record(recordings.resolve("left"), "hello");
    Run unused = test(false, "-Dreplay.unused=fail");
    assertThat(unused.exitCode()).as(unused.output()).isEqualTo(1);
    assertThat(unused.output())
        .containsPattern("unused recordings in .*: 1")
        .doesNotContain("#greets");
  }

  @Test
  void session_is_recorded_replayed_and_recorded_again_but_not_on_a_build_server()
      throws Exception {
    Path recording = recordings.resolve("reviews");
    agentAsks("Is it empty?");

    Run missing = test(false);
    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(missing.output())
        .contains("no recording at " + recording)
        .doesNotContain("the model is real");

    Run recorded = accept(missing);
    passes(recorded);
    assertThat(recorded.output())
        .contains("the model is real")
        .contains("replay: recorded " + recording);

    Run replayed = test(true, "-Dreplay.unused=fail");
    passes(replayed);
    assertThat(replayed.output()).doesNotContain("the model is real");

    agentAsks("Is it long?");
    Run changed = test(true, "-Dreplay.update=all");
    fails(changed);
    assertThat(changed.output())
        .contains("replay mismatch: ")
        .contains("Is it empty?")
        .contains("Is it long?")
        .contains("replay.update=all is refused")
        .doesNotContain("the model is real");

    Run again = accept(changed);
    passes(again);
    assertThat(again.output()).contains("replay: replaced " + recording);
    passes(test(true));
  }

  private static void passes(Run run) {
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).contains("BUILD SUCCESS").contains("Failures: 0, Errors: 0");
  }

  private static void fails(Run run) {
    assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
    assertThat(run.output()).contains("There are test failures");
  }
}
