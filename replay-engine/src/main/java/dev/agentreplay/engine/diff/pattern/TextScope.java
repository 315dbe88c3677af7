package dev.agentreplay.engine.diff.pattern;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.EventMember;
import dev.agentreplay.model.EventKind;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which rules for texts hold in a member of an event, as
 * {@link dev.agentreplay.engine.diff.rule.ComparisonRule} documents.
 */
public enum TextScope {

  /** It is content: all. */
  ALL,

  /** It says where something is: those that replace folders. */
  FOLDERS,

  /** It says what an event is, or what came of it: none. */
  NONE;

  private static final Set<String> EXACT = Stream.of(EventKind.values())
      .flatMap(kind -> Dialect.EVENT.members(kind).stream())
      .filter(EventMember::isExact)
      .map(EventMember::name)
      .collect(Collectors.toUnmodifiableSet());

  /** The scope of what is in a member of an event. */
  public static TextScope of(String member) {
    if (member.equals("path")) {
      return FOLDERS;
    }
    return EXACT.contains(member) || member.endsWith("_hash") ? NONE : ALL;
  }
}
