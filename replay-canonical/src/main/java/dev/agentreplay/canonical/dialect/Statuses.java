package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Status.Kind;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonString;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The statuses of a dialect. Each specification has a closed list of statuses: a reader accepts any
 * status and reports one that is not in the list, a writer refuses it.
 *
 * @param spelling the spelling of a status in the dialect
 * @param named the statuses of a session that the specification names
 */
record Statuses(Function<Status, String> spelling, Set<Kind> named) {

  /** The statuses of a session in all specifications together. */
  private static final Set<Kind> OF_SESSION =
      Collections.unmodifiableSet(EnumSet.range(Kind.SUCCESS, Kind.TIMEOUT));

  /** The statuses of a step (specification 000, {@code StepStatus}). */
  private static final Set<Kind> OF_STEP = Collections.unmodifiableSet(
      EnumSet.of(Kind.SUCCESS, Kind.FAILURE, Kind.SKIPPED, Kind.MAX_ITERATIONS_REACHED));

  /** Any status, read in any spelling and written in that of the dialect. */
  FieldType<Status> type() {
    return FieldType.status(spelling);
  }

  /** Restricts a status to those of a step. */
  Restriction<Status> ofStep() {
    return restriction(OF_STEP, OF_STEP);
  }

  private Restriction<Status> restriction(Set<Kind> read, Set<Kind> written) {
    return new Restriction<>(
        FindingCode.STATUS_UNKNOWN,
        words(read),
        status -> read.contains(status.kind()),
        status -> written.contains(status.kind()));
  }

  private String words(Set<Kind> kinds) {
    List<String> words = EnumSet.copyOf(kinds).stream()
        .map(kind -> spelling.apply(Status.parse(kind.name())))
        .collect(Collectors.toList());
    String last = words.remove(words.size() - 1);
    return String.join(", ", words) + " or " + last;
  }

  /** The statuses of a session that only other specifications name. */
  private Set<Kind> unnamed() {
    Set<Kind> unnamed = EnumSet.copyOf(OF_SESSION);
    unnamed.removeAll(named);
    return unnamed;
  }

  /**
   * The rows of the status with which a session ended. A status that only other specifications name
   * is written as a failure, with the exact status in an additional member.
   *
   * @param exact the row of the exact status; null if the dialect names all statuses
   * @param status the row of the status
   */
  record EndRows(@Nullable Row<SessionEnd, Status> exact, Row<SessionEnd, Status> status) {

    static EndRows add(Layout<SessionEnd> t, String name, Statuses statuses) {
      Set<Kind> unnamed = statuses.unnamed();
      Row<SessionEnd, Status> exact = null;
      if (!unnamed.isEmpty()) {
        exact = t.optional(Names.EXACT_STATUS, exact(unnamed), end -> exact(end, unnamed))
            .as("status")
            .role(EventMember.Role.NONE);
      }
      FieldType<Status> type = FieldType.status(status ->
          statuses.spelling.apply(unnamed.contains(status.kind()) ? Status.FAILED : status));
      Row<SessionEnd, Status> status = t.identity(name, type, SessionEnd::status)
          .as("status")
          .restrict(statuses.restriction(statuses.named, OF_SESSION));
      return new EndRows(exact, status);
    }

    private static FieldType<Status> exact(Set<Kind> unnamed) {
      return new FieldType<>(
          unnamed.stream().map(Statuses::word).collect(Collectors.joining(" or ", "\"", "\"")),
          value -> {
            Status status = value instanceof JsonString text ? Status.parse(text.value()) : null;
            return status != null && unnamed.contains(status.kind()) ? status : null;
          },
          status -> JsonString.of(status.word()));
    }

    private static @Nullable Status exact(SessionEnd end, Set<Kind> unnamed) {
      return unnamed.contains(end.status().kind()) ? end.status() : null;
    }

    Status read(Members m) {
      Status stated = m.identity(status);
      Status precise = exact == null ? null : m.get(exact);
      if (exact == null || precise == null) {
        return stated;
      }
      if (stated.kind() == Kind.FAILURE) {
        return precise;
      }
      m.keep(exact);
      m.report(
          FindingCode.FIELD_INVALID,
          exact.name,
          "%s \"%s\" belongs to a failure, but %s is \"%s\""
              .formatted(exact.name, precise.word(), status.name, stated.word()));
      return stated;
    }
  }

  private static String word(Kind kind) {
    return Status.parse(kind.name()).word();
  }
}
