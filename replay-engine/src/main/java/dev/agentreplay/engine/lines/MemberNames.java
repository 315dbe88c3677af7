package dev.agentreplay.engine.lines;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.EventMember;
import dev.agentreplay.canonical.dialect.EventMember.Role;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Settings;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of the members of lines in the compared form of an event, which are those of the
 * dialect {@code event}, and whether a comparison compares them.
 */
public final class MemberNames {

  static final String TAG = "event";
  private static final String TIME = "t";

  /** The names that a dialect writes differently, with the event before a dot if it matters. */
  private static final Map<String, String> OF_TYPE = Map.ofEntries(
      Map.entry("type", TAG),
      Map.entry("ts", TIME),
      Map.entry("SessionStart." + Names.POLICY_BUNDLE_ID, Names.POLICY_VERSION),
      Map.entry("ToolCall." + Names.STEP_ID, "id"),
      Map.entry("ToolCall.plan_step_id", Names.STEP_ID),
      Map.entry("ToolResult." + Names.STEP_ID, "id"),
      Map.entry("Verification.command", "commands"),
      Map.entry("Verification." + Names.EXIT_CODE, Names.EXIT_CODES));

  private static final Map<String, String> OF_DRAFT = Map.ofEntries(
      Map.entry("type", TAG),
      Map.entry("ts", TIME),
      Map.entry("version", Names.REPLAY_VERSION),
      Map.entry(Names.STARTED_AT, Names.CREATED_AT),
      Map.entry("SessionStart." + Names.POLICY_BUNDLE_ID, Names.POLICY_VERSION),
      Map.entry("Verification.delta", Names.VERIFICATION_DELTA),
      Map.entry("SessionEnd.outcome", "status"),
      Map.entry("SessionEnd." + Names.ENDED_AT, TIME));

  private static final Set<Role> OF_ONE_RUN = EnumSet.of(Role.IDENTITY, Role.CLOCK);

  private MemberNames() {}

  /** The name in the compared form of an event. */
  public static String compared(Dialect dialect, EventKind kind, String name) {
    Map<String, String> names =
        switch (dialect) {
          case EVENT -> Map.of();
          case TYPE -> OF_TYPE;
          case DRAFT -> OF_DRAFT;
        };
    String general = names.getOrDefault(name, name);
    return names.getOrDefault(kind.id() + "." + name, general);
  }

  /** The names of the members of an event in a dialect, by their names in the compared form. */
  static Map<String, String> recorded(Dialect dialect, EventKind kind) {
    Map<String, String> recorded = new HashMap<>();
    for (EventMember member : dialect.members(kind)) {
      recorded.put(compared(dialect, kind, member.name()), member.name());
    }
    recorded.put(TAG, dialect == Dialect.EVENT ? TAG : "type");
    return recorded;
  }

  /**
   * The place of a value in the compared form of an event; null if a comparison does not compare
   * the value.
   *
   * @param pointer its tokens, the first of which is the name in the compared form
   * @param strict whether ids and times are compared
   */
  public static @Nullable List<String> place(EventKind kind, List<String> pointer, boolean strict) {
    String name = pointer.get(0);
    String content = kind.contentName();
    if (content != null && name.equals(content + "_ref")) {
      return List.of(content);
    } else if (content != null && name.equals(content + "_hash")) {
      return null; // it is compared in place of the value only
    }
    boolean isStack =
        name.equals("error") && pointer.size() == 2 && pointer.get(1).equals("stack");
    boolean isCircumstance = kind == EventKind.SETTINGS
        && pointer.size() > 1
        && Settings.CIRCUMSTANCES.contains(pointer.get(1));
    return isStack || (isCircumstance && !strict) || !isCompared(kind, name, strict)
        ? null
        : pointer;
  }

  private static boolean isCompared(EventKind kind, String name, boolean strict) {
    for (EventMember member : Dialect.EVENT.members(kind)) {
      if (member.name().equals(name)) {
        boolean isOfAllRuns = strict || !OF_ONE_RUN.contains(member.role());
        return name.equals(Names.PROMPT_DELTA) || (member.role() != Role.NONE && isOfAllRuns);
      }
    }
    boolean isTime = name.equals(TIME) || name.equals("ts");
    return !name.equals(TAG)
        && !name.equals(Names.REPLAYED)
        && !name.equals(Names.IMPORTED)
        && !isTime
        && (strict || !isAdditionalOfOneRun(kind, name));
  }

  /**
   * Whether an additional member belongs to one run: the id that the model gave a call, which is
   * recorded if a call with this id was open; the id of a response; the cached and other tokens of
   * a response, which depend on the caches of the provider; and the exception of a tool whose text
   * the model got, which a replay of the result does not throw.
   */
  public static boolean isAdditionalOfOneRun(EventKind kind, String name) {
    return switch (kind) {
      case TOOL_CALL -> name.equals(Names.TOOL_CALL_ID);
      case TOOL_RESULT -> name.equals(Names.EXCEPTION);
      case MODEL_RESULT -> name.equals(Names.RESPONSE_ID) || name.equals(Names.TOKEN_DETAILS);
      default -> false;
    };
  }
}
