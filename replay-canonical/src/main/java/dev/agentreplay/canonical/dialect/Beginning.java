package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.LineConversion.Moves;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionStart;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The header and the start of a session, between which session id and policy move: the draft
 * dialect names both in the header, the others in the start.
 *
 * @param header the header
 * @param start the start of the session
 * @param moved the components that moved from one to the other
 */
record Beginning(ReplayHeader header, SessionStart start, Set<String> moved) {

  static Beginning of(ReplayHeader header, SessionStart start, Dialect from, Dialect to) {
    Beginning separate = new Beginning(header, start, Set.of());
    return to.hasSessionInHeader()
        ? separate.inHeader()
        : from.hasSessionInHeader() ? separate.inStart() : separate;
  }

  private Beginning inHeader() {
    Beginning result = this;
    String id = start.meta().sessionId();
    if (id != null && isAbsentOr(id, header.meta().sessionId())) {
      result = result.withSession(id, null);
    }
    PolicyId policy = start.policy();
    if (policy != null && isAbsentOr(policy.id(), SharedTables.idOf(header.policy()))) {
      result = result.withPolicy(PolicyId.bundle(policy.id()), null);
    }
    return result;
  }

  private Beginning inStart() {
    Beginning result = this;
    String id = header.meta().sessionId();
    if (id != null && start.meta().sessionId() == null) {
      result = result.withSession(null, id);
    }
    PolicyId policy = header.policy();
    if (policy != null && start.policy() == null) {
      result = result.withPolicy(null, policy);
    }
    return result;
  }

  private Beginning withSession(@Nullable String inHeader, @Nullable String inStart) {
    return new Beginning(
        header.withMeta(header.meta().withSessionId(inHeader)),
        start.withMeta(start.meta().withSessionId(inStart)),
        Set.of(Names.SESSION_ID));
  }

  private Beginning withPolicy(@Nullable PolicyId inHeader, @Nullable PolicyId inStart) {
    Set<String> all = new HashSet<>(moved);
    all.add("policy");
    return new Beginning(header.withPolicy(inHeader), start.withPolicy(inStart), all);
  }

  private static boolean isAbsentOr(String value, @Nullable String stated) {
    return stated == null || stated.equals(value);
  }

  /**
   * The moves of one of the two events.
   *
   * @param receives whether the event is the one that the components moved to
   */
  Moves moves(SourceLine line, SourceLine other, boolean receives) {
    return receives
        ? new Moves(moved, List.of())
        : new Moves(
            Set.of(),
            moved.stream().flatMap(component -> line.movedTo(other, component)).toList());
  }
}
