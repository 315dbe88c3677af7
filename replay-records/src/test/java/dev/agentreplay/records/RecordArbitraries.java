package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.Kickoff.OperatorSelection;
import dev.agentreplay.records.OperatorIntervention.Reversal;
import dev.agentreplay.records.OperatorIntervention.StateChange;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import dev.agentreplay.records.SessionOutputs.Counts;
import dev.agentreplay.records.SessionOutputs.LintResult;
import dev.agentreplay.records.SessionOutputs.Scorecard;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.DomainContextBase;

/** Generates session records without problems, in every shape. */
public class RecordArbitraries extends DomainContextBase {

  /** The components that exceed the size of one combination. */
  private record Rest(
      OperatorIntervention.Target target,
      StateChange change,
      Reversal reversal,
      JsonObject extra) {}

  @Provide
  Arbitrary<SessionRecord> records() {
    Arbitrary<String> ids =
        Combinators.combine(words(), counts()).as((session, time) -> "REC-" + session + "-" + time);
    return Combinators.combine(
            ids, names(), times(), inputs(), traces(), outputs(), words(), extra())
        .as(SessionRecord::new);
  }

  private static Arbitrary<SessionInputs> inputs() {
    Arbitrary<OperatorSelection> selections = Combinators.combine(
            texts().list().ofMaxSize(2),
            texts().list().ofMaxSize(2).injectNull(0.3),
            texts().list().ofMaxSize(2).injectNull(0.3),
            extra())
        .as(OperatorSelection::new);
    Arbitrary<Kickoff> kickoffs = Combinators.combine(
            names(),
            maybe(texts()),
            maybe(texts()),
            maybe(texts()),
            maybe(texts()),
            maybe(selections),
            maybe(texts()),
            extra())
        .as(Kickoff::new);
    Arbitrary<EvidenceRecordSummary> evidence = Combinators.combine(
            texts(),
            Arbitraries.of(EvidenceRecordSummary.Type.class),
            texts(),
            counts(),
            maybe(hashes()),
            extra())
        .as(EvidenceRecordSummary::new);
    Arbitrary<ProtocolVersions> versions = Combinators.combine(
            maybe(texts()), texts(), texts(), maybe(texts()), maybe(texts()), extra())
        .as(ProtocolVersions::new);
    return Combinators.combine(
            kickoffs,
            evidence.list().ofMaxSize(2),
            rosterEntries().list().ofMaxSize(2),
            versions,
            extra())
        .as(SessionInputs::new);
  }

  private static Arbitrary<AgentRosterEntry> rosterEntries() {
    return Combinators.combine(
            names(),
            Arbitraries.of(AgentRosterEntry.Role.class),
            names(),
            names(),
            maybe(texts()),
            maybe(Arbitraries.doubles().between(0, 2)),
            extra())
        .as(AgentRosterEntry::new);
  }

  private static Arbitrary<SessionTrace> traces() {
    Arbitrary<TraceMessage> unacknowledged = Combinators.combine(
            maybe(Arbitraries.longs().greaterOrEqual(1)),
            times(),
            names(),
            Arbitraries.of(TraceMessage.Type.class),
            hashes(),
            counts(),
            maybe(texts()),
            extra())
        .as((id, time, from, type, hash, length, subject, extra) ->
            new TraceMessage(id, time, from, type, hash, length, subject, null, extra));
    Arbitrary<TraceMessage> messages = Combinators.combine(
            unacknowledged, maybe(Arbitraries.of(true, false)))
        .as(TraceMessage::withAcknowledged);
    Arbitrary<SessionTrace.Round> rounds = Combinators.combine(
            counts(),
            times(),
            maybe(times()),
            messages.list().ofMaxSize(2),
            maybe(hashes()),
            maybe(counts()),
            extra())
        .as(SessionTrace.Round::new);
    Arbitrary<List<OperatorIntervention>> interventions = interventions().list().ofMaxSize(2);
    return Combinators.combine(
            rounds.list().ofMaxSize(2),
            interventions,
            maybe(interventions.map(InterventionSummary::of)),
            counts(),
            times(),
            maybe(times()),
            extra())
        .as(SessionTrace::new);
  }

  private static Arbitrary<OperatorIntervention> interventions() {
    Arbitrary<String> ids = Combinators.combine(words(), Arbitraries.integers().between(0, 999))
        .as((session, number) -> "INT-" + session + "-" + "%03d".formatted(number));
    Arbitrary<OperatorIntervention.Target> targets = Combinators.combine(
            maybe(Arbitraries.longs().greaterOrEqual(1)),
            maybe(counts()),
            maybe(texts()),
            maybe(Arbitraries.of("hypothesis", "research_thread")),
            maybe(texts()),
            maybe(texts()),
            extra())
        .as(OperatorIntervention.Target::new);
    Arbitrary<StateChange> changes = Combinators.combine(
            maybe(texts()), maybe(texts()), maybe(hashes()), maybe(hashes()), extra())
        .as(StateChange::new);
    Arbitrary<Reversal> reversals = Combinators.combine(
            Arbitraries.of(true, false), maybe(times()), maybe(texts()))
        .as(Reversal::new);
    return Combinators.combine(
            Arbitraries.oneOf(ids, counts().map(number -> "INT" + number)),
            names(),
            times(),
            names(),
            Arbitraries.of(OperatorIntervention.Type.class),
            Arbitraries.of(OperatorIntervention.Severity.class),
            Combinators.combine(targets, maybe(changes), reversals, extra()).as(Rest::new))
        .as((id, session, time, operator, type, severity, rest) -> new OperatorIntervention(
            id,
            session,
            time,
            operator,
            type,
            severity,
            rest.target,
            rest.change,
            "because of " + operator,
            rest.reversal,
            rest.extra));
  }

  private static Arbitrary<SessionOutputs> outputs() {
    Arbitrary<LintResult> lint = Combinators.combine(
            counts(),
            counts(),
            Arbitraries.of(true, false),
            texts().list().ofMaxSize(2),
            texts().list().ofMaxSize(2),
            extra())
        .as(LintResult::new);
    Arbitrary<Counts> counts = Combinators.combine(
            counts(), counts(), maybe(counts()), maybe(counts()), maybe(counts()))
        .as(Counts::new);
    Arbitrary<Scorecard> scorecards =
        Combinators.combine(maybe(texts()), maybe(Arbitraries.doubles())).as(Scorecard::new);
    return Combinators.combine(hashes(), lint, counts, scorecards, extra()).as(SessionOutputs::new);
  }

  private static <T> Arbitrary<T> maybe(Arbitrary<T> values) {
    return values.injectNull(0.3);
  }

  private static Arbitrary<String> texts() {
    return Arbitraries.strings().ofMaxLength(5).filter(text -> text.codePoints()
        .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }

  private static Arbitrary<String> names() {
    return texts().filter(text -> !text.isEmpty());
  }

  private static Arbitrary<String> words() {
    return Arbitraries.strings()
        .withCharRange('a', 'z')
        .withChars("_-09")
        .ofLength(4)
        .map(text -> "R" + text);
  }

  private static Arbitrary<Long> counts() {
    return Arbitraries.longs().greaterOrEqual(0);
  }

  private static Arbitrary<RecordHash> hashes() {
    return Arbitraries.oneOf(texts().map(RecordHash::ofContent), texts().map(RecordHash::new));
  }

  private static Arbitrary<RecordTime> times() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 4_000_000_000L), Arbitraries.of("Z", "+00:00", ".50Z"))
        .as((second, end) ->
            RecordTime.parse(Instant.ofEpochSecond(second).toString().replace("Z", end)));
  }

  private static Arbitrary<JsonObject> extra() {
    return Arbitraries.of(
        JsonObject.EMPTY,
        JsonObject.EMPTY,
        JsonObject.of("x_note", "kept", "x_id", new BigInteger("18446744073709551616")),
        JsonObject.of("tags", List.of(), "x_null", null));
  }
}
