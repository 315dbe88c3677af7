package dev.agentreplay.io.recording;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that runs the main method of a test class. What it prints is read line by line. */
final class ChildJvm implements AutoCloseable {

  private final Process process;
  private final BufferedReader out;

  private ChildJvm(Process process) {
    this.process = process;
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static ChildJvm start(Class<?> main, Object... arguments) throws IOException {
    return start(command(main, arguments));
  }

  static ChildJvm start(List<String> command) throws IOException {
    return new ChildJvm(new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start());
  }

  static List<String> command(Class<?> main, Object... arguments) {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-Xshare:auto",
        "-Xmx256m",
        "-cp",
        System.getProperty("java.class.path"),
        main.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return command;
  }

  long pid() {
    return process.pid();
  }

  /** The next line that it prints, or null when it has ended. */
  String readLine() throws IOException {
    return out.readLine();
  }

  List<String> readLines() {
    return out.lines().toList();
  }

  /** In the child: waits until the parent is gone, or kills it. */
  static void awaitParent() throws IOException {
    while (System.in.read() >= 0) {
      // until its end
    }
  }

  /** In the child: dies with the parent, which may fail while the child is at work. */
  static void dieWithParent() {
    Thread watch = new Thread(() -> {
      try {
        awaitParent();
      } catch (IOException e) {
        e.printStackTrace();
      }
      Runtime.getRuntime().halt(1);
    });
    watch.setDaemon(true);
    watch.start();
  }

  /** Returns when it is dead. */
  void kill() {
    process.toHandle().destroyForcibly(); // the process itself would close its output as well
    process.onExit().join();
  }

  int waitFor() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() throws IOException {
    kill();
    out.close();
  }
}
