package dev.agentreplay.engine.diff.pattern;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.EventMember;
import dev.agentreplay.model.EventKind;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules for texts that apply in a member of an event, as
 * {@link dev.agentreplay.engine.diff.rule.ComparisonRule} documents.
 */
public enum TextScope {

  /** All rules for texts: the member is content. */
  ALL,

  /** Only normalizers of folders: the member is a path. */
  FOLDERS,

  /** No rules for texts: the member identifies the event or states its outcome. */
  NONE;

  private static final Set<String> EXACT = Stream.of(EventKind.values())
      .flatMap(kind -> Dialect.EVENT.members(kind).stream())
      .filter(EventMember::isExact)
      .map(EventMember::name)
      .collect(Collectors.toUnmodifiableSet());

  /** Returns the scope of a member of an event. */
  public static TextScope of(String member) {
    if (member.equals("path")) {
      return FOLDERS;
    }
    return EXACT.contains(member) || member.endsWith("_hash") ? NONE : ALL;
  }
}
