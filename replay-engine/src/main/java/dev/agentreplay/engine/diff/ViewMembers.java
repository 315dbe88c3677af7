package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.EventMember;
import dev.agentreplay.canonical.dialect.EventMember.Role;
import dev.agentreplay.engine.diff.value.ValueNormalizer;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;

/**
 * The members of the views of one kind of event. They are found when the first event of the kind is
 * compared, because the table of a kind costs dozens of classes, and most logs have few kinds.
 * Immutable and safe for use by several threads.
 *
 * @param identity the ids
 * @param clock the times
 * @param compared the members that every comparison compares
 * @param comparedIfBoth those that are compared only if both events have them
 */
record ViewMembers(
    List<EventMember> identity,
    List<EventMember> clock,
    List<EventMember> compared,
    List<EventMember> comparedIfBoth) {

  private static final Set<Role> NOT_ALWAYS_COMPARED =
      EnumSet.of(Role.IDENTITY, Role.CLOCK, Role.NONE);

  /** The known ones, by the number of the kind; several threads may find the same. */
  private static final AtomicReferenceArray<ViewMembers> OF_EVENTS =
      new AtomicReferenceArray<>(EventKind.values().length);

  private static final AtomicReferenceArray<OfStep> OF_STEPS =
      new AtomicReferenceArray<>(StepKind.values().length);

  /**
   * The members of all events of a kind of step.
   *
   * @param comparedIfBoth the names of those that are compared only if both events have them
   * @param kinds the kinds of their differences; {@link DivergenceKind#OTHER} for other members
   */
  record OfStep(Set<String> comparedIfBoth, Map<String, DivergenceKind> kinds) {}

  static ViewMembers of(EventKind event) {
    ViewMembers known = OF_EVENTS.get(event.ordinal());
    if (known == null) {
      known = new ViewMembers(
          members(event, member -> member.role() == Role.IDENTITY),
          members(event, member -> member.role() == Role.CLOCK),
          members(event, member -> !NOT_ALWAYS_COMPARED.contains(member.role())),
          members(event, EventMember::isComparedIfBoth));
      OF_EVENTS.set(event.ordinal(), known);
    }
    return known;
  }

  private static List<EventMember> members(EventKind event, Predicate<EventMember> accepted) {
    return Dialect.EVENT.members(event).stream().filter(accepted).toList();
  }

  static OfStep of(StepKind step) {
    OfStep known = OF_STEPS.get(step.ordinal());
    if (known == null) {
      known = find(step);
      OF_STEPS.set(step.ordinal(), known);
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
              ValueNormalizer.hashName(content), kinds.getOrDefault(content, DivergenceKind.OTHER));
        }
      }
    }
    return new OfStep(comparedIfBoth, kinds);
  }
}
