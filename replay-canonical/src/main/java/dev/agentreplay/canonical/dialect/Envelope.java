package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.UnknownEvent;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows that every event of a dialect has: its tag, its time, the session and the agent.
 *
 * @param tag the row of the tag
 * @param time the row of the time; real logs may lack it, so a reader does not require it
 * @param sessionId the row of the session id
 * @param agent the row of the agent; a log of a different producer may have a member of that name
 *     with a different meaning, which is kept
 * @param parent the row of the call that started the agent, likewise
 */
record Envelope<E extends ReplayEvent>(
    Row<E, String> tag,
    Row<E, Timestamp> time,
    Row<E, String> sessionId,
    Row<E, String> agent,
    Row<E, String> parent) {

  /** Adds the other rows to that of the time. */
  static <E extends ReplayEvent> Envelope<E> add(
      Table.Layout<E> table, String tagName, Row<E, Timestamp> time, Presence session) {
    return new Envelope<>(
        table
            .optional(tagName, FieldType.STRING, Envelope::tag)
            .as("tag")
            .role(EventMember.Role.NONE),
        time.as("time").role(EventMember.Role.CLOCK),
        table
            .add(Names.SESSION_ID, session, FieldType.STRING, event -> event
                .meta()
                .sessionId())
            .role(EventMember.Role.IDENTITY),
        ofLane(table, Names.AGENT, event -> event.meta().agent()),
        ofLane(table, Names.PARENT, event -> event.meta().parent()));
  }

  private static <E extends ReplayEvent> Row<E, String> ofLane(
      Table.Layout<E> table, String name, Function<E, @Nullable String> get) {
    Row<E, String> row = table
        .optional(name, FieldType.NAME, get)
        .additional()
        .orAnyValue()
        .role(EventMember.Role.IDENTITY);
    row.isOfLane = true;
    return row;
  }

  /** Reads the metadata. Must be called last, after all other rows have taken their members. */
  Meta meta(Members members) {
    return new Meta(
        members.get(time),
        members.get(sessionId),
        members.get(agent),
        members.get(parent),
        members.leftOver());
  }

  private static @Nullable String tag(ReplayEvent event) {
    if (event instanceof UnknownEvent unknown) {
      return unknown.type().isEmpty() ? null : unknown.type();
    }
    return event.kind().id();
  }
}
