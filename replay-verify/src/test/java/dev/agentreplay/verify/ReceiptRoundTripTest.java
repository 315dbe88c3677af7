package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.Verification.TestCounts;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.testkit.TestSessions;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** A receipt that is made of a log fits it; one that is altered does not. */
class ReceiptRoundTripTest {

  private static final ContentHash PLAN = ContentHash.sha256(new byte[] {1});

  private static final List<ReplayEvent> RICH = List.of(
      PlanStart.of(PLAN, 2),
      call("a", "read"),
      call("a", "write"),
      result("a", 0.5, 7L),
      result("a", -0.25, 8L),
      call("b", "never"),
      ModelResult.of("m", "hi").withTokens(TokenCounts.of(11, 4)),
      payment(3_000L),
      Verification.of(new CommandRun("make", 0, "src", 12L))
          .withDelta(2L)
          .withTests(new TestCounts(3, 5))
          .withCiStatus("green"),
      SessionEnd.of(Status.SUCCESS).withConfidence(0.75));

  private static final WriterOptions OPTIONS = WriterOptions.defaults()
      .withClock(Clock.fixed(Instant.parse("2026-01-13T10:00:00Z"), ZoneOffset.UTC));

  private static Path directory;

  @BeforeContainer
  static void createDirectory() throws IOException {
    directory = Files.createTempDirectory("receipts");
  }

  @AfterContainer
  static void deleteDirectory() throws IOException {
    Files.deleteIfExists(directory.resolve(Session.LOG_NAME));
    Files.deleteIfExists(directory.resolve(Session.RECEIPT_NAME));
    Files.delete(directory);
  }

  @Property(tries = 200)
  void receipt_that_is_made_of_any_log_fits_it(
      @ForAll Dialect dialect, @ForAll Receipt.Form form, @ForAll("runs") List<ReplayEvent> run)
      throws IOException {
    Session session = write(dialect, run);

    assertFits(session, Receipts.compute(session, form));
  }

  @Example
  void receipt_that_is_made_of_a_recorded_session_fits_it() throws IOException {
    Stream<Path> sets = Stream.of("tau-bench", "openagents-stream", "draft-002")
        .map(set -> TestSessions.corpus().resolve(set));
    List<Path> sessions = Stream.concat(sets, Stream.of(TestSessions.bundled("sessions")))
        .flatMap(set -> TestSessions.directories(set).stream())
        .toList();
    assertThat(sessions).hasSizeGreaterThan(10);
    for (Path path : sessions) {
      Session session = Session.open(path);
      for (Receipt.Form form : Receipt.Form.values()) {
        assertFits(session, Receipts.compute(session, form));
      }
    }
  }

  @Example
  void every_member_that_is_altered_is_found_but_those_of_which_the_log_says_nothing()
      throws IOException {
    for (Dialect dialect : Dialect.values()) {
      Session session = write(dialect, RICH);
      for (Receipt.Form form : Receipt.Form.values()) {
        JsonObject receipt = ReceiptCodec.encode(Receipts.compute(session, form));
        Set<String> unseen = new TreeSet<>();
        int altered = 0;
        for (Altered one : alter(receipt, "")) {
          altered++;
          JsonObject changed = one.value().asObject();
          if (form == Receipt.Form.OPENAGENTS_V1
              && !one.pointer().equals("/canonical_json_sha256")) {
            changed = TestLog.digested(changed);
          }
          if (!isFound(verify(session, JsonText.pretty(changed)))) {
            unseen.add(one.pointer().replaceAll("/\\d+", "/*"));
          }
        }
        assertThat(altered).isGreaterThan(20);
        assertThat(unseen).as("%s %s", dialect, form).isEqualTo(unseen(form));
      }
    }
  }

  /** The times of a receipt are its own. */
  private static Set<String> unseen(Receipt.Form form) {
    return new TreeSet<>(
        switch (form) {
          case SESSION -> Set.of("/started_at", "/completed_at");
          case OPENAGENTS_V1 -> Set.of("/created_at");
          case DRAFT -> Set.of("/schema_version", "/started_at", "/ended_at");
        });
  }

  @Example
  void digest_covers_every_member() throws IOException {
    Session session = write(Dialect.TYPE, RICH);
    JsonObject receipt = ReceiptCodec.encode(Receipts.compute(session, Receipt.Form.OPENAGENTS_V1));
    for (Altered one : alter(receipt, "")) {
      assertThat(isFound(verify(session, JsonText.pretty(one.value()))))
          .as(one.pointer())
          .isTrue();
    }
  }

  @Example
  void draft_states_costs_and_tests() throws IOException {
    JsonObject receipt =
        ReceiptCodec.encode(Receipts.compute(write(Dialect.EVENT, RICH), Receipt.Form.DRAFT));

    assertThat(receipt.at("/costs")).hasToString("{\"total_tokens\":15,\"total_sats\":3}");
    assertThat(receipt.at("/verification"))
        .hasToString("{\"tests_before\":3,\"tests_after\":5,\"verification_delta\":2,"
            + "\"ci_status\":\"green\"}");
  }

  @Example
  void payments_of_fractions_of_a_satoshi_are_not_costs() throws IOException {
    Session session = write(Dialect.EVENT, List.of(payment(1_500L), payment(1L)));

    assertThat(
            ReceiptCodec.encode(Receipts.compute(session, Receipt.Form.DRAFT)).at("/costs"))
        .isEqualTo(JsonObject.EMPTY);
  }

  @Example
  void receipt_of_a_log_without_its_last_line_feed_has_the_hash_of_its_bytes() throws IOException {
    Session session = write(Dialect.EVENT, RICH);
    byte[] log = Files.readAllBytes(session.log());
    byte[] cut = Arrays.copyOf(log, log.length - 1);
    Files.write(session.log(), cut);

    SessionReceipt receipt = (SessionReceipt) Receipts.compute(session, Receipt.Form.SESSION);

    assertThat(receipt.replayHash()).isEqualTo(ContentHash.sha256(cut));
  }

  @Provide
  Arbitrary<List<ReplayEvent>> runs() {
    Arbitrary<String> ids = Arbitraries.of("a", "b", "c");
    Arbitrary<Long> numbers = Arbitraries.longs().between(0, 5_000).injectNull(0.2);
    Arbitrary<ReplayEvent> calls =
        Combinators.combine(ids, Arbitraries.of("read", "write")).as(ReceiptRoundTripTest::call);
    Arbitrary<ReplayEvent> results = Combinators.combine(
            ids, Arbitraries.doubles().between(-1, 1).injectNull(0.2), numbers)
        .as(ReceiptRoundTripTest::result);
    Arbitrary<ReplayEvent> verifications = Combinators.combine(
            Arbitraries.integers().between(0, 1), numbers, numbers)
        .as((exit, delta, tests) -> Verification.of(new CommandRun("make", exit, null, tests))
            .withDelta(delta)
            .withTests(tests == null ? null : new TestCounts(1, tests))
            .withCiStatus(delta == null ? null : "ci " + delta));
    Arbitrary<ReplayEvent> others = Arbitraries.of(
        PlanStart.of(PLAN, 1),
        new PlanStart(null, 1L, Meta.NONE),
        ModelResult.of("m", "hi").withTokens(TokenCounts.of(1, 2)),
        ModelResult.of("m", "hi"),
        payment(999L),
        payment(1_001L),
        SessionEnd.of(Status.FAILED).withConfidence(0.1));
    return Arbitraries.frequencyOf(
            Tuple.of(5, calls),
            Tuple.of(5, results),
            Tuple.of(1, verifications),
            Tuple.of(2, others))
        .list()
        .ofMaxSize(20);
  }

  private static ReplayEvent call(String id, String tool) {
    return ToolCall.of(id, tool, JsonObject.of("path", tool + ".txt"));
  }

  private static ReplayEvent result(String id, Double utility, Long latency) {
    return ToolResult.of(id, "output of " + latency)
        .withOutcome(Outcome.exit(utility == null ? 1 : 0))
        .withStepUtility(utility)
        .withLatencyMillis(latency)
        .withSideEffects(utility == null ? List.of() : List.of(SideEffect.of("fs_write", "a")));
  }

  private static ReplayEvent payment(long msats) {
    return new Payment(
        "lightning", "BTC", msats, JsonString.of("proof"), "job", Status.SUCCESS, Meta.NONE);
  }

  /** Writes a log of the events that the dialect can write. */
  private static Session write(Dialect dialect, List<ReplayEvent> run) throws IOException {
    Path log = directory.resolve(Session.LOG_NAME);
    Files.deleteIfExists(log);
    PolicyId policy = PolicyId.bundle("p-1");
    ReplayHeader header = ReplayHeader.of("p@1");
    SessionStart start = SessionStart.of("s-1")
        .withPolicy(policy)
        .withIssueNumber(42L)
        .withRepository(JsonObject.of("remote", "origin"));
    if (dialect == Dialect.DRAFT) {
      header = header.withPolicy(policy).withMeta(Meta.NONE.withSessionId("s-1"));
      start = start.withPolicy(null).withMeta(Meta.NONE);
    }
    try (ReplayWriter writer = ReplayWriter.create(log, header, OPTIONS.withDialect(dialect))) {
      writer.emit(start);
      for (ReplayEvent event : run) {
        if (event instanceof SessionEnd) { // whose totals the writer knows
          writer.emit(event);
          break;
        }
        if (canWrite(dialect, event)) {
          writer.emit(event);
        }
      }
    }
    return new Session(log, null);
  }

  /** Not every dialect has room for what is not known. */
  private static boolean canWrite(Dialect dialect, ReplayEvent event) {
    try {
      LineEncoder.of(dialect).encode(event, Timestamp.of(Instant.EPOCH));
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  private static void assertFits(Session session, Receipt receipt) throws IOException {
    VerificationReport report = verify(session, ReceiptFile.toText(receipt));

    assertThat(report.findings().stream().map(finding -> finding.code().name()))
        .as("%s %s", session.log(), report.findings())
        .noneMatch(ReceiptRoundTripTest::isAboutReceipt);
    assertThat(report.count(Counter.RECEIPT_CALLS)).isEqualTo(report.count(Counter.ANSWERED_CALLS));
    assertThat(report.count(Counter.LOG_DIGESTS_VERIFIED)
            + report.count(Counter.EVENT_DIGESTS_VERIFIED))
        .isEqualTo(1);
  }

  private static boolean isFound(VerificationReport report) {
    return report.verdict() != Verdict.VALID
        && report.findingCounts().keySet().stream()
            .anyMatch(code -> isAboutReceipt(code.name()) || code.name().startsWith("FIELD_"));
  }

  private static boolean isAboutReceipt(String code) {
    return code.startsWith("RECEIPT_")
        || code.equals("REPLAY_HASH_MISMATCH")
        || code.equals("TREE_ROOT_MISMATCH");
  }

  private static VerificationReport verify(Session session, String receipt) throws IOException {
    Path file = Files.writeString(directory.resolve(Session.RECEIPT_NAME), receipt);
    return SessionVerifier.of(VerifyPolicy.defaults()).verify(session.withReceipt(file));
  }

  /**
   * A value with one of its parts altered.
   *
   * @param pointer the pointer of the part
   */
  private record Altered(String pointer, JsonValue value) {}

  /** All that can be altered so that it says something else: what is null says nothing. */
  private static List<Altered> alter(JsonValue value, String pointer) {
    List<Altered> all = new ArrayList<>();
    if (value instanceof JsonObject object) {
      object.forEach((name, member) -> alter(member, pointer + "/" + name)
          .forEach(one -> all.add(new Altered(one.pointer(), object.with(name, one.value())))));
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        List<JsonValue> elements = new ArrayList<>(array.stream().toList());
        elements.remove(i);
        all.add(new Altered(pointer + " without " + i, JsonArray.copyOf(elements)));
        for (Altered one : alter(array.get(i), pointer + "/" + i)) {
          List<JsonValue> changed = new ArrayList<>(array.stream().toList());
          changed.set(i, one.value());
          all.add(new Altered(one.pointer(), JsonArray.copyOf(changed)));
        }
      }
      List<JsonValue> more = new ArrayList<>(array.stream().toList());
      more.add(array.size() == 0 ? JsonObject.EMPTY : array.get(0));
      all.add(new Altered(pointer + " with more", JsonArray.copyOf(more)));
    } else if (value instanceof JsonString text) {
      all.add(new Altered(pointer, JsonString.of(other(text.value()))));
    } else if (value instanceof JsonNumber number) {
      all.add(new Altered(pointer, JsonNumber.of(number.asDouble() + 1_000)));
      all.add(new Altered(pointer, JsonNumber.of((long) number.asDouble() + 1_000)));
    } else if (value instanceof JsonBoolean bool) {
      all.add(new Altered(pointer, JsonBoolean.of(!bool.value())));
    }
    return all;
  }

  /** Another text of the same kind: hashes and times stay such. */
  private static String other(String text) {
    if (text.isEmpty()) {
      return PLAN.toString();
    }
    Map<Character, Character> digits = Map.of('0', '1', '1', '2');
    int last = text.endsWith("Z") ? text.length() - 2 : text.length() - 1;
    char digit = text.charAt(last);
    return text.substring(0, last) + digits.getOrDefault(digit, '0') + text.substring(last + 1);
  }
}
