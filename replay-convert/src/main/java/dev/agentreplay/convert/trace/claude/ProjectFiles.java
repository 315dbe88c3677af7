package dev.agentreplay.convert.trace.claude;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.TraceSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a directory of Claude Code. A transcript {@code <session>.jsonl} has its parts in
 * {@code <session>/subagents} and {@code <session>/tool-results}; until version 2.1 the files of
 * sub-agents are next to it, and name the session in their records. Symbolic links are not
 * followed, but reported. Safe for use by several threads.
 */
final class ProjectFiles {

  static final String SUBAGENTS = "subagents";
  static final String TOOL_RESULTS = "tool-results";

  private static final List<String> PARTS = List.of(SUBAGENTS, TOOL_RESULTS);
  private static final String SUFFIX = ".jsonl";
  private static final String AGENT = "agent-";

  /** The maximum number of files whose session is remembered. */
  private static final int MAX_HEADS = 10_000;

  /** The session of a file, as long as the file is the same. */
  private record Head(FileTime time, long bytes, @Nullable String session) {}

  private final Map<Path, Head> heads = new LinkedHashMap<>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Path, Head> eldest) {
      return size() > MAX_HEADS;
    }
  };

  ProjectFiles() {}

  /** Whether a file has the name of one of a sub-agent. */
  static boolean isAgentFile(String file) {
    return file.startsWith(AGENT, file.lastIndexOf('/') + 1) && file.endsWith(SUFFIX);
  }

  /** The name of the file of a sub-agent. */
  static String agentFile(String agent) {
    return AGENT + agent + SUFFIX;
  }

  /** The id of the sub-agent of a file. */
  static String agentOf(String file) {
    return file.substring(
        file.lastIndexOf('/') + 1 + AGENT.length(), file.length() - SUFFIX.length());
  }

  /** The id of the sub-agent of a file, with the directory of the file. */
  static String agentPath(String file) {
    return file.substring(0, file.lastIndexOf('/') + 1) + agentOf(file);
  }

  /** Whether a file is attached to a transcript, see {@link #attach}. */
  boolean isPart(Path file) throws IOException {
    for (Path parent = file.getParent(); parent != null; parent = parent.getParent()) {
      Path session = parent.getParent();
      if (session != null
          && PARTS.contains(String.valueOf(parent.getFileName()))
          && isTranscript(session.resolveSibling(session.getFileName() + SUFFIX))) {
        return true;
      }
    }
    String session = sessionOfAgent(file);
    return session != null && isTranscript(file.resolveSibling(session + SUFFIX));
  }

  private static boolean isTranscript(Path file) {
    return Files.isRegularFile(file, NOFOLLOW_LINKS);
  }

  /** Attaches the files that are parts of a transcript. */
  void attach(TraceSource source) throws IOException {
    Path transcript = source.path().toAbsolutePath();
    String name = String.valueOf(transcript.getFileName());
    if (!name.endsWith(SUFFIX)) {
      return;
    }
    String session = name.substring(0, name.length() - SUFFIX.length());
    Path directory = transcript.resolveSibling(session);
    if (Files.isSymbolicLink(directory)) {
      source.attach(directory, session);
    } else {
      for (String part : PARTS) {
        for (Path file : files(directory, part)) {
          source.attach(file, directory.relativize(file).toString().replace('\\', '/'));
        }
      }
    }
    for (Path sibling : siblings(transcript)) {
      if (session.equals(sessionOfAgent(sibling))) {
        source.attach(sibling, String.valueOf(sibling.getFileName()));
      }
    }
  }

  /** The files of a part; a symbolic link as it is, which is reported when it is attached. */
  private static List<Path> files(Path directory, String part) throws IOException {
    Path root = directory.resolve(part);
    if (Files.isSymbolicLink(root)) {
      return List.of(root);
    } else if (!Files.isDirectory(root, NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> found = Files.walk(root)) {
      return found
          .filter(file -> !Files.isDirectory(file, NOFOLLOW_LINKS))
          .sorted()
          .toList();
    }
  }

  private static List<Path> siblings(Path transcript) throws IOException {
    Path parent = transcript.getParent();
    if (parent == null) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(parent)) {
      return entries
          .filter(entry -> isAgentFile(String.valueOf(entry.getFileName())))
          .filter(entry -> !entry.equals(transcript))
          .sorted()
          .toList();
    }
  }

  /**
   * The session that the file of a sub-agent names in its first lines; null if it names none, or is
   * not such a file. A head is read again only if the file has changed.
   */
  private @Nullable String sessionOfAgent(Path file) throws IOException {
    if (!isAgentFile(String.valueOf(file.getFileName()))) {
      return null;
    }
    BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS);
    if (!now.isRegularFile()) {
      return null;
    }
    Path key = file.toAbsolutePath();
    synchronized (heads) {
      Head head = heads.get(key);
      if (head != null
          && head.bytes() == now.size()
          && head.time().equals(now.lastModifiedTime())) {
        return head.session();
      }
    }
    String session = session(file);
    synchronized (heads) {
      heads.put(key, new Head(now.lastModifiedTime(), now.size(), session));
    }
    return session;
  }

  private static @Nullable String session(Path file) {
    try {
      return SourceHead.read(file).lines().stream()
          .map(ClaudeReader::session)
          .filter(session -> session != null)
          .findFirst()
          .orElse(null);
    } catch (IOException notReadable) {
      return null; // a file of its own, whose import fails with the reason
    }
  }
}
