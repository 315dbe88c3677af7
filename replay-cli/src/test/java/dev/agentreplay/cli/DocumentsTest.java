package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documents show is compiled, run and checked. */
class DocumentsTest {

  private static final Path ROOT = Path.of("..");

  private static final String IMPORTS =
      """
      import com.fasterxml.jackson.databind.*;
      import dev.agentreplay.canonical.*;
      import dev.agentreplay.canonical.dialect.*;
      import dev.agentreplay.canonical.signature.*;
      import dev.agentreplay.canonical.tree.*;
      import dev.agentreplay.convert.*;
      import dev.agentreplay.convert.pack.*;
      import dev.agentreplay.engine.*;
      import dev.agentreplay.engine.agreement.*;
      import dev.agentreplay.engine.diff.*;
      import dev.agentreplay.engine.diff.rule.*;
      import dev.agentreplay.engine.report.*;
      import dev.agentreplay.io.file.*;
      import dev.agentreplay.io.log.*;
      import dev.agentreplay.io.recording.*;
      import dev.agentreplay.io.session.*;
      import dev.agentreplay.jackson.*;
      import dev.agentreplay.junit.*;
      import dev.agentreplay.langchain4j.*;
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
      import dev.agentreplay.records.jackson.*;
      import dev.agentreplay.verify.*;
      import dev.agentreplay.verify.batch.*;
      import dev.agentreplay.verify.proof.*;
      import dev.agentreplay.verify.report.*;
      import dev.langchain4j.model.chat.ChatModel;
      import dev.langchain4j.service.AiServices;
      import java.math.BigDecimal;
      import java.nio.charset.StandardCharsets;
      import java.nio.file.Path;
      import java.util.List;
      import java.util.Map;
      import java.util.stream.Stream;
      import org.junit.jupiter.api.Test;
      import org.junit.jupiter.params.ParameterizedTest;
      import static dev.agentreplay.engine.diff.rule.Ignore.*;
      import static dev.agentreplay.junit.ReplayAssertions.*;
      """;

  @TempDir
  Path directory;

  @Test
  void readme_example_compiles_runs_and_is_valid() throws Exception {
    String example = block("README.md", "java").get(0);
    assertThat(example.lines()).hasSize(8);
    String source = IMPORTS
        + "public class Example { public static Verdict run() throws Exception {\n"
        + example.replace("Path.of(\"sessions\"", "Path.of(\"" + directory + "\"")
        + "return report.verdict(); } }";

    compile("Example", source);

    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      Object verdict = loader.loadClass("Example").getMethod("run").invoke(null);
      assertThat(verdict).isEqualTo(Verdict.VALID);
    }
    assertThat(directory.resolve("fix-auth/REPLAY.jsonl")).exists();
  }

  @Test
  void other_examples_of_the_readme_are_in_the_example_project() throws IOException {
    StringBuilder sources = new StringBuilder();
    for (Path source : javaSources(ROOT.resolve("examples"))) {
      sources.append(unindented(Files.readString(source)));
    }
    List<String> examples = block("README.md", "java");

    assertThat(examples).hasSize(3);
    assertThat(examples.subList(1, 3))
        .allSatisfy(example -> assertThat(sources).contains(unindented(example)));
  }

  private static String unindented(String source) {
    return source.replaceAll("(?m)^ +", "");
  }

  private static List<Path> javaSources(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  @Test
  void javadoc_examples_compile() throws IOException {
    List<Path> sources = javaSources(ROOT).stream()
        .filter(file -> file.toString().contains("src/main/java"))
        .toList();
    Pattern example = Pattern.compile("<pre>\\{@code\\n(.*?)\\n \\* }</pre>", Pattern.DOTALL);
    StringBuilder methods = new StringBuilder();
    int examples = 0;
    for (Path source : sources) {
      Matcher found = example.matcher(Files.readString(source));
      while (found.find()) {
        String body = found.group(1).replaceAll("(?m)^ \\* ?", "");
        String form = body.startsWith("@")
            ? "class Example%d {\n%s\n}\n"
            : "void example%d() throws Exception {\n%s\n}\n";
        methods.append(form.formatted(++examples, body));
      }
    }
    assertThat(examples).isGreaterThanOrEqualTo(6);
    String given =
        """
        Path directory, sessions, before, after; String text, line; ContentHash stated;
        Session session, recording; SessionRecorder recorder; ChatModel model; Object tools;
        interface Assistant { String chat(String message); }
        static void runAgent(SessionRecorder recorder) {}
        """;
    compile("Examples", IMPORTS + "public class Examples {\n" + given + methods + "}");
  }

  @Test
  void format_example_has_the_hashes_that_the_document_says() throws IOException {
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
  void format_example_has_the_checkpoint_that_the_document_shows() throws IOException {
    Path log = directory.resolve("REPLAY.jsonl");
    Files.writeString(log, example());

    assertThat(block("docs/format.md", "json"))
        .contains(Console.run("checkpoint", log.toString()).out());
  }

  @Test
  void readme_lists_the_commands_that_there_are() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    List<String> commands = Console.run("--help")
        .out()
        .lines()
        .dropWhile(line -> !line.equals("Commands:"))
        .skip(1)
        .takeWhile(line -> line.startsWith("  "))
        .map(line -> line.strip().split(" ", 2)[0])
        .filter(command -> !command.equals("help"))
        .toList();
    assertThat(commands).isNotEmpty().allMatch(command -> readme.contains("replay " + command));
  }

  @Test
  void readme_shows_what_diff_says_of_the_sessions_that_are_there() throws IOException {
    String sessions = ROOT.resolve("replay-engine/src/test/resources/sessions").toString();
    List<String> examples = block("README.md", "console");
    assertThat(examples).hasSize(3);
    for (String example : examples) {
      int end = example.indexOf('\n');
      assertThat(example).startsWith("$ ./replay ");
      List<String> words =
          List.of(example.substring("$ ./replay ".length(), end).split(" "));
      List<String> arguments = new ArrayList<>(words);
      arguments.addAll(List.of("--sessions", sessions));
      assertThat(Console.run(arguments.toArray(String[]::new)).out().replace(sessions + "/", ""))
          .isEqualTo(example.substring(end + 1));
    }
  }

  private void compile(String name, String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    boolean compiled = compiler
        .getTask(
            messages,
            null,
            null,
            List.of("-d", directory.toString(), "-cp", System.getProperty("java.class.path")),
            null,
            List.of(new Source(name, source)))
        .call();
    assertThat(compiled).as(messages + "\n" + source).isTrue();
  }

  private static List<String> block(String document, String language) throws IOException {
    Matcher found = Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(ROOT.resolve(document)));
    List<String> blocks = new ArrayList<>();
    while (found.find()) {
      blocks.add(found.group(1));
    }
    return blocks;
  }

  /** The whole session that the format's document shows after its events. */
  private static String example() throws IOException {
    List<String> blocks = block("docs/format.md", "jsonl");
    return blocks.get(blocks.size() - 1);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
