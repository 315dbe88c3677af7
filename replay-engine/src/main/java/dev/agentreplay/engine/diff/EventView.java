package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.EventMember;
import dev.agentreplay.engine.diff.value.ValueNormalizer;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The object by which an event is compared: the members that have a role in the dialect
 * {@code event}, normalised where dialects and producers say the same in several ways. Identity and
 * clock are in it only when a comparison is strict.
 */
final class EventView {

  /** Finds the values that stand in a log for themselves, or as a hash, or as a blob. */
  interface Contents {

    /** Puts a content there, as a value or as a hash. */
    void put(EventView view, String name, Content content) throws IOException;
  }

  private static final Map<EventKind, List<EventMember>> IDENTITY =
      members(EnumSet.of(EventMember.Role.IDENTITY));

  private static final Map<EventKind, List<EventMember>> CLOCK =
      members(EnumSet.of(EventMember.Role.CLOCK));

  /** The members that are compared in any case. */
  private static final Map<EventKind, List<EventMember>> COMPARED = members(EnumSet.complementOf(
      EnumSet.of(EventMember.Role.IDENTITY, EventMember.Role.CLOCK, EventMember.Role.NONE)));

  private static final Map<StepKind, Map<String, DivergenceKind>> KINDS =
      new EnumMap<>(StepKind.class);

  /** They differ without the conduct of a session being another one. */
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

  static {
    for (StepKind step : StepKind.values()) {
      KINDS.put(step, kinds(step));
    }
  }

  private final JsonObject.Builder members = JsonObject.builder();

  private EventView() {}

  static JsonObject of(ReplayEvent event, Contents contents, boolean strict) throws IOException {
    EventView view = new EventView();
    ReplayEvent normal = normal(event);
    String content = event.kind().contentName();
    for (EventMember member : members(COMPARED, event)) {
      if (member.name().equals(content)) {
        contents.put(view, member.name(), event.content());
      } else {
        view.put(member.name(), value(member, normal));
      }
    }
    if (strict) {
      members(IDENTITY, event).forEach(member -> view.put(member.name(), value(member, event)));
      members(CLOCK, event).forEach(member -> view.put(member.name(), value(member, event)));
    }
    if (event instanceof ModelCall) {
      view.members.addIfAbsent("parameters", JsonObject.EMPTY);
    }
    event.meta().extra().forEach((name, value) -> {
      // a time that is none stays there, in either spelling
      if (!name.equals("t") && !name.equals("ts")) {
        view.extra(name, value);
      }
    });
    return view.members.build();
  }

  /** What differs when a member of an event's view does. */
  static DivergenceKind kind(StepKind step, String member) {
    return KINDS.getOrDefault(step, Map.of()).getOrDefault(member, DivergenceKind.OTHER);
  }

  /** The members that say what was done, without what it was thought of. */
  static JsonObject conduct(StepKind step, JsonObject view) {
    List<String> others = new ArrayList<>();
    for (int i = 0; i < view.size(); i++) {
      if (NOT_CONDUCT.contains(kind(step, view.name(i)))) {
        others.add(view.name(i));
      }
    }
    // of an event that is not known nothing tells what matters
    return others.isEmpty() || step == StepKind.OTHER
        ? view
        : view.without(others.toArray(String[]::new));
  }

  /** A hash of what tells an event from those of other sessions, whatever they say. */
  static int identity(ReplayEvent event) {
    return hash(members(IDENTITY, event), event);
  }

  /** A hash of the times in an event. */
  static int clock(ReplayEvent event) {
    return hash(members(CLOCK, event), event);
  }

  private static int hash(List<EventMember> members, ReplayEvent event) {
    int hash = 0;
    for (EventMember member : members) {
      hash = 31 * hash + Objects.hashCode(member.component(event));
    }
    return hash;
  }

  /** Puts a member there. */
  void put(String name, @Nullable Object value) {
    if (value != null) {
      members.add(name, JsonValue.of(value));
    }
  }

  /** Puts a hash in the place of a value. */
  void putHash(String name, @Nullable ContentHash hash) {
    put(ValueNormalizer.hashName(name), hash == null ? null : hash.toString());
  }

  private static List<EventMember> members(
      Map<EventKind, List<EventMember>> members, ReplayEvent event) {
    return members.getOrDefault(event.kind(), List.of());
  }

  /** The members that have one of these roles, by the kind of their event. */
  private static Map<EventKind, List<EventMember>> members(Set<EventMember.Role> roles) {
    Map<EventKind, List<EventMember>> members = new EnumMap<>(EventKind.class);
    for (EventKind event : EventKind.values()) {
      members.put(
          event,
          Dialect.EVENT.members(event).stream()
              .filter(member -> roles.contains(member.role()))
              .toList());
    }
    return members;
  }

  private static Map<String, DivergenceKind> kinds(StepKind step) {
    Map<String, DivergenceKind> kinds = new HashMap<>();
    for (EventKind event : EventKind.values()) {
      boolean isOfStep = StepKind.of(event) == step;
      boolean isOfCall = StepKind.of(event) == StepKind.CALL;
      for (EventMember member : Dialect.EVENT.members(event)) {
        boolean isOfOneRun =
            member.role() == EventMember.Role.IDENTITY || member.role() == EventMember.Role.CLOCK;
        // ids and times of calls are ids and times in any event, also where it does not know them
        if (isOfStep || (isOfCall && isOfOneRun)) {
          kinds.put(member.name(), step.divergence(member.role()));
        }
      }
      String content = isOfStep ? event.contentName() : null;
      if (content != null) {
        kinds.put(
            ValueNormalizer.hashName(content), kinds.getOrDefault(content, DivergenceKind.OTHER));
      }
    }
    return kinds;
  }

  /** What is not known, which may have the name of what is. */
  private void extra(String name, JsonValue value) {
    // a dialect writes it where another has no member for it
    if (name.equals(Names.SIDE_EFFECTS) && value.equals(JsonArray.EMPTY)) {
      return;
    }
    String free = name;
    while (!members.addIfAbsent(free, value)) {
      free = "other " + free;
    }
  }

  /** An event without what says no more than nothing. */
  private static ReplayEvent normal(ReplayEvent event) {
    if (event instanceof ToolResult result) {
      Outcome outcome = result.outcome();
      // dialects differ in what they say of a success, so that of a success nothing is compared
      Boolean ok = outcome.succeeded() ? null : false;
      Integer exitCode = Objects.equals(outcome.exitCode(), 0) ? null : outcome.exitCode();
      return result.withOutcome(new Outcome(ok, exitCode, outcome.error()));
    } else if (event instanceof SessionStart start) {
      PolicyId policy = start.policy();
      Task task = start.task();
      return start
          .withPolicy(policy == null ? null : PolicyId.version(policy.id()))
          .withTask(
              Objects.equals(task.text(), "")
                  ? new Task(null, task.context(), task.instructions())
                  : task);
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
      // a utility of 0.0 is what is written where nothing is said
      return single == 0 && event instanceof ToolResult ? null : single;
    }
    // in one form, where logs hold hashes with and without their prefix
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
}
