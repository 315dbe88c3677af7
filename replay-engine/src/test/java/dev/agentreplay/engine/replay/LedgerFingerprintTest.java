package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.accept.AcceptableReport;
import dev.agentreplay.engine.accept.Proposal;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SeverityRating;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.report.RunJson;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fingerprints of differences that only the ledger has: different ones are different. */
class LedgerFingerprintTest {

  /** Draws values. */
  private interface Draws {
    void draw(DeterministicContext context) throws Exception;
  }

  private static final Draws ID = DeterministicContext::uuidV4;
  private static final Draws TIME = context -> context.clock().instant();
  private static final Draws NUMBER = context -> context.random().nextInt(100);
  private static final Draws BOOLEAN = context -> context.random().nextBoolean();
  private static final Draws FRACTION = context -> context.random().nextDouble();

  @TempDir
  private Path directory;

  private static ReplayAgent agent(Draws... draws) {
    return scope -> {
      scope.call("read", JsonObject.of("path", "a"));
      for (Draws each : draws) {
        try {
          each.draw(scope.context());
        } catch (ReplayMissException e) {
          // the agent does without this value
        }
      }
    };
  }

  private Session record(ReplayAgent agent) throws Exception {
    return TestRecordings.record(
        directory.resolve("recorded"),
        agent,
        Executors.none().withTool("read", TestRecordings.echo()),
        SampleAgent.withContext());
  }

  private static ReplayReport replay(Session session, DiffOptions options, ReplayAgent agent)
      throws Exception {
    return Replay.of(session)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.ERROR)
        .comparison(options)
        .run(agent);
  }

  private static Set<ContentHash> fingerprints(ReplayReport report) {
    assertThat(report.divergences()).isNotEmpty();
    return report.divergences().stream()
        .map(ReplayDivergence::fingerprint)
        .collect(Collectors.toSet());
  }

  /** The comparison finds nothing that matters, so that the ledger alone has the divergences. */
  private static DiffOptions ledgerOnly() {
    return DiffOptions.defaults()
        .withSeverity(change -> new SeverityRating(DivergenceSeverity.NONE, "none"));
  }

  private static void requireDifferent(Session session, ReplayAgent... agents) throws Exception {
    DiffOptions options = ledgerOnly();
    for (ReplayAgent one : agents) {
      Set<ContentHash> accepted = fingerprints(replay(session, options, one));
      assertThat(accepted).doesNotContainNull();
      for (ReplayAgent other : agents) {
        ReplayReport report = replay(session, options.accepting(accepted), other);
        if (one == other) {
          assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
        } else {
          assertThat(report.acceptedCount()).isZero();
        }
      }
    }
  }

  @Test
  void values_in_different_orders() throws Exception {
    requireDifferent(
        record(agent(ID, TIME, ID, TIME)), agent(ID, TIME, TIME, ID), agent(TIME, ID, ID, TIME));
  }

  @Test
  void values_of_different_forms_and_at_different_places() throws Exception {
    requireDifferent(
        record(agent(NUMBER, NUMBER)),
        agent(BOOLEAN, NUMBER),
        agent(NUMBER, BOOLEAN),
        agent(FRACTION, NUMBER));
  }

  @Test
  void values_that_are_not_requested() throws Exception {
    requireDifferent(record(agent(ID, ID, ID)), agent(ID, ID), agent(ID));
  }

  @Test
  void requests_that_are_missed_in_one_tool() throws Exception {
    requireDifferent(record(agent()), reading("x"), reading("y"));
  }

  @Test
  void missed_request_is_identified_by_its_parameters_and_tool() throws Exception {
    ReplayReport report = replay(record(agent()), ledgerOnly(), reading("x"));

    ContentHash request =
        CanonicalJson.SERDE.hash(JsonText.parse("{\"params\":{\"path\":\"x\"},\"tool\":\"read\"}"));
    String expected =
        """
        {"agent":null,"divergence":"MISS","exchange":"tool_call",
         "fact":{"class":"exhausted","reason":null,"request":"%s"},
         "name":"read","occurrence":0}
        """
            .formatted(request);
    assertThat(fingerprints(report))
        .containsExactly(CanonicalJson.SERDE.hash(JsonText.parse(expected)));
  }

  private static ReplayAgent reading(String file) {
    return scope -> {
      agent().run(scope);
      try {
        scope.call("read", JsonObject.of("path", file));
      } catch (ReplayMissException e) {
        // the agent does without this file
      }
    };
  }

  @Test
  void request_that_cannot_be_recorded_has_none_and_states_its_tool() throws Exception {
    ReplayReport report = replay(record(agent()), DiffOptions.defaults(), scope -> {
      agent().run(scope);
      try {
        scope.call("write", Map.of("object", new Object()));
      } catch (IllegalArgumentException e) {
        // the agent does without this call
      }
    });

    ReplayDivergence refused = report.divergences().get(0);
    assertThat(refused.kind()).isEqualTo("REFUSED");
    assertThat(refused.fingerprint()).isNull();
    assertThat(refused.exchange()).isEqualTo(ExchangeKind.TOOL_CALL);
    assertThat(refused.name()).isEqualTo("write");
    assertThat(Proposal.of(report)).isEmpty();
  }

  @Test
  void entry_of_the_file_names_the_source_in_each_form_of_the_report() throws Exception {
    ReplayReport report =
        replay(record(agent(ID, TIME)), DiffOptions.defaults(), agent(ID, TIME, TIME));
    List<Proposal> proposals = Proposal.of(report);

    assertThat(proposals).hasSize(1);
    assertThat(proposals.get(0).step().kind()).isEqualTo("value");
    assertThat(proposals.get(0).step().name())
        .isEqualTo(report.divergences().get(0).name())
        .isNotEmpty();
    assertThat(AcceptableReport.parse(RunJson.render(report)).proposals()).isEqualTo(proposals);
  }
}
