package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.EventMember;
import dev.agentreplay.canonical.dialect.EventMember.Role;
import dev.agentreplay.engine.diff.value.ValueNormalizer;
import dev.agentreplay.engine.lines.MemberNames;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ImportedRecord;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The view of an event: the object by which the event is compared. It has the members with a role
 * in the dialect {@code event}, normalized where dialects and producers write the same fact in
 * different ways. Ids and times are in it only in a strict comparison.
 */
final class EventView {

  /** Resolves the content of an event, which a log holds as a value, as a hash or as a blob. */
  interface Contents {

    /** Adds a content to a view, as a value or as a hash. */
    void put(EventView view, String name, Content content) throws IOException;
  }

  /** The kinds of differences that do not change the behavior of the agent. */
  private static final Set<DivergenceKind> NOT_CONDUCT = EnumSet.of(
      DivergenceKind.ASSESSMENT,
      DivergenceKind.OTHER,
      DivergenceKind.IDENTITY,
      DivergenceKind.TIMING);

  /** The members that hold one value for each command of a verification. */
  private static final Map<String, Function<CommandRun, @Nullable Object>> OF_COMMANDS = Map.of(
      "commands",
      CommandRun::command,
      Names.EXIT_CODES,
      CommandRun::exitCode,
      "cwd",
      CommandRun::cwd);

  private final JsonObject.Builder members = JsonObject.builder();

  private EventView() {}

  static JsonObject of(ReplayEvent event, Contents contents, boolean strict) throws IOException {
    EventView view = new EventView();
    ViewMembers members = ViewMembers.of(event.kind());
    ReplayEvent normal = normal(event, strict);
    String content = event.kind().contentName();
    for (EventMember member : members.compared()) {
      if (member.name().equals(content)) {
        contents.put(view, member.name(), event.content());
      } else {
        view.put(member.name(), value(member, normal));
      }
    }
    if (strict) {
      members.identity().forEach(member -> view.put(member.name(), value(member, event)));
      members.clock().forEach(member -> view.put(member.name(), value(member, event)));
    }
    if (event instanceof ModelCall) {
      view.members.addIfAbsent("parameters", JsonObject.EMPTY);
    }
    event.meta().extra().forEach((name, value) -> {
      // a time that could not be parsed stays in extra, under either name
      boolean isTime = name.equals("t") || name.equals("ts");
      boolean isOfOneRun = !strict && MemberNames.isAdditionalOfOneRun(event.kind(), name);
      if (!isTime && !isOfOneRun && !isProvenance(name, event)) {
        view.extra(name, value);
      }
    });
    return view.members.build();
  }

  /**
   * The view of an event without the members that are compared only if both events have them, and
   * that the view of the other event lacks.
   */
  static JsonObject comparable(ReplayEvent event, JsonObject view, JsonObject other) {
    JsonObject compared = view;
    for (EventMember member : ViewMembers.of(event.kind()).comparedIfBoth()) {
      if (!other.has(member.name())) {
        compared = compared.without(member.name());
      }
    }
    return compared;
  }

  /**
   * Whether an additional member states where an event comes from: the recording of a replay, or
   * the trace of an import.
   */
  private static boolean isProvenance(String name, ReplayEvent event) {
    return (name.equals(Names.REPLAYED) && Provenance.of(event) != null)
        || (name.equals(Names.IMPORTED) && ImportedRecord.of(event) != null);
  }

  /** The kind of a difference in a member of an event's view. */
  static DivergenceKind kind(StepKind step, String member) {
    if (step == StepKind.TURN && member.equals(Names.PROMPT_DELTA)) {
      return DivergenceKind.PROMPT; // in a view only if the prompt is not
    }
    return ViewMembers.of(step).kinds().getOrDefault(member, DivergenceKind.OTHER);
  }

  /**
   * The members of a view that describe the behavior of the agent, without assessments and without
   * members that the other session may lack.
   */
  static JsonObject conduct(StepKind step, JsonObject view) {
    Set<String> comparedIfBoth = ViewMembers.of(step).comparedIfBoth();
    List<String> others = new ArrayList<>();
    for (int i = 0; i < view.size(); i++) {
      String name = view.name(i);
      boolean mayLack = comparedIfBoth.contains(name);
      if (mayLack || NOT_CONDUCT.contains(kind(step, name))) {
        others.add(name);
      }
    }
    // the significant members of an unknown event are not known
    return others.isEmpty() || step == StepKind.OTHER
        ? view
        : view.without(others.toArray(String[]::new));
  }

  /** A hash of the ids in an event, which differ between sessions. */
  static int identity(ReplayEvent event) {
    int hash = hash(ViewMembers.of(event.kind()).identity(), event);
    if (event instanceof Settings settings) {
      Set<String> others = new HashSet<>(settings.values().names());
      others.removeAll(Settings.CIRCUMSTANCES);
      return 31 * hash + settings.without(others).values().hashCode();
    }
    String additional = event instanceof ToolCall
        ? Names.TOOL_CALL_ID
        : event instanceof ModelResult ? Names.RESPONSE_ID : null;
    return additional == null
        ? hash
        : 31 * hash + Objects.hashCode(event.meta().extra().get(additional));
  }

  /** A hash of the times in an event. */
  static int clock(ReplayEvent event) {
    return hash(ViewMembers.of(event.kind()).clock(), event);
  }

  private static int hash(List<EventMember> members, ReplayEvent event) {
    int hash = 0;
    for (EventMember member : members) {
      hash = 31 * hash + Objects.hashCode(member.component(event));
    }
    return hash;
  }

  /** Adds a member, unless the value is null. */
  void put(String name, @Nullable Object value) {
    if (value != null) {
      members.add(name, JsonValue.of(value));
    }
  }

  /** Adds the hash of a member in place of its value, unless the hash is null. */
  void putHash(String name, @Nullable ContentHash hash) {
    put(ValueNormalizer.hashName(name), hash == null ? null : hash.toString());
  }

  /** Adds an unknown member, under a different name if a known member has the same. */
  private void extra(String name, JsonValue value) {
    // one dialect writes an empty list where another has no member
    if (name.equals(Names.SIDE_EFFECTS) && value.equals(JsonArray.EMPTY)) {
      return;
    }
    String free = name;
    while (!members.addIfAbsent(free, value)) {
      free = "other " + free;
    }
  }

  /** A stack trace depends on the machine, and is never compared. */
  private static @Nullable Failure withoutStack(@Nullable Failure error) {
    return error == null ? null : error.withoutStack();
  }

  /** An event without the members that state only a default. */
  private static ReplayEvent normal(ReplayEvent event, boolean strict) {
    if (event instanceof ToolResult result) {
      Outcome outcome = result.outcome();
      // dialects record a success differently, so a success is compared by no member
      Boolean ok = outcome.succeeded() ? null : false;
      Integer exitCode = Objects.equals(outcome.exitCode(), 0) ? null : outcome.exitCode();
      Boolean known = outcome.isKnown() ? null : false;
      return result.withOutcome(
          Outcome.of(ok, exitCode, withoutStack(outcome.error())).withKnown(known));
    } else if (event instanceof ModelResult result) {
      Completion finish = result.finish();
      return result.withFinish(
          new Completion(finish.reason(), finish.partial(), withoutStack(finish.error())));
    } else if (event instanceof ToolCall call && Objects.equals(call.attempt().number(), 1L)) {
      return call.withAttempt(new Attempt(null, call.attempt().effectId()));
    } else if (event instanceof SessionStart start) {
      PolicyId policy = start.policy();
      Task task = start.task();
      return start
          .withPolicy(policy == null ? null : PolicyId.version(policy.id()))
          .withTask(
              Objects.equals(task.text(), "")
                  ? new Task(null, task.context(), task.instructions())
                  : task);
    } else if (event instanceof Settings settings && !strict) {
      return settings.without(Settings.CIRCUMSTANCES);
    }
    return event;
  }

  private static @Nullable Object value(EventMember member, ReplayEvent event) {
    if (event instanceof Verification verification) {
      Function<CommandRun, @Nullable Object> ofCommand = OF_COMMANDS.get(member.name());
      if (ofCommand != null) {
        return ofCommands(verification.commands(), ofCommand, member.name().equals("cwd"));
      }
    }
    Object component = member.component(event);
    if (component == null || component instanceof String) {
      return component;
    } else if (component instanceof Status status) {
      return status.word(); // dialects differ in how a status is spelled
    } else if (component instanceof Double number) {
      double single = single(number);
      // writers record a missing utility as 0.0
      return single == 0 && event instanceof ToolResult ? null : single;
    }
    // logs hold hashes with and without their prefix
    return component instanceof ContentHash ? component.toString() : member.value(event);
  }

  private static @Nullable JsonArray ofCommands(
      List<CommandRun> commands, Function<CommandRun, @Nullable Object> get, boolean isOptional) {
    Object[] values = commands.stream().map(get).toArray();
    boolean isUnsaid = isOptional && Stream.of(values).allMatch(Objects::isNull);
    return isUnsaid ? null : JsonArray.of(values);
  }

  /** Rust widens 32-bit floats: 0.2 is 0.20000000298023224 in its logs. */
  private static double single(double value) {
    return Float.isInfinite((float) value)
        ? value
        : Double.parseDouble(Float.toString((float) value));
  }

  /**
   * The members of the views of one kind of event. They are found when the first event of the kind
   * is compared, because the table of a kind costs dozens of classes, and most logs have few kinds.
   * Immutable and safe for use by several threads.
   *
   * @param identity the ids
   * @param clock the times
   * @param compared the members that every comparison compares
   * @param comparedIfBoth those that are compared only if both events have them
   */
  private record ViewMembers(
      List<EventMember> identity,
      List<EventMember> clock,
      List<EventMember> compared,
      List<EventMember> comparedIfBoth) {

    private static final Set<Role> NOT_ALWAYS_COMPARED =
        EnumSet.of(Role.IDENTITY, Role.CLOCK, Role.NONE);

    /** The known ones; several threads may find the same. */
    private static final Map<EventKind, ViewMembers> OF_EVENTS = new ConcurrentHashMap<>();

    private static final Map<StepKind, OfStep> OF_STEPS = new ConcurrentHashMap<>();

    /**
     * The members of all events of a kind of step.
     *
     * @param comparedIfBoth the names of those that are compared only if both events have them
     * @param kinds the kinds of their differences; {@link DivergenceKind#OTHER} for other members
     */
    private record OfStep(Set<String> comparedIfBoth, Map<String, DivergenceKind> kinds) {}

    static ViewMembers of(EventKind event) {
      ViewMembers known = OF_EVENTS.get(event);
      if (known == null) {
        known = new ViewMembers(
            members(event, member -> member.role() == Role.IDENTITY),
            members(event, member -> member.role() == Role.CLOCK),
            members(event, member -> !NOT_ALWAYS_COMPARED.contains(member.role())),
            members(event, EventMember::isComparedIfBoth));
        OF_EVENTS.put(event, known);
      }
      return known;
    }

    private static List<EventMember> members(EventKind event, Predicate<EventMember> accepted) {
      return Dialect.EVENT.members(event).stream().filter(accepted).toList();
    }

    static OfStep of(StepKind step) {
      OfStep known = OF_STEPS.get(step);
      if (known == null) {
        known = find(step);
        OF_STEPS.put(step, known);
      }
      return known;
    }

    private static OfStep find(StepKind step) {
      Set<String> comparedIfBoth = new HashSet<>();
      Map<String, DivergenceKind> kinds = new HashMap<>();
      if (step == StepKind.CALL) {
        kinds.put(Names.TOOL_CALL_ID, DivergenceKind.IDENTITY);
      } else if (step == StepKind.TURN) {
        kinds.put(Names.RESPONSE_ID, DivergenceKind.IDENTITY);
        kinds.put(Names.TOKEN_DETAILS, DivergenceKind.ASSESSMENT);
      }
      for (EventKind event : EventKind.values()) {
        boolean isOfStep = StepKind.of(event) == step;
        if (isOfStep || StepKind.of(event) == StepKind.CALL) {
          for (EventMember member : Dialect.EVENT.members(event)) {
            boolean isOfOneRun = member.role() == Role.IDENTITY || member.role() == Role.CLOCK;
            // ids and times of calls count as ids and times in every event, also where not declared
            if (isOfStep || isOfOneRun) {
              kinds.put(member.name(), step.divergence(member.role()));
            }
          }
        }
        if (isOfStep) {
          of(event).comparedIfBoth.forEach(member -> comparedIfBoth.add(member.name()));
          String content = event.contentName();
          if (content != null) {
            kinds.put(
                ValueNormalizer.hashName(content),
                kinds.getOrDefault(content, DivergenceKind.OTHER));
          }
        }
      }
      return new OfStep(
          Collections.unmodifiableSet(comparedIfBoth), Collections.unmodifiableMap(kinds));
    }
  }
}
