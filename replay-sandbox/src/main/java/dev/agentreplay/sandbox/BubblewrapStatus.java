package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.internal.ProcessTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The status that {@code bwrap} reports.
 *
 * @param init the pid of the first process in the sandbox; 0 if there is none yet
 * @param hasRun whether the program was started, and has exited
 */
record BubblewrapStatus(long init, boolean hasRun) {

  private static final Pattern MEMBER = Pattern.compile("\"([a-z-]+)\": (\\d+)");

  /** Reads the file to which bwrap writes; one that does not exist yet has nothing in it. */
  static BubblewrapStatus read(Path file) {
    try {
      return parse(Files.readString(file, StandardCharsets.US_ASCII));
    } catch (NoSuchFileException early) {
      return parse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static BubblewrapStatus parse(String text) {
    long init = 0;
    boolean hasRun = false;
    Matcher members = MEMBER.matcher(text.substring(0, text.lastIndexOf('\n') + 1));
    while (members.find()) {
      switch (members.group(1)) {
        case "child-pid" -> init = Long.parseLong(members.group(2));
        // Not reported if bwrap could not execute the program.
        case "exit-code" -> hasRun = true;
        default -> {}
      }
    }
    return new BubblewrapStatus(init, hasRun);
  }

  /** Whether all processes of the sandbox have ended. */
  boolean isGone() {
    ProcessTable.Entry entry = init == 0 ? null : ProcessTable.read(Long.toString(init));
    // The first process of a namespace becomes a zombie after all others have ended.
    return entry == null || entry.state() == 'Z';
  }
}
