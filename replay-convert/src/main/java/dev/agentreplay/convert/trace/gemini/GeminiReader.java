package dev.agentreplay.convert.trace.gemini;

import dev.agentreplay.convert.trace.reading.SourceFiles;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads chats of Gemini CLI. The chats of its sub-agents are in the directory next to it that has
 * the id of the session as its name.
 */
public final class GeminiReader implements TraceReader {

  static final String SESSION_ID = "sessionId";
  static final String MESSAGES = "messages";
  private static final String PROJECT = "projectHash";

  /** The maximum number of files of sub-agents. */
  private static final int MAX_FILES = 10_000;

  /** Creates a reader. */
  public GeminiReader() {}

  @Override
  public TraceFormat format() {
    return TraceFormat.GEMINI_CLI;
  }

  @Override
  public boolean recognizes(SourceHead head) {
    return isMetadata(head.object()) || head.anyLine(GeminiReader::isMetadata);
  }

  /** Whether an object states what a chat is as a whole. */
  static boolean isMetadata(JsonObject object) {
    return SourceHead.text(object, SESSION_ID) != null && SourceHead.text(object, PROJECT) != null;
  }

  @Override
  public boolean isPart(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    Path chats = directory == null ? null : directory.getParent();
    if (directory == null
        || chats == null
        || !"subagent".equals(SourceHead.text(head(file), "kind"))) {
      return false;
    }
    String name = String.valueOf(directory.getFileName());
    List<Path> likely = new ArrayList<>(files(chats));
    String start = name.substring(0, Math.min(name.length(), 8)); // names of chats end with it
    likely.sort(Comparator.comparing(chat -> !chat.getFileName().toString().contains(start)));
    for (Path chat : likely) {
      if (isOf(chat, name)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a chat has its sub-agents in a directory with a name. */
  private static boolean isOf(Path chat, String name) {
    try {
      String id = SourceHead.text(head(chat), SESSION_ID);
      return id != null && directoryName(id).equals(name);
    } catch (IOException unreadable) {
      return false; // a fault of that file
    }
  }

  @Override
  public void attach(TraceSource source) throws IOException {
    Path chats = source.path().toAbsolutePath().getParent();
    if (chats != null) {
      attach(source, chats, SourceHead.text(head(source.path()), SESSION_ID));
    }
  }

  private static void attach(TraceSource source, Path chats, @Nullable String session)
      throws IOException {
    if (session == null || session.isBlank()) {
      return;
    }
    String directory = directoryName(session);
    for (Path file : files(chats.resolve(directory))) {
      String name = directory + "/" + file.getFileName();
      if (source.names().size() < MAX_FILES && !source.names().contains(name)) {
        JsonObject head = head(file);
        if (isMetadata(head)) {
          source.attach(file, name);
          attach(source, chats, SourceHead.text(head, SESSION_ID));
        }
      }
    }
  }

  /** The metadata at the beginning of a file. */
  private static JsonObject head(Path file) throws IOException {
    SourceHead head = SourceHead.read(file);
    return isMetadata(head.object())
        ? head.object()
        : head.lines().stream()
            .filter(GeminiReader::isMetadata)
            .findFirst()
            .orElse(JsonObject.EMPTY);
  }

  /** The name of the directory of a session, in which nothing separates names of files. */
  private static String directoryName(String session) {
    return session.replaceAll("[^A-Za-z0-9_-]", "_");
  }

  private static List<Path> files(Path directory) throws IOException {
    return SourceFiles.isDirectory(directory)
        ? SourceFiles.entries(directory).stream().filter(SourceFiles::isFile).toList()
        : List.of();
  }

  @Override
  public void read(TraceSource source, TraceOutput output) throws IOException {
    new GeminiImport(source, output).read();
  }
}
