package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.MarkdownDocument.Block;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
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

  private static final int TIMEOUT_SECONDS = 300;

  /** Parts of an output that are different each time, and what they are compared as. */
  private static final List<String[]> VARYING = List.of(
      new String[] {"sha256:[0-9a-f]{12,64}", "sha256:HASH"},
      new String[] {"\\b[0-9a-f]{64}\\b", "HASH"},
      new String[] {"\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b", "UUID"},
      new String[] {"\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME"},
      new String[] {", [0-9,]+ ms$", ""},
      new String[] {"(latency[a-z_ ]*[\":]+ ?)[0-9]+", "$1N"},
      new String[] {"agentreplay@[0-9A-Za-z.-]+", "agentreplay"},
      new String[] {"[-+]?[0-9][0-9,.]* (ms|s|bytes|KB|MB)\\b", "N $1"},
      new String[] {"\\b(byte|begins at byte) [0-9,]+", "$1 N"},
      new String[] {"(file://)?(/[^\\s/]+)+/(?=[^\\s/]+\\.html)", "DIRECTORY/"},
      new String[] {" +", " "});

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
    String start =
        "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '%s' %s \"$@\"\n";
    script("replay", start.formatted(java, jar, Main.class.getName()));
    if (!HAS_MAVEN) {
      script("mvn", start.formatted(java, jar, TestRunner.class.getName()));
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
    int commands = 0;
    for (int i = 0; i < document.blocks().size(); i++) {
      Block block = document.blocks().get(i);
      if (block.language().equals("console")) {
        List<Step> steps = steps(block.text().lines().toList());
        commands += steps.size();
        StringBuilder actual = new StringBuilder();
        for (Step step : steps) {
          actual.append(lines(step.command())).append(lines(run(step, file)));
        }
        if (!actual.toString().equals(block.text())) {
          document.replaceBlock(block, actual.toString());
          document.save();
        }
      } else if (!block.name().isEmpty()) {
        Path target = directory.resolve(block.name());
        Files.createDirectories(target.getParent());
        Files.writeString(target, block.text());
        files.add(block.name());
      }
    }
    return commands;
  }

  /** Runs a command; its output is the one that the document has, unless that is rewritten. */
  private List<String> run(Step step, Path document) throws IOException, InterruptedException {
    List<String> output = run(String.join("\n", step.command()).substring(2));
    if (matches(step.output(), output)) {
      return step.output();
    }
    if (!MarkdownDocument.isRewriting()) {
      assertThat(lines(output))
          .as("%s: output of %s", document.getFileName(), step.command())
          .isEqualTo(lines(step.output()));
    }
    return output;
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

  /** Runs a command, and returns the lines that it prints. */
  List<String> run(String command) throws IOException, InterruptedException {
    Path out = tools.resolve("out");
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", command)
        .directory(directory.toFile())
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectErrorStream(true)
        .redirectOutput(out.toFile());
    builder.environment().remove("CI");
    builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
    builder.environment().put("REPLAY", tools.toString());
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.start();
    boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).as("ends in time: " + command).isTrue();
    return Files.readString(out, StandardCharsets.UTF_8)
        .replace(directory.toString(), SHOWN_DIRECTORY)
        .replaceAll("\u001b\\[[0-9;]*m", "") // Maven resets colours that it never set
        .lines()
        .map(String::stripTrailing)
        .toList();
  }

  private static boolean matches(List<String> expected, List<String> actual) {
    if (!expected.contains("...")) {
      return comparable(expected).equals(comparable(actual));
    }
    List<String> rest = comparable(actual);
    for (String line : comparable(expected)) {
      if (line.equals("...")) {
        continue;
      }
      int at = 0;
      while (at < rest.size() && !rest.get(at).contains(line)) {
        at++;
      }
      if (at == rest.size()) {
        return false;
      }
      rest = rest.subList(at + 1, rest.size());
    }
    return true;
  }

  private static List<String> comparable(List<String> lines) {
    return lines.stream()
        .map(line -> {
          String text = line;
          for (String[] varying : VARYING) {
            text = text.replaceAll(varying[0], varying[1]);
          }
          return text.strip();
        })
        .toList();
  }
}
