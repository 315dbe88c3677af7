package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names of directories, of sessions that are broken in any way, control no terminal. */
@Tag("slow")
class HostileNamesTest {

  /** Each is obeyed by a terminal or not seen; the line break would forge a line of its own. */
  private static final String HOSTILE =
      "\u001b]0;pwn\u0007\u001b[31m\u009b2J\u007f\u202e\u034f\u200b\u2800\ufe0f\nFORGED";

  private static final List<Integer> FORBIDDEN = HOSTILE
      .codePoints()
      .filter(c -> c != '\n' && (c < 0x20 || c > 0x7e))
      .boxed()
      .toList();

  @TempDir
  Path home;

  private Path hostile;

  enum Fault {
    NONE,
    BOTH_LOGS,
    NO_LOG,
    MISSING_SEGMENT,
    LINKED_SEGMENT,
    BROKEN_GZIP,
    MALFORMED_LINE,
    TORN,
    ALTERED,
    OTHER_RECEIPT,
    BROKEN_RECEIPT,
    UNKNOWN_VERSION,
    LINKED_LOG,
    LINKED_DIRECTORY,
    FOREIGN
  }

  @BeforeEach
  void create() throws IOException {
    try {
      hostile = Files.createDirectory(home.resolve("d" + HOSTILE));
    } catch (InvalidPathException e) {
      assumeTrue(false, "skipped: no such name can be given to a file here");
    }
    record(home.resolve("sound"));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void nothing_that_a_terminal_obeys_is_printed_by_any_command(Fault fault) throws IOException {
    Path session = record(hostile.resolve("s" + HOSTILE));
    breakIt(session, fault);
    String sound = home.resolve("sound").toString();
    String name = session.toString();
    String key = hostile.resolve("key").toString();
    Console.run("keygen", key);
    List<String[]> commands = new ArrayList<>(reading(name, sound, key));
    if (fault == Fault.NONE) {
      commands.addAll(reading(name + "x", sound, key));
      commands.addAll(writing(name, sound));
      commands.addAll(misspelled(name));
    } else {
      commands.add(new String[] {"verify", hostile.toString()});
      commands.add(new String[] {"verify", "-q", hostile.toString()});
      commands.add(new String[] {"verify", "--format", "json", hostile.toString()});
    }

    for (String[] command : commands) {
      Console console = Console.run(command);
      for (String printed : List.of(console.out(), console.err())) {
        assertThat(printed.codePoints().filter(FORBIDDEN::contains))
            .as("%s %s", fault, List.of(command))
            .isEmpty();
        assertThat(printed.lines().filter(line -> line.startsWith("FORGED")))
            .as("%s %s", fault, List.of(command))
            .isEmpty();
      }
      assertThat(console.exit()).as("%s %s", fault, List.of(command)).isIn(0, 1, 2, 3);
    }
  }

  private List<String[]> reading(String name, String sound, String key) {
    return List.of(
        new String[] {"verify", name},
        new String[] {"verify", "-q", name},
        new String[] {"verify", "--format", "json", name},
        new String[] {"verify", "--format", "json", name, sound},
        new String[] {"verify", name, name},
        new String[] {"verify", sound, "--receipt", name + "/RECEIPT.json"},
        new String[] {"verify", name, "--public-key", key + ".pub"},
        new String[] {"show", name},
        new String[] {"show", name, "--force"},
        new String[] {"show", name, "--format", "json"},
        new String[] {"stats", name},
        new String[] {"diff", sound, name},
        new String[] {"diff", name, sound, "--format", "json"},
        new String[] {"receipt", name},
        new String[] {"sign", name, "--key", key},
        new String[] {"checkpoint", name},
        new String[] {"prove", name, "--line", "1"},
        new String[] {"convert", name, home.resolve("out").toString(), "--to", "type"},
        new String[] {"recover", name},
        new String[] {"recover", name, "--format", "json"},
        new String[] {"session", "record", name, "--output", home.resolve("r").toString()},
        new String[] {"session", "check", name},
        new String[] {"session", "check", name + "/REPLAY.jsonl", "--format", "json"},
        new String[] {"session", "show", name + "/REPLAY.jsonl"},
        new String[] {"session", "replay", name, "--mode", "trace"},
        new String[] {"pack", name, home.resolve("packed").toString(), "--overwrite"});
  }

  private static List<String[]> writing(String name, String sound) {
    return List.of(
        new String[] {"verify", sound, "--public-key", name},
        new String[] {"verify", sound, "--checkpoint", name},
        new String[] {"verify", name, "--jobs", "0"},
        new String[] {"diff", sound, name, "--format", "markdown"},
        new String[] {"diff", sound, name, "--format", "junit"},
        new String[] {"show", sound, "--html", name},
        new String[] {"sign", sound, "--key", name},
        new String[] {"check", name},
        new String[] {"check", "proof" + HOSTILE, "--log", name},
        new String[] {"convert", sound, name, "--to", "type"},
        new String[] {"recover", name, "--salvage", name},
        new String[] {"pack", sound, name},
        new String[] {"pack", name, name + "/p"},
        new String[] {"unpack", name + "/p", name + "/u"},
        new String[] {"unpack", name, name},
        new String[] {"hash", name},
        new String[] {"canonicalize", name},
        new String[] {"session", "record", sound, "--output", name},
        new String[] {"session", "record", sound, "--roster", name, "--output", name + "/o"},
        new String[] {"session", "record", sound, "--store", name, "--session-id", HOSTILE},
        new String[] {"session", "list", "--store", name},
        new String[] {"session", "show", HOSTILE, "--store", name},
        new String[] {"keygen", name});
  }

  private static List<String[]> misspelled(String name) {
    List<String[]> commands = new ArrayList<>();
    for (String command :
        List.of("verify", "show", "stats", "diff", "sign", "recover", "pack", "unpack", "hash")) {
      commands.add(new String[] {command, "--" + HOSTILE, name});
      commands.add(new String[] {command, name, "--format", HOSTILE, HOSTILE, HOSTILE});
    }
    commands.add(new String[] {HOSTILE});
    return commands;
  }

  private static Path record(Path directory) throws IOException {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s1")) {
      recorder.call("read", JsonObject.of("path", "a")).result("fn");
      recorder.end(Status.SUCCESS, 0.9);
    }
    return directory;
  }

  private void breakIt(Path session, Fault fault) throws IOException {
    Path log = session.resolve("REPLAY.jsonl");
    Path receipt = session.resolve("RECEIPT.json");
    String text = Files.readString(log);
    switch (fault) {
      case NONE -> {}
      case BOTH_LOGS -> Files.copy(log, session.resolve("REPLAY.jsonl.gz"));
      case NO_LOG -> Files.delete(log);
      case MISSING_SEGMENT -> Files.writeString(session.resolve("REPLAY.jsonl.3"), "{}\n");
      case LINKED_SEGMENT -> Files.createSymbolicLink(session.resolve("REPLAY.jsonl.2"), log);
      case BROKEN_GZIP -> {
        Files.delete(log);
        Files.write(session.resolve("REPLAY.jsonl.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 1});
      }
      case MALFORMED_LINE ->
        Files.writeString(log, "{\"a\":" + HOSTILE + "}\n", StandardOpenOption.APPEND);
      case TORN -> Files.writeString(log, text.substring(0, text.length() - 9));
      case ALTERED -> Files.writeString(log, text.replace("\"fn", "\"evil"));
      case OTHER_RECEIPT ->
        Files.copy(
            record(hostile.resolve("other" + HOSTILE)).resolve("RECEIPT.json"),
            receipt,
            StandardCopyOption.REPLACE_EXISTING);
      case BROKEN_RECEIPT -> Files.writeString(receipt, "{\"session_id\":\"" + HOSTILE);
      case UNKNOWN_VERSION ->
        Files.writeString(log, text.replace("\"replay_version\":1", "\"replay_version\":99"));
      case LINKED_LOG -> {
        Path real = Files.move(log, hostile.resolve("real"));
        Files.createSymbolicLink(log, real);
      }
      case LINKED_DIRECTORY -> Files.createSymbolicLink(hostile.resolve("link" + HOSTILE), session);
      case FOREIGN -> Files.writeString(log, "{\"log\":{\"version\":\"1.2" + "\"}}\n");
    }
  }
}
