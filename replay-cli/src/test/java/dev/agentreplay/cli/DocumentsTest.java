package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.testkit.JavaExamples;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Compiles, runs and checks the examples of the documents. */
@Tag("documents")
class DocumentsTest {

  private static final Path ROOT = MarkdownDocument.ROOT;

  /**
   * The modules that compile their own examples, because their frameworks are not on the class
   * path, with their packages.
   */
  private static final Map<String, String> LEAVES = Map.of(
      "replay-adk", "adk",
      "replay-mcp", "mcp",
      "replay-spring-ai", "springai");

  private static final String IMPORTS =
      """
      import com.fasterxml.jackson.databind.*;
      import dev.agentreplay.canonical.*;
      import dev.agentreplay.canonical.commitment.*;
      import dev.agentreplay.canonical.dialect.*;
      import dev.agentreplay.canonical.prompt.*;
      import dev.agentreplay.canonical.signature.*;
      import dev.agentreplay.canonical.tree.*;
      import dev.agentreplay.convert.*;
      import dev.agentreplay.convert.pack.*;
      import dev.agentreplay.convert.trace.*;
      import dev.agentreplay.convert.trace.report.*;
      import dev.agentreplay.engine.accept.*;
      import dev.agentreplay.engine.agreement.*;
      import dev.agentreplay.engine.attribution.*;
      import dev.agentreplay.engine.diff.*;
      import dev.agentreplay.engine.diff.rule.*;
      import dev.agentreplay.engine.exchange.*;
      import dev.agentreplay.engine.fork.*;
      import dev.agentreplay.engine.message.*;
      import dev.agentreplay.engine.published.*;
      import dev.agentreplay.engine.repeat.*;
      import dev.agentreplay.engine.replay.*;
      import dev.agentreplay.engine.replay.execution.*;
      import dev.agentreplay.engine.replay.failure.*;
      import dev.agentreplay.engine.replay.policy.*;
      import dev.agentreplay.engine.report.*;
      import dev.agentreplay.engine.rules.*;
      import dev.agentreplay.engine.subject.*;
      import dev.agentreplay.engine.view.*;
      import dev.agentreplay.io.agent.*;
      import dev.agentreplay.io.context.*;
      import dev.agentreplay.io.file.*;
      import dev.agentreplay.io.log.*;
      import dev.agentreplay.io.recording.*;
      import dev.agentreplay.io.session.*;
      import dev.agentreplay.io.workspace.*;
      import dev.agentreplay.jackson.*;
      import dev.agentreplay.jackson.schema.*;
      import dev.agentreplay.junit.*;
      import dev.agentreplay.langchain4j.*;
      import dev.agentreplay.lint.*;
      import dev.agentreplay.otel.*;
      import dev.agentreplay.lint.pattern.*;
      import dev.agentreplay.lint.watch.*;
      import dev.agentreplay.model.*;
      import dev.agentreplay.model.alignment.*;
      import dev.agentreplay.model.check.*;
      import dev.agentreplay.model.finding.*;
      import dev.agentreplay.model.json.*;
      import dev.agentreplay.model.number.*;
      import dev.agentreplay.model.receipt.*;
      import dev.agentreplay.model.signature.*;
      import dev.agentreplay.model.text.*;
      import dev.agentreplay.records.*;
      import dev.agentreplay.records.agents.*;
      import dev.agentreplay.records.jackson.*;
      import dev.agentreplay.records.recording.*;
      import dev.agentreplay.records.replay.*;
      import dev.agentreplay.records.report.*;
      import dev.agentreplay.records.store.*;
      import dev.agentreplay.sandbox.*;
      import dev.agentreplay.sandbox.mechanism.*;
      import dev.agentreplay.sandbox.probe.*;
      import dev.agentreplay.sandbox.replay.*;
      import dev.agentreplay.sandbox.snapshot.*;
      import dev.agentreplay.sandbox.workspace.*;
      import dev.agentreplay.publish.*;
      import dev.agentreplay.publish.policy.*;
      import dev.agentreplay.publish.secret.*;
      import dev.agentreplay.verify.*;
      import dev.agentreplay.verify.batch.*;
      import dev.agentreplay.verify.proof.*;
      import dev.agentreplay.verify.report.*;
      import dev.langchain4j.agent.tool.ToolExecutionRequest;
      import dev.langchain4j.invocation.InvocationContext;
      import dev.langchain4j.model.chat.ChatModel;
      import dev.langchain4j.observability.api.event.AiServiceEvent;
      import dev.langchain4j.service.tool.BeforeToolExecution;
      import dev.langchain4j.service.tool.ToolExecutionResult;
      import dev.langchain4j.service.AiServices;
      import java.math.BigDecimal;
      import java.nio.charset.StandardCharsets;
      import java.nio.file.Files;
      import java.nio.file.Path;
      import java.time.Duration;
      import java.time.LocalDate;
      import java.time.ZoneOffset;
      import java.time.Instant;
      import java.util.List;
      import java.util.Map;
      import java.util.UUID;
      import java.util.function.BiFunction;
      import java.util.function.Consumer;
      import java.util.stream.Stream;
      import org.junit.jupiter.api.Test;
      import org.junit.jupiter.params.ParameterizedTest;
      import static dev.agentreplay.engine.diff.rule.Ignore.*;
      import static dev.agentreplay.junit.ReplayAssertions.*;
      """;

  @TempDir
  Path directory;

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void readme_works_as_written(@TempDir Path tools) throws Exception {
    Guides.copySessions(directory.resolve("sessions"));
    DocumentShell shell = new DocumentShell(directory, tools);
    assertThat(runReadme(shell, 0, "Example")).isEmpty();

    assertThat(shell.follow(ROOT.resolve("README.md"))).isEqualTo(2);

    Session session = Session.open(directory.resolve("sessions/fix-auth"));
    assertThat(SessionVerifier.of(VerifyPolicy.defaults()).verify(session).verdict())
        .isEqualTo(Verdict.VALID);
    assertThat(runReadme(shell, 1, "Replayed")).contains("IDENTICAL");
  }

  /** Runs a block of the README as a program. Returns what it prints. */
  private List<String> runReadme(DocumentShell shell, int block, String name) throws Exception {
    Files.writeString(
        directory.resolve(name + ".java"),
        JavaExamples.unit(
            name,
            block("README.md", "java").get(block),
            "public static void main(String[] args) throws Exception {\n%s}\n"));
    return shell.run("java -cp $REPLAY/replay-cli/target/replay.jar %s.java".formatted(name));
  }

  @Test
  @Tag("slow")
  @DisabledOnOs(OS.WINDOWS)
  void readme_test_is_recorded_and_replayed_as_written(@TempDir Path tools) throws Exception {
    Files.writeString(directory.resolve("pom.xml"), "<project/>");
    Files.createDirectories(directory.resolve("src/main/java"));
    Path test = Files.createDirectories(directory.resolve("src/test/java"));
    Files.writeString(
        test.resolve("GreetingTest.java"),
        JavaExamples.unit("GreetingTest", block("README.md", "java").get(2), "%s"));
    DocumentShell shell = new DocumentShell(directory, tools);
    String runner =
        "java -cp $REPLAY/replay-cli/target/replay.jar " + TestRunner.class.getName() + " ";
    String update = "-Dreplay.update=missing";
    assertThat(Files.readString(ROOT.resolve("README.md"))).contains("`mvn test " + update + "`");

    assertThat(String.join("\n", shell.run(runner)))
        .contains("no recording at ", "to record it: mvn test ", update);
    assertThat(String.join("\n", shell.run(runner + update)))
        .contains("replay: recorded ")
        .doesNotContain("[ERROR]");
    assertThat(directory.resolve("src/test/resources/reads-the-greeting/REPLAY.jsonl"))
        .exists();
    assertThat(String.join("\n", shell.run(runner))).doesNotContain("[ERROR]", "recorded ");
  }

  @Test
  void readme_is_short() throws IOException {
    assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(120);
  }

  /** Blocks without a file name, with their own imports and those that JShell has by default. */
  @Test
  void java_blocks_of_the_documents_compile_unchanged() throws IOException {
    JavaExamples examples = JavaExamples.withImports("");
    for (Path document : MarkdownDocument.all()) {
      if (!isCompiledByLeaf(document)) {
        examples.document(document);
      }
    }
    examples.compile(directory, "");
  }

  /** Whether a leaf, whose framework is not on the class path here, compiles a document. */
  private static boolean isCompiledByLeaf(Path document) throws IOException {
    for (Map.Entry<String, String> leaf : LEAVES.entrySet()) {
      Path test = ROOT.resolve("%s/src/test/java/dev/agentreplay/%s/ExamplesTest.java"
          .formatted(leaf.getKey(), leaf.getValue()));
      if (Files.readString(test).contains("\"" + document.getFileName() + "\"")) {
        return true;
      }
    }
    return false;
  }

  @Test
  void commands_in_the_documents_have_their_options() throws IOException {
    Map<String, String> help = new HashMap<>();
    Pattern command =
        Pattern.compile("(?<![-\\w/])replay ((?:session )?[a-z]+)((?: [^`\\n|#>]+)?)");
    int commands = 0;
    for (Path document : MarkdownDocument.all()) {
      String text = Files.readString(document);
      Matcher found =
          Pattern.compile("`[^`\\n]+`|(?m)^ *(\\$ |- run: )?(\\./)?replay .*").matcher(text);
      while (found.find()) {
        Matcher call = command.matcher(found.group());
        if (!call.find()) {
          continue;
        }
        commands++;
        String known = help.computeIfAbsent(call.group(1), DocumentsTest::help);
        assertThat(Stream.of(call.group(2).split("[ `\"']")).filter(word -> word.startsWith("--")))
            .as(document + ": " + call.group())
            .allMatch(
                option -> known.matches("(?s).* " + option.split("=", 2)[0] + "(?![\\w-]).*"));
      }
    }
    assertThat(commands).isGreaterThan(100);
  }

  private static String help(String command) {
    Console console = Console.run((command + " --help").split(" "));
    assertThat(console.exit()).as(command).isZero();
    return console.out();
  }

  @Test
  void javadoc_examples_compile() throws IOException {
    JavaExamples examples = JavaExamples.withImports(IMPORTS);
    for (Path source : WordsTest.sources()) {
      if (!LEAVES.containsKey(ROOT.relativize(source).getName(0).toString())) {
        examples.javadoc(source);
      }
    }
    String given =
        """
        Path directory, sessions, before, after, workspace, snapshot, copy;
        String text, line; ContentHash stated; Session session, recording; List<Session> runs; SessionRecorder recorder; ChatModel model; Object tools;
        AiServices<Assistant> builder; Consumer<BeforeToolExecution> callback;
        io.opentelemetry.sdk.trace.export.SpanExporter exporter; ReplayHeader header; List<ReplayEvent> events; ReplayAgent agent; ProcessCommand command;
        SessionRecord record; RecordTexts texts; AgentRunner runner;
        AiServiceCalls calls; Assistant assistant;
        List<Conversation.Fact> facts; List<Conversation.Row> rows;
        interface Assistant { String chat(String message); }
        static void runAgent(SessionRecorder recorder) {}
        static String askModel(ModelCall call) { return ""; }
        """;
    examples.compile(directory, given);
  }

  @Test
  void format_example_has_the_documented_hashes() throws IOException {
    Path log = directory.resolve("REPLAY.jsonl");
    Files.writeString(log, example());

    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(log));

    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(Files.readString(ROOT.resolve("docs/format.md")))
        .contains("`replay_hash` is `" + Session.open(log).replayHash() + "`");
  }

  @Test
  void checkpoint_of_the_format_example_is_the_one_in_the_receipts_document() throws IOException {
    Path log = directory.resolve("REPLAY.jsonl");
    Files.writeString(log, example());

    assertThat(block("docs/receipts.md", "json"))
        .contains(Console.run("checkpoint", log.toString()).out());
  }

  private static List<String> block(String document, String language) throws IOException {
    return MarkdownDocument.read(ROOT.resolve(document)).blocks().stream()
        .filter(block -> block.language().equals(language) && block.name().isEmpty())
        .map(MarkdownDocument.Block::text)
        .toList();
  }

  /** The whole session that the format's document shows after its events. */
  private static String example() throws IOException {
    List<String> blocks = block("docs/format.md", "jsonl");
    return blocks.get(blocks.size() - 1);
  }
}
