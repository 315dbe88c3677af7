package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Reads files. */
public final class FileReads implements ReplayAgent {

  @Override
  public void run(AgentScope scope) throws Exception {
    Path path = Path.of("a.txt");
    // FOUND file Files.readString
    String text = Files.readString(path);
    // FOUND file Files.list
    try (Stream<Path> files = Files.list(Path.of(""))) {
      scope.call("count", files.count());
    }
    // FOUND file File.exists
    boolean exists = new File("a.txt").exists();
    // FOUND file FileInputStream.<init>
    try (FileInputStream in = new FileInputStream("a.txt")) {
      scope.call("byte", in.read());
    }
    ByteArrayOutputStream copied = new ByteArrayOutputStream();
    // FOUND file Files.copy
    Files.copy(path, copied);
    scope.ask(
        "m", copied + text + exists + path.getFileName() + scope.context().listDirectory(path));
  }
}
