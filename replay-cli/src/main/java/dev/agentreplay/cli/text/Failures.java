package dev.agentreplay.cli.text;

import dev.agentreplay.convert.pack.PackFormatException;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.NotEnoughMemoryException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Messages for failures that end a command. */
public final class Failures {

  private static final String MORE_HEAP = "set REPLAY_JAVA_OPTS=-Xmx4g, or run java -Xmx4g -jar";

  private static final String MORE_STACK = "set REPLAY_JAVA_OPTS=-Xss16m, or run java -Xss16m -jar";

  private Failures() {}

  /** The message for a file problem; the messages of the JDK are often the bare path. */
  public static String describe(IOException e) {
    if (e instanceof NoSuchFileException missing) {
      String reason = missing.getReason();
      return missing.getFile() + ": " + (reason == null ? "no such file or directory" : reason);
    }
    if (e instanceof FileAlreadyExistsException existing) {
      String reason = existing.getReason();
      return existing.getFile() + " exists"
          + (reason == null ? "; --overwrite replaces it" : ": " + reason);
    }
    if (e instanceof AccessDeniedException denied) {
      String reason = denied.getReason();
      return denied.getFile() + ": permission denied" + (reason == null ? "" : "; " + reason);
    }
    if (e instanceof NotDirectoryException other) {
      return other.getFile() + ": expected a directory";
    }
    String message = e.getMessage();
    if (e instanceof PackFormatException refused && isLimit(refused)) {
      return message + "; replay unpack has options that take more, if you trust the file";
    }
    if (e instanceof ReplayFormatException torn && torn.code() == FindingCode.TORN_TAIL) {
      return message + "; replay recover diagnoses a torn log, and its --repair cuts the tail off";
    }
    if (e instanceof NotEnoughMemoryException) {
      return message + ": " + (e.getCause() instanceof StackOverflowError ? MORE_STACK : MORE_HEAP);
    }
    return message == null ? e.toString() : message;
  }

  private static boolean isLimit(PackFormatException refused) {
    return switch (refused.reason()) {
      case SIZE, RATIO, LIMIT -> true;
      default -> false;
    };
  }

  /** The message for exhausted memory, with the setting that raises the limit. */
  public static String describe(VirtualMachineError e) {
    boolean isStack = e instanceof StackOverflowError;
    return "not enough memory for this input: "
        + (isStack ? "the stack is full" : e.getMessage())
        + "; " + (isStack ? MORE_STACK : MORE_HEAP);
  }
}
