package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.cli.demo.DemoAgent;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code replay lint}, on classes of this module. */
class LintCommandTest {

  private static final String CLASSES = "target/classes/dev/agentreplay/cli/demo";

  @TempDir
  Path directory;

  private String descend;

  @BeforeEach
  void patterns() throws IOException {
    descend = write("patterns", "descend dev.agentreplay.cli.demo.**\n");
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  @Test
  void agent_of_the_demo_is_deterministic() {
    Console console = Console.run("lint", CLASSES, "--patterns", descend);

    assertThat(console.out())
        .startsWith("no nondeterministic calls\n")
        .contains("reached from 2 entry points");
    assertThat(console.err()).isEmpty();
    assertThat(console.exit()).isZero();
  }

  @Test
  void tools_of_the_demo_are_not_deterministic() {
    String[] command = {
      "lint",
      CLASSES,
      "--patterns",
      descend,
      "--entry",
      "dev.agentreplay.cli.demo.DemoTools.execute"
    };
    Console console = Console.run(command);

    assertThat(console.out())
        .contains(
            "file  java.nio.file.Files.list(java.nio.file.Path)\n"
                + "    at dev.agentreplay.cli.demo.DemoTools.search(DemoTools.java:",
            "    at dev.agentreplay.cli.demo.DemoTools.execute(DemoTools.java:",
            "    use context.listDirectory(path)\n");
    assertThat(console.exit()).isEqualTo(1);
  }

  @Test
  void report_is_json() throws IOException {
    String suppressions =
        write("suppressions", DemoAgent.class.getName() + " of clock because of nothing\n");
    Console console = Console.run(
        "lint", CLASSES, "--patterns", descend, "--suppress", suppressions, "--format", "json");

    assertThat(JsonText.parse(console.out().strip()).at("/schema").asString())
        .isEqualTo("replay.lint/1");
    assertThat(console.out())
        .contains(
            "\"deterministic\":true",
            "\"unused_suppressions\":[{\"suppression\":\"dev.agentreplay.cli.demo.DemoAgent of"
                + " clock\",\"reason\":\"of nothing\"");
    assertThat(console.exit()).isZero();
  }

  @Test
  void scan_that_checks_nothing_is_wrong_usage() {
    Console console = Console.run("lint", CLASSES);
    assertThat(console.out()).startsWith("nothing was checked: no entry point was found\n");
    assertThat(console.err())
        .contains(
            "no entry point was found: name the methods at which the agent begins with --entry");
    assertThat(console.exit()).isEqualTo(2);

    console = Console.run("lint", CLASSES, "--patterns", descend, "--entry", "a.B.c");
    assertThat(console.err()).contains("--entry: no scanned method matches a.B.c");
    assertThat(console.exit()).isEqualTo(2);

    console = Console.run("lint", CLASSES, "--entry", "a.B.c(");
    assertThat(console.err()).contains("--entry: expected ) at the end, found a.B.c(");
    assertThat(console.exit()).isEqualTo(2);
  }

  @Test
  void unreadable_inputs_have_their_names() throws IOException {
    String text = write("a.jar", "text");
    Console console = Console.run("lint", text, CLASSES, "--patterns", descend);
    assertThat(console.out())
        .startsWith("no nondeterministic calls in what could be scanned\n")
        .contains("a.jar");
    assertThat(console.exit()).isEqualTo(3);

    String patterns = write("p", "report time a.B\n");
    console = Console.run("lint", CLASSES, "--patterns", patterns);
    assertThat(console.err()).contains(patterns + ": line 1, column 8: expected a category");
    assertThat(console.exit()).isEqualTo(3);

    console =
        Console.run("lint", CLASSES, "--suppress", directory.resolve("none").toString());
    assertThat(console.exit()).isEqualTo(3);
  }

  @Test
  void class_path_has_the_supertypes_of_scanned_classes() throws IOException {
    String base = compile("base", "org/base/Base.java", "package org.base; public class Base {}");
    String type =
        compile("type", "org/type/Type.java", "package org.type; public interface Type {}");
    String more =
        compile("more", "org/more/More.java", "package org.more; public interface More {}");
    String agent = compile(
        "agent",
        "a/Agent.java",
        "package a; public class Agent extends org.base.Base implements org.type.Type,"
            + " org.more.More { public static void run() { new Agent(); } }",
        base,
        type,
        more);
    String[] command = {"lint", agent, "--entry", "a.Agent.run"};

    Console console = Console.run(command);
    assertThat(console.out())
        .contains("  unresolved  org.base.Base, org.more.More, org.type.Type\n");
    assertThat(console.exit()).isZero();

    List<String> complete = new ArrayList<>(List.of(command));
    String separator = File.pathSeparator;
    complete.addAll(List.of("--classpath", base + separator + separator + type + separator));
    assertThat(Console.run(complete.toArray(String[]::new)).out())
        .contains("  unresolved  org.more.More\n");
    complete.addAll(List.of("--classpath", more));
    console = Console.run(complete.toArray(String[]::new));
    assertThat(console.out()).startsWith("no nondeterministic calls\n").doesNotContain("org.");
    assertThat(console.exit()).isZero();
  }

  /** Returns the directory of the class files of a source. */
  private String compile(String name, String file, String source, String... classPath)
      throws IOException {
    Path path = directory.resolve("sources").resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, source);
    String out = directory.resolve(name).toString();
    int exit = ToolProvider.getSystemJavaCompiler()
        .run(
            null,
            null,
            null,
            "-d",
            out,
            "-cp",
            String.join(File.pathSeparator, classPath),
            path.toString());
    assertThat(exit).isZero();
    return out;
  }
}
