package dev.agentreplay.engine.replay.files;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The changes of files that a log states: which of them were made while several tools ran, so that
 * it depends on the time of a scan how they are divided, and their sum for each file. Collected
 * while the log is read.
 */
public final class FileChanges implements Consumer<ReplayLine> {

  /** The sum of the changes of a file. */
  private record Sum(@Nullable ContentHash before, FileState last) {

    boolean isNone() {
      return Objects.equals(before, last.after());
    }

    boolean endsAs(Sum other) {
      String mode = last.mode();
      String otherMode = other.last.mode();
      return Objects.equals(last.after(), other.last.after())
          && (mode == null || otherMode == null || mode.equals(otherMode));
    }
  }

  private final CallPairing<Long> calls = new CallPairing<>();

  /** The lines of the calls without a result so far. */
  private final TreeSet<Long> open = new TreeSet<>();

  private final Map<String, Sum> sums = new HashMap<>();

  /** The lines of the changes since the last time at which no tool ran. */
  private final List<Long> current = new ArrayList<>();

  private boolean isCurrentConcurrent;
  private final Set<Long> concurrent = new HashSet<>();

  /** Reads the log of a session. */
  public static FileChanges read(Session session) throws IOException {
    FileChanges changes = new FileChanges();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        changes.accept(line);
      }
    }
    return changes;
  }

  @Override
  public void accept(ReplayLine line) {
    ReplayEvent event = line.event();
    if (event instanceof FileState state) {
      sums.merge(
          state.path(),
          new Sum(state.before(), state),
          (earlier, later) -> new Sum(earlier.before(), later.last()));
      current.add(line.position().line());
    } else if (event instanceof ToolCall call) {
      if (open.isEmpty()) {
        end();
      }
      calls.call(call.id(), call.meta().agent(), line.position().line());
      open.add(line.position().line());
      isCurrentConcurrent |= open.size() > 1;
    } else if (event instanceof ToolResult result) {
      Long call = calls.result(result.id(), result.meta().agent());
      if (call != null) {
        open.remove(call);
      }
      if (open.isEmpty()) {
        end();
      }
    }
    if (isCurrentConcurrent) {
      concurrent.addAll(current);
      current.clear();
    }
  }

  private void end() {
    current.clear();
    isCurrentConcurrent = false;
  }

  /** Whether the change on a line was made while several tools ran. */
  public boolean isConcurrent(long line) {
    return concurrent.contains(line);
  }

  /** The line of the first call without a result; the greatest number if all have one. */
  public long firstUnanswered() {
    return open.isEmpty() ? Long.MAX_VALUE : open.first();
  }

  /** Whether all changes together leave a file as those of another log do. */
  public boolean leavesAs(String path, FileChanges other) {
    Sum own = sums.get(path);
    Sum others = other.sums.get(path);
    if (own == null || others == null) {
      Sum only = own == null ? others : own;
      return only == null || only.isNone();
    }
    return own.endsAs(others);
  }
}
