package dev.agentreplay.engine.fork;

import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.fork.ForkPoint.Files;
import dev.agentreplay.engine.published.PublishedCopy;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.FileMode;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the points of a recording while it is read. */
final class PointBuilder {

  private static final long NO_RESULT = Long.MAX_VALUE;

  /** A call or a value, with what is known of the recording before it. */
  private static final class Call {
    final long line;
    final ExchangeKind kind;
    final String name;
    final @Nullable String id;
    final @Nullable String agent;
    final @Nullable TreeHead head;
    final @Nullable String fault;
    final Files files;
    final @Nullable String unknownFiles;
    long result = NO_RESULT;

    Call(
        long line,
        ReplayEvent event,
        @Nullable TreeHead head,
        @Nullable String fault,
        Files files,
        @Nullable String unknownFiles) {
      this.line = line;
      this.kind = event instanceof RecordedValue ? ExchangeKind.VALUE : ExchangeKind.ofCall(event);
      this.name = name(event);
      this.id = event.callId();
      this.agent = event.meta().agent();
      this.head = head;
      this.fault = fault;
      this.files = files;
      this.unknownFiles = unknownFiles;
    }

    String title() {
      return "%s on line %d".formatted(name, line);
    }
  }

  private final Session session;
  private final Map<String, Effect> effects;
  private final @Nullable SnapshotFiles contents;
  private final MerkleTree tree = new MerkleTree();
  private final List<Call> calls = new ArrayList<>();
  private final CallPairing<Call> tools = new CallPairing<>();
  private final CallPairing<Call> models = new CallPairing<>();
  private final Map<String, ToolDescription> descriptions = new HashMap<>();

  /** The ids of the calls that started agents, which run while these calls are open. */
  private final Set<String> starters = new HashSet<>();

  /** The last call with each id, and that which started each agent. */
  private final Map<String, Call> lastCalls = new HashMap<>();

  private final Map<String, Call> startedBy = new HashMap<>();

  private @Nullable PublishedCopy copy;

  /** The first reason why what was read cannot be served completely; null if there is none. */
  private @Nullable String fault;

  private @Nullable JsonValue workspace;

  /** The first reason why the files are not known; null if there is none. */
  private @Nullable String unknownFiles;

  /** The first tool that may have changed files; null if there is none. */
  private @Nullable String changedBy;

  private long line;

  PointBuilder(Session session, Map<String, Effect> effects) {
    this.session = session;
    this.effects = effects;
    Path directory = session.directory();
    this.contents =
        directory == null ? null : SnapshotFiles.in(directory.resolve(Session.SNAPSHOT_NAME));
  }

  void add(ReplayLine read) throws IOException {
    ReplayEvent event = read.event();
    line = read.position().line();
    copy = line == 1 ? PublishedCopy.of(read.json()) : copy;
    String agent = event.meta().agent();
    String parent = event.meta().parent();
    if (agent != null && parent != null && !startedBy.containsKey(agent)) {
      starters.add(parent);
      Call starter = lastCalls.get(parent);
      if (starter != null) {
        startedBy.putIfAbsent(agent, starter);
      }
    }
    if (event instanceof ToolCall call) {
      Call made = call(event);
      tools.call(call.id(), call.meta().agent(), made);
      if (effect(call.tool()) != Effect.PURE && changedBy == null) {
        changedBy = made.title();
      }
    } else if (event instanceof ModelCall call) {
      models.call(call.id(), call.meta().agent(), call(event));
    } else if (event instanceof ToolResult result) {
      result(tools.result(result.id(), result.meta().agent()), result.output());
    } else if (event instanceof ModelResult result) {
      result(models.result(result.id(), result.meta().agent()), result.answer());
    } else if (event instanceof RecordedValue) {
      call(event);
    } else if (event instanceof RecordingGap) {
      fault("line %d states that events are missing".formatted(line));
    } else if (event instanceof Settings settings) {
      settings(settings);
    } else if (event instanceof FileState state) {
      file(state);
    }
    tree.add(read.bytes());
  }

  private Call call(ReplayEvent event) {
    Files files = Files.UNCHANGED;
    String reason = unknownFiles;
    if (reason == null && changedBy != null && workspace == null) {
      reason = "there is no snapshot, and %s may have changed files".formatted(changedBy);
    }
    if (reason != null) {
      files = Files.UNKNOWN;
    } else if (workspace != null) {
      files = Files.RECORDED;
    }
    Call made = new Call(
        line,
        event,
        tree.size() == 0 ? null : tree.head(),
        tree.size() == 0 ? "nothing is before it" : fault,
        files,
        reason);
    calls.add(made);
    if (made.id != null) {
      lastCalls.put(made.id, made);
    }
    return made;
  }

  private void result(@Nullable Call call, Content content) {
    if (call == null) {
      return;
    }
    call.result = line;
    boolean isEmpty = content.value() == null && content.hash() == null && content.blob() == null;
    try {
      if (!isEmpty && session.resolve(content) == null) {
        fault("of the result of %s only the hash is known".formatted(call.title()));
      }
    } catch (IOException damaged) {
      fault("the result of %s cannot be read: %s".formatted(call.title(), damaged.getMessage()));
    }
  }

  private void fault(String reason) {
    fault = fault == null ? reason : fault;
  }

  private void settings(Settings settings) {
    for (ToolDescription tool : settings.tools()) {
      if (tool.name() != null) {
        descriptions.put(tool.name(), tool);
      }
    }
    JsonValue stated = settings.values().get(Settings.WORKSPACE);
    if (stated != null && workspace == null) {
      workspace = stated;
    } else if (stated != null && !stated.equals(workspace)) {
      unknownFiles("the session was resumed on a workspace that had changed, on line " + line);
    }
  }

  private void file(FileState state) throws IOException {
    boolean isDirectory = state.mode() != null && FileMode.isDirectory(state.mode());
    boolean isKnown = state.after() == null
        || isDirectory
        || (contents != null && contents.find(state.after()) != null);
    if (!isKnown) {
      unknownFiles("the content of %s on line %d is not recorded".formatted(state.path(), line));
    }
  }

  private void unknownFiles(String reason) {
    unknownFiles = unknownFiles == null ? reason : unknownFiles;
  }

  private Effect effect(String tool) {
    Effect declared = effects.getOrDefault(tool, Effect.EXTERNAL);
    ToolDescription description = descriptions.get(tool);
    return description == null ? declared : declared.tightenedBy(description);
  }

  List<ForkPoint> build() {
    List<ForkPoint> points = new ArrayList<>(calls.size());
    PriorityQueue<Call> open = new PriorityQueue<>(
        Comparator.<Call>comparingLong(call -> call.result).thenComparingLong(call -> call.line));
    for (Call call : calls) {
      while (!open.isEmpty() && open.element().result < call.line) {
        open.remove();
      }
      points.add(new ForkPoint(
          call.line,
          call.kind,
          call.name,
          call.agent,
          call.head,
          refusal(call, open.peek()),
          call.files,
          call.unknownFiles));
      if (call.kind != ExchangeKind.VALUE && !starters.contains(String.valueOf(call.id))) {
        open.add(call);
      }
    }
    return points;
  }

  /** The line of the result of the call that started each agent, as far as there is one. */
  Map<String, Long> agents() {
    Map<String, Long> results = new HashMap<>();
    startedBy.forEach((agent, starter) -> {
      long result = starter.result;
      Call outer = starter;
      for (int depth = 0; depth < startedBy.size() && outer != null; depth++) {
        result = Math.min(result, outer.result);
        outer = outer.agent == null ? null : startedBy.get(outer.agent);
      }
      results.put(agent, result);
    });
    return results;
  }

  private @Nullable String refusal(Call call, @Nullable Call open) {
    if (copy != null) {
      return "the recording is a published copy";
    } else if (call.fault != null) {
      return call.fault;
    } else if (open == null) {
      return null;
    }
    return open.result == NO_RESULT
        ? "%s has no result".formatted(open.title())
        : "%s is open: its result is on line %d".formatted(open.title(), open.result);
  }

  private static String name(ReplayEvent call) {
    if (call instanceof RecordedValue value) {
      return value.source();
    }
    return call.name() == null ? "" : call.name();
  }
}
