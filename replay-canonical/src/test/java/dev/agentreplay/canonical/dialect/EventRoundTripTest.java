package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import net.jqwik.api.statistics.Statistics;

/** An event that is written is read back: all that it says, and what the dialect fills in. */
@Domain(EventArbitraries.class)
@Domain(DomainContext.Global.class)
class EventRoundTripTest {

  private static final String REFUSED =
      "(?s).* needs .*|.* must be .*, found .*|.*one command per Verification.*|.*of several commands.*|exit code of .*";

  /** Members that a dialect writes and the event leaves out, except the times and hashes of all. */
  private static final Map<Dialect, Map<EventKind, Set<String>>> FILLED_IN = Map.of(
      Dialect.EVENT,
      Map.of(
          EventKind.SESSION_START, Set.of("policy"),
          EventKind.TOOL_CALL, Set.of("stepId"),
          EventKind.TOOL_RESULT, Set.of("stepUtility"),
          EventKind.VERIFICATION, Set.of("delta"),
          EventKind.SESSION_END, Set.of("confidence")),
      Dialect.TYPE,
      Map.of(
          EventKind.SESSION_START, Set.of("policy"),
          EventKind.TOOL_RESULT, Set.of("outcome.ok"),
          EventKind.SESSION_END, Set.of("confidence")),
      Dialect.DRAFT,
      Map.of(
          EventKind.SESSION_START, Set.of("task.text"),
          EventKind.VERIFICATION, Set.of("delta", "tests")));

  private static final Map<EventKind, String> HASHES = Map.of(
      EventKind.TOOL_CALL, "params.hash",
      EventKind.TOOL_RESULT, "output.hash",
      EventKind.RUNTIME_EVENT, "payload.hash",
      EventKind.MODEL_CALL, "prompt.hash",
      EventKind.MODEL_RESULT, "answer.hash");

  @Property(tries = 4_000, edgeCases = EdgeCasesMode.NONE)
  void event_that_is_written_is_read_back(@ForAll ReplayEvent event, @ForAll Dialect dialect) {
    String line;
    try {
      line = Lines.encode(dialect, event);
    } catch (IllegalArgumentException refused) {
      assertThat(refused).message().matches(REFUSED);
      return;
    }
    Statistics.label(dialect.id()).collect(event.kind());
    Statistics.label(dialect.id()).coverage(coverage -> {
      for (EventKind kind : EventKind.values()) {
        coverage.check(kind).count(count -> count > 0);
      }
    });

    Decoded decoded = Lines.decode(dialect, line);

    assertThat(Lines.texts(decoded.findings())).isSubsetOf(tolerated(event));
    assertThat(decoded.event().kind()).isEqualTo(event.kind());
    Set<String> filledIn = new TreeSet<>();
    compare("", event, decoded.event(), filledIn);
    assertThat(filledIn).isSubsetOf(mayBeFilledIn(dialect, event.kind()));
    assertThat(Lines.encode(dialect, decoded.event())).isEqualTo(line);
    assertThat(Lines.canonical(Lines.object(line))).isEqualTo(line);
  }

  @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
  void members_of_an_event_are_those_of_its_line(
      @ForAll ReplayEvent event, @ForAll Dialect dialect) {
    JsonObject line;
    try {
      line = Lines.object(Lines.encode(dialect, event));
    } catch (IllegalArgumentException refused) {
      return;
    }
    JsonObject stated = line;
    for (EventMember member : dialect.members(event.kind())) {
      JsonValue value = member.value(event);
      stated = value == null ? stated : stated.with(member.name(), value);
    }
    String contentName = event.kind().contentName();
    JsonValue content = event.content().value();
    stated = contentName == null || content == null ? stated : stated.with(contentName, content);

    assertThat(Lines.canonical(stated)).isEqualTo(Lines.canonical(line));
  }

  /** A header of the draft has no producer, and so may any that was read from one. */
  private static List<String> tolerated(ReplayEvent event) {
    return event instanceof ReplayHeader header && header.producer() == null
        ? List.of("FIELD_MISSING producer is missing")
        : List.of();
  }

  private static Set<String> mayBeFilledIn(Dialect dialect, EventKind kind) {
    Set<String> names =
        new TreeSet<>(FILLED_IN.getOrDefault(dialect, Map.of()).getOrDefault(kind, Set.of()));
    boolean atEdge = kind == EventKind.REPLAY_HEADER || kind == EventKind.SESSION_END;
    if (dialect != Dialect.DRAFT || atEdge) {
      names.add("meta.time");
    }
    if (dialect != Dialect.DRAFT && HASHES.containsKey(kind)) {
      names.add(HASHES.get(kind));
    }
    return names;
  }

  /** Holds what was written against what was read; notes what was read and not written. */
  private static void compare(String path, Object written, Object read, Set<String> filledIn) {
    if (written == null) {
      if (read != null) {
        filledIn.add(path);
      }
    } else if (written instanceof Status status) {
      assertThat(((Status) read).kind()).isEqualTo(status.kind());
      if (status.kind() == Status.Kind.OTHER) {
        assertThat(read).isEqualTo(status);
      }
    } else if (written instanceof PolicyId policy) {
      assertThat(((PolicyId) read).id()).as(path).isEqualTo(policy.id());
    } else if (written instanceof Record record && !(written instanceof JsonValue)) {
      assertThat(read).as(path).isInstanceOf(written.getClass());
      for (RecordComponent component : record.getClass().getRecordComponents()) {
        String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
        compare(name, value(component, written), value(component, read), filledIn);
      }
    } else {
      assertThat(read).as(path).isEqualTo(written);
    }
  }

  private static Object value(RecordComponent component, Object record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
