package dev.agentreplay.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.ImportOptions;
import dev.agentreplay.convert.trace.TraceImporter;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;

/**
 * Measures the import of a transcript of Claude Code, relative to reading and hashing it, to
 * parsing its lines, and, where they are installed, to {@code jq} and a loop in Python that parse
 * and write each line. The rounds take turns. The first argument is the size in megabytes, 100 by
 * default; a second one is a transcript that is measured instead of a generated one.
 *
 * <pre>
 * java -Xmx64m -XX:+UseSerialGC -cp replay-benchmarks/target/benchmarks.jar \
 *     dev.agentreplay.benchmarks.ImportCost 100
 * </pre>
 */
public final class ImportCost {

  private static final int DEFAULT_MEGABYTES = 100;
  private static final int WARM_UP_ROUNDS = 1;
  private static final int ROUNDS = 5;
  private static final int BUFFER_BYTES = 1 << 16;

  private static final String LINE =
      "  at com.example.service.OrderService.place(OrderService.java:%d) key=%s token count 12\n";

  private static final String PYTHON =
      "import json,sys\nfor line in open(sys.argv[1]):\n json.dumps(json.loads(line))\n";

  private ImportCost() {}

  /** Measures and prints medians. */
  public static void main(String[] args) throws IOException {
    long megabytes = args.length > 0 ? Long.parseLong(args[0]) : DEFAULT_MEGABYTES;
    Path directory = Files.createTempDirectory("replay-import");
    try {
      Path source = directory.resolve("transcript.jsonl");
      if (args.length > 1) {
        Files.copy(Path.of(args[1]), source);
      } else {
        write(source, megabytes << 20);
      }
      List<String> jq = List.of("jq", "-c", ".", source.toString());
      List<String> python = List.of("python3", "-c", PYTHON, source.toString());
      boolean hasJq = runs(List.of("jq", "--version"));
      boolean hasPython = runs(List.of("python3", "--version"));
      long[] hash = new long[ROUNDS];
      long[] parse = new long[ROUNDS];
      long[] imported = new long[ROUNDS];
      long[] byJq = new long[ROUNDS];
      long[] byPython = new long[ROUNDS];
      Path out = directory.resolve("out");
      TraceImporter importer = TraceImporter.of(ImportOptions.defaults().withOverwrite(true));
      for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        int at = Math.max(round, 0);
        hash[at] = Rounds.time(() -> hash(source));
        parse[at] = Rounds.time(() -> parse(source));
        imported[at] = Rounds.time(() -> importer.importFile(source, out));
        byJq[at] = hasJq ? Rounds.time(() -> run(jq)) : 0;
        byPython[at] = hasPython ? Rounds.time(() -> run(python)) : 0;
      }
      long bytes = Files.size(source);
      System.out.printf("a transcript of %,d bytes%n", bytes);
      print("read and hash", hash, bytes, imported);
      print("parse", parse, bytes, imported);
      print("import", imported, bytes, imported);
      print("jq -c .", byJq, bytes, imported);
      print("Python", byPython, bytes, imported);
    } finally {
      Rounds.delete(directory);
    }
  }

  private static void hash(Path source) throws IOException {
    MessageDigest digest = ContentHash.newDigest();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(source)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
  }

  private static void parse(Path source) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(source)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonText.parse(line);
      }
    }
  }

  private static boolean runs(List<String> command) {
    try {
      run(command);
      return true;
    } catch (IOException notInstalled) {
      return false;
    }
  }

  private static void run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(command.get(0) + " failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void write(Path source, long bytes) throws IOException {
    long written = 0;
    try (BufferedWriter out = Files.newBufferedWriter(source)) {
      for (int turn = 0; written < bytes; turn++) {
        for (String line : turn(turn)) {
          out.write(line);
          out.write('\n');
          written += line.getBytes(UTF_8).length + 1;
        }
      }
    }
  }

  /** The records of a turn: a tool is asked for, runs, and returns a file of some 12 KB twice. */
  private static List<String> turn(int turn) {
    StringBuilder output = new StringBuilder();
    for (int line = 0; line < 70; line++) {
      output.append(LINE.formatted(turn + line, "user-" + line));
    }
    String call = "toolu_" + turn;
    JsonObject asked = record("assistant", turn, 1)
        .with(
            "message",
            JsonObject.of(
                "id",
                "msg_" + turn,
                "model",
                "claude",
                "role",
                "assistant",
                "content",
                List.of(JsonObject.of(
                    "type",
                    "tool_use",
                    "id",
                    call,
                    "name",
                    "Read",
                    "input",
                    JsonObject.of("file_path", "/home/me/project/File" + turn))),
                "usage",
                JsonObject.of("input_tokens", 12, "output_tokens", turn % 100)));
    JsonObject result = record("user", turn, 3)
        .with(
            "message",
            JsonObject.of(
                "role",
                "user",
                "content",
                List.of(JsonObject.of(
                    "type", "tool_result", "tool_use_id", call, "content", output.toString()))))
        .with("toolUseResult", JsonObject.of("stdout", output.toString(), "stderr", ""));
    JsonObject progress = record("progress", turn, 2)
        .with("data", JsonObject.of("type", "hook_progress", "hookName", "PreToolUse:Read"));
    boolean isCompacted = turn % 200 == 199; // a conversation has a limited length
    JsonObject last = isCompacted
        ? record("system", turn, 4).with("subtype", "compact_boundary")
        : record("user", turn, 4)
            .with("message", JsonObject.of("role", "user", "content", "Continue with " + turn));
    return List.of(asked.toString(), progress.toString(), result.toString(), last.toString());
  }

  private static JsonObject record(String type, int turn, int part) {
    return JsonObject.of(
        "parentUuid",
        "00000000-0000-4000-8000-" + turn + "-" + (part - 1),
        "isSidechain",
        false,
        "userType",
        "external",
        "cwd",
        "/home/me/project",
        "sessionId",
        "11111111-0000-4000-8000-000000000000",
        "version",
        "2.1.42",
        "gitBranch",
        "main",
        "type",
        type,
        "uuid",
        "00000000-0000-4000-8000-" + turn + "-" + part,
        "timestamp",
        "2026-01-01T10:00:%02d.%03dZ".formatted(part, turn % 1000));
  }

  private static void print(String what, long[] nanos, long bytes, long[] imported) {
    long median = Rounds.median(nanos);
    if (median > 0) {
      System.out.printf(
          "%-14s %8.0f ms %6.0f MB/s %6.2f x import%n",
          what, median / 1e6, bytes * 1e3 / median, (double) median / Rounds.median(imported));
    }
  }
}
