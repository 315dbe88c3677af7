package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.MarkdownDocument.Block;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Does what a document tells its reader to do, in a directory of its own: writes the files that it
 * shows (a fenced block whose language is followed by a file name), runs the commands of its
 * {@code console} blocks in a shell, and compares what they print. A line {@code ...} in an output
 * stands for any lines. With {@code -Dreplay.documents=write}, an output that is different is
 * written into the document; never where {@code CI} is set.
 */
final class DocumentShell {

  /** The directory that documents show in place of the real one. */
  private static final String SHOWN_DIRECTORY = "/home/me/project";

  /** Whether the real Maven runs the tests of documents, with the installed artifacts. */
  private static final boolean HAS_MAVEN = Boolean.getBoolean("replay.documents.maven");

  /** The line of a document that stands for any lines of an output. */
  private static final String ANY_LINES = "...";

  private static final int TIMEOUT_SECONDS = 300;

  private static final Pattern HASH =
      Pattern.compile("(?<=sha256:)[0-9a-f]{12,64}|\\b[0-9a-f]{64}\\b");

  /** Parts of an output that are different each time, and what they are compared as. */
  private static final List<String[]> VARYING = List.of(
      new String[] {"\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b", "UUID"},
      new String[] {"\\d{4}-\\d\\d-\\d\\dT[0-9:.-]+Z", "TIME"},
      new String[] {"\\bREC-[\\w-]+-\\d{13}\\b", "RECORD"},
      new String[] {"\\bduration_ms [0-9]+ → [0-9]+ \\([-+][0-9]+\\)", "DURATION"},
      new String[] {"[;,] [0-9,]+ ms$", ""},
      new String[] {"(latency[a-z_ ]*[\":]+ ?)[0-9]+", "$1N"},
      new String[] {"agentreplay@[0-9A-Za-z.-]+", "agentreplay"},
      new String[] {"[-+]?[0-9][0-9,.]* (ms|s|bytes|KB|MB)\\b", "N $1"},
      new String[] {"\\b(bytes?|begins at byte) [0-9,]+", "$1 N"},
      new String[] {"(file://)?(/[^\\s/]+)+/(?=[^\\s/]+\\.html)", "DIRECTORY/"},
      new String[] {" +", " "});

  /** Environment variables that must not affect the commands of a document. */
  private static final List<String> REMOVED_VARIABLES = List.of(
      "CI", "COLUMNS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "REPLAY_HOME", "REPLAY_JAVA_OPTS");

  private final Path directory;
  private final Path tools;
  private final List<String> files = new ArrayList<>();

  /**
   * A shell that runs in a directory.
   *
   * @param directory the working directory
   * @param tools an empty directory for the commands that documents run
   */
  DocumentShell(Path directory, Path tools) throws IOException {
    this.directory = directory.toRealPath();
    this.tools = tools.toRealPath();
    String classPath = System.getProperty("java.class.path");
    Path jar = tools.resolve("replay-cli/target/replay.jar");
    Files.createDirectories(jar.getParent());
    writeClassPathJar(jar, classPath);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String launcher = "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC %s \"$@\"\n";
    script("java", launcher.formatted(java, ""));
    String arguments = "-cp '%s' %s";
    script("replay", launcher.formatted(java, arguments.formatted(jar, Main.class.getName())));
    if (!HAS_MAVEN) {
      script("mvn", launcher.formatted(java, arguments.formatted(jar, TestRunner.class.getName())));
    }
  }

  private void script(String name, String text) throws IOException {
    Path file = Files.writeString(tools.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** A command line may not be as long as a class path. */
  private static void writeClassPathJar(Path jar, String classPath) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Stream.of(classPath.split(Pattern.quote(System.getProperty("path.separator"))))
                .map(entry -> Path.of(entry).toAbsolutePath().toUri().toString())
                .collect(Collectors.joining(" ")));
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
  }

  /** The names of the files that documents have shown. */
  List<String> files() {
    return files;
  }

  /** Follows a document from beginning to end. Returns the number of commands that were run. */
  int follow(Path file) throws IOException, InterruptedException {
    MarkdownDocument document = MarkdownDocument.read(file);
    Map<Block, String> outputs = new LinkedHashMap<>();
    Map<String, String> expectedHashes = new HashMap<>();
    Map<String, String> actualHashes = new HashMap<>();
    int commands = 0;
    boolean differs = false;
    for (Block block : document.blocks()) {
      if (block.language().equals("console")) {
        StringBuilder actual = new StringBuilder();
        for (Step step : steps(block.text().lines().toList())) {
          commands++;
          List<String> output = run(String.join("\n", step.command()).substring(2));
          boolean matches =
              matches(comparable(step.output(), expectedHashes), comparable(output, actualHashes));
          boolean isAbridged = step.output().contains(ANY_LINES);
          if (!matches && (isAbridged || !MarkdownDocument.isRewriting())) {
            assertThat(lines(output))
                .as("%s: output of %s", file.getFileName(), step.command())
                .isEqualTo(lines(step.output()));
          }
          differs |= !matches;
          actual.append(lines(step.command())).append(lines(isAbridged ? step.output() : output));
        }
        outputs.put(block, actual.toString());
      } else if (!block.name().isEmpty()) {
        Path target = directory.resolve(block.name());
        Files.createDirectories(target.getParent());
        Files.writeString(target, block.text());
        files.add(block.name());
      }
    }
    if (differs) {
      // all of them, because hashes and times in them belong together; the last block first, so
      // that the lines of the others stay where they are
      List<Block> blocks = new ArrayList<>(outputs.keySet());
      Collections.reverse(blocks);
      blocks.forEach(block -> document.replaceBlock(block, outputs.get(block)));
      document.save();
    }
    return commands;
  }

  private static String lines(List<String> lines) {
    return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  /** A command, in lines as the document has them, and its output. */
  private record Step(List<String> command, List<String> output) {}

  private static List<Step> steps(List<String> block) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < block.size(); ) {
      assertThat(block.get(i)).as("a command").startsWith("$ ");
      List<String> command = new ArrayList<>();
      do {
        command.add(block.get(i));
      } while (block.get(i++).endsWith("\\"));
      List<String> output = new ArrayList<>();
      while (i < block.size() && !block.get(i).startsWith("$ ")) {
        output.add(block.get(i++));
      }
      steps.add(new Step(command, output));
    }
    return steps;
  }

  /**
   * Runs a command, and returns the lines that it prints. A command that fails with an exit code
   * above 1 must print it, so that no document shows a mistake.
   */
  List<String> run(String command) throws IOException, InterruptedException {
    Path out = tools.resolve("out");
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", command)
        .directory(directory.toFile())
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectErrorStream(true)
        .redirectOutput(out.toFile());
    Map<String, String> environment = builder.environment();
    REMOVED_VARIABLES.forEach(environment::remove);
    String java = Path.of(System.getProperty("java.home"), "bin").toString();
    environment.put("PATH", tools + ":" + java + ":" + System.getenv("PATH"));
    environment.put("REPLAY", tools.toString());
    environment.put("LC_ALL", "C.UTF-8");
    Process process = builder.start();
    boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    String text = Files.readString(out, StandardCharsets.UTF_8)
        .replace(directory.toString(), SHOWN_DIRECTORY)
        .replaceAll("\u001b\\[[0-9;]*m", ""); // Maven resets colors that it never set
    assertThat(ended).as("ends in time: %s%n%s", command, text).isTrue();
    assertThat(process.exitValue()).as("exit code of %s%n%s", command, text).isLessThan(2);
    return text.lines()
        .filter(line -> !CommandProcess.PROGRESS.matcher(line).matches())
        .map(String::stripTrailing)
        .toList();
  }

  /** Whether an output is as expected; {@code ...} in it stands for any lines. */
  private static boolean matches(List<String> expected, List<String> actual) {
    int skipped = expected.indexOf(ANY_LINES);
    if (skipped < 0) {
      return expected.equals(actual);
    }
    List<String> first = expected.subList(0, skipped);
    List<String> rest = expected.subList(skipped + 1, expected.size());
    if (actual.size() < skipped || !first.equals(actual.subList(0, skipped))) {
      return false;
    }
    for (int i = skipped; i <= actual.size(); i++) {
      if (matches(rest, actual.subList(i, actual.size()))) {
        return true;
      }
    }
    return false;
  }

  /** Lines without what is different each time; hashes are numbered as they first occur. */
  private static List<String> comparable(List<String> lines, Map<String, String> hashes) {
    return lines.stream()
        .map(line -> {
          String text = HASH.matcher(line)
              .replaceAll(
                  hash -> hashes.computeIfAbsent(hash.group(), ignored -> "HASH" + hashes.size()));
          for (String[] varying : VARYING) {
            text = text.replaceAll(varying[0], varying[1]);
          }
          return text.replaceFirst("^\\[ERROR\\] ", "").strip();
        })
        .toList();
  }
}
