package dev.agentreplay.verify;

import static dev.agentreplay.verify.SealedSessions.SIGNER;
import static dev.agentreplay.verify.SealedSessions.STRANGER;
import static dev.agentreplay.verify.SealedSessions.TRUSTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.commitment.Commitment;
import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublishedHeader;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.VerificationReport.Claim;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import dev.agentreplay.verify.report.ReportJson;
import dev.agentreplay.verify.report.VerificationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Published logs: openings, public root, and what a report says about them. */
class PublishedLogTest {

  private static final TestPublisher CLOSED = TestPublisher.closed();
  private static final List<JsonObject> LINES = TestPublisher.salted(TestLog.small());

  @TempDir
  private Path directory;

  @Test
  void log_under_a_matching_signed_checkpoint_is_valid_and_signed() throws IOException {
    Session session = CLOSED.write(directory, TestLog.small(), SIGNER);

    VerificationReport report =
        verify(session, VerifyPolicy.defaults().requiringSignature(TRUSTED));

    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.signers()).containsExactly(SIGNER.keyId());
    assertThat(report.count(Counter.LINES_SIGNED)).isEqualTo(10);
    assertThat(report.count(Counter.PUBLISHED_LINES)).isEqualTo(10);
    assertThat(report.count(Counter.PUBLISHED_LINES_VERIFIED)).isEqualTo(10);
    // the salt, and of each of two calls params, params_hash and output_hash
    assertThat(report.count(Counter.VALUES_WITHHELD)).isEqualTo(7);
    assertThat(report.count(Counter.VALUES_REDACTED)).isEqualTo(2);
    long members = LINES.stream().mapToLong(JsonObject::size).sum();
    assertThat(report.count(Counter.VALUES_SHOWN)).isEqualTo(members - 9);
    assertThat(report.count(Counter.PARAMS_HASHES_UNVERIFIABLE)).isEqualTo(2);
    assertThat(report.count(Counter.OUTPUT_HASHES_UNVERIFIABLE)).isEqualTo(2);
    assertThat(report.count(Counter.PAYLOAD_HASHES_VERIFIED)).isOne();
    Publication publication = Objects.requireNonNull(report.publication());
    assertThat(publication.form()).isEqualTo("replay.public/1");
    assertThat(publication.policyId()).isEqualTo("test");
    assertThat(publication.policyHash()).isEqualTo(TestPublisher.POLICY);
    assertThat(publication.source()).isEqualTo("valid");
    assertThat(publication.tree()).isEqualTo(CLOSED.tree(LINES).head());
    assertThat(texts(report, Claim.PUBLICATION))
        .containsExactly(
            "+%d values of 10 lines are unchanged: their commitments lead to the public root in"
                    .formatted(members - 9)
                + " PUBLIC_CHECKPOINT.json, signed by the trusted key " + SIGNER.keyId(),
            "-7 values withheld and 2 redacted by the policy test (" + TestPublisher.POLICY
                + "); what is shown in place of a value is not proved",
            "-the verdict on the session that was published: only the publisher states it, as valid");
    assertThat(texts(report, Claim.SIGNER))
        .containsExactly(
            "+a trusted key has signed every value that is shown unchanged: " + SIGNER.keyId());
  }

  @Test
  void policies_of_one_session_have_the_same_root() throws IOException {
    TreeHead root = CLOSED.tree(LINES).head();
    for (TestPublisher publisher : List.of(CLOSED, TestPublisher.open())) {
      VerificationReport report =
          verify(publisher.write(directory, TestLog.small(), null), VerifyPolicy.defaults());
      assertThat(report.verdict()).isEqualTo(Verdict.VALID);
      assertThat(report.publication().tree()).isEqualTo(root);
    }
  }

  @Test
  void values_that_are_shown_are_checked_against_their_hashes() throws IOException {
    VerificationReport report = verify(
        TestPublisher.open().write(directory, TestLog.small(), null), VerifyPolicy.defaults());

    assertThat(report.count(Counter.PARAMS_HASHES_VERIFIED)).isEqualTo(2);
    assertThat(report.count(Counter.OUTPUT_HASHES_VERIFIED)).isEqualTo(2);
    assertThat(report.count(Counter.VALUES_WITHHELD)).isOne();
  }

  @Test
  void padded_form_is_verified() throws IOException {
    TestPublisher padded = new TestPublisher(
        new PublicForm(8), Set.of("salt", "params"), Set.of("output"), Set.of("params_hash"));

    VerificationReport report =
        verify(padded.write(directory, TestLog.small(), null), VerifyPolicy.defaults());

    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.publication().form()).isEqualTo("replay.public/1+pad8");
    assertThat(report.count(Counter.PUBLISHED_LINES_VERIFIED)).isEqualTo(10);
  }

  /** An alteration of a published line, and a part of the message of its finding. */
  private record Alteration(int line, UnaryOperator<JsonObject> edit, String message) {
    @Override
    public String toString() {
      return message;
    }
  }

  static Stream<Alteration> openings() {
    return Stream.of(
        new Alteration(4, line -> line.without("disclosure"), "the line has no member disclosure"),
        new Alteration(
            4, line -> line.with("disclosure", 7), "/disclosure: must be a seed or an object"),
        new Alteration(
            4,
            line -> line.with("disclosure", "x"),
            "/disclosure: must be 43 characters of base64url"),
        new Alteration(
            4,
            line -> line.with(
                "disclosure", JsonObject.of("commitment", commitmentText(), "rule", "secret:all")),
            "must be a seed or open the members of the line"),
        new Alteration(
            4, line -> line.without("tool"), "/tool: the opening shows a value, but there is none"),
        new Alteration(
            4, line -> line.with("added", 1), "/added: the value is shown without an opening"),
        new Alteration(
            4,
            line -> line.with("params", JsonObject.of("path", "a")),
            "/params: the value is shown without an opening"),
        new Alteration(
            1,
            line -> line.with("published", JsonObject.of("form", "replay.public/1")),
            "/published/policy: must be an object, found nothing"),
        new Alteration(
            1, line -> line.with("published", true), "/published: must be an object, found true"),
        new Alteration(
            1,
            line -> line.with(
                "published", line.get("published").asObject().with("form", "replay.public/2")),
            "/published/form: replay.public/2 is not known"),
        new Alteration(
            4,
            line -> line.with("params_hash", "sha256:" + "0".repeat(64)),
            "/params_hash: must be the commitment of the hash, found"),
        new Alteration(
            5,
            line -> line.with("output_hash", "sha256:" + "0".repeat(64)),
            "/output_hash: must be the commitment of the hash, found"),
        new Alteration(
            5,
            line -> edit(
                line,
                "event",
                opening -> JsonObject.of("commitment", commitmentText(), "rule", "policy")),
            "/event: the type of the event must be shown unchanged"));
  }

  private static String commitmentText() {
    return CLOSED
        .committer()
        .commit(JsonValue.of(1), CLOSED.seed(LINES.get(0), 1))
        .text();
  }

  private static JsonObject edit(JsonObject line, String member, UnaryOperator<JsonValue> change) {
    JsonObject opening = line.get("disclosure").asObject();
    JsonObject members = opening.get("members").asObject();
    return line.with(
        "disclosure",
        opening.with("members", members.with(member, change.apply(members.get(member)))));
  }

  @ParameterizedTest
  @MethodSource("openings")
  void opening_that_does_not_fit_is_reported_at_its_line(Alteration alteration) throws IOException {
    List<JsonObject> published = new ArrayList<>(CLOSED.publish(LINES));
    published.set(alteration.line - 1, alteration.edit.apply(published.get(alteration.line - 1)));

    VerificationReport report = verify(
        TestPublisher.write(directory, published, CLOSED.checkpoint(LINES).sign(SIGNER)),
        VerifyPolicy.defaults().requiringSignature(TRUSTED));

    Finding finding = report.findings().stream()
        .filter(found -> found.code() == FindingCode.DISCLOSURE_INVALID)
        .findFirst()
        .orElseThrow();
    assertThat(finding.message()).contains(alteration.message);
    assertThat(finding.position().line()).isEqualTo(alteration.line);
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.signers()).isEmpty();
    assertThat(report.unmet()).containsExactly(Requirement.SIGNATURE);
  }

  @ParameterizedTest
  @CsvSource({"4,tool,other", "4,id,c-3", "5,latency_ms,7", "10,status,Failure"})
  void value_that_was_altered_does_not_lead_to_the_root(int line, String member, String value)
      throws IOException {
    List<JsonObject> published = new ArrayList<>(CLOSED.publish(LINES));
    JsonValue changed = member.equals("latency_ms") ? JsonValue.of(7) : JsonValue.of(value);
    published.set(line - 1, published.get(line - 1).with(member, changed));

    VerificationReport report = verify(
        TestPublisher.write(directory, published, CLOSED.checkpoint(LINES).sign(SIGNER)),
        VerifyPolicy.defaults().requiringSignature(TRUSTED));

    assertThat(report.findingCounts()).containsKey(FindingCode.PUBLIC_ROOT_MISMATCH);
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.count(Counter.PUBLISHED_LINES_VERIFIED)).isZero();
    assertThat(report.count(Counter.LINES_SIGNED)).isZero();
    assertThat(texts(report, Claim.PUBLICATION))
        .anyMatch(text ->
            text.startsWith("-that ") && text.endsWith("do not lead to the stated public root"));
  }

  @Test
  void lines_that_were_moved_dropped_or_repeated_do_not_lead_to_the_root() throws IOException {
    List<JsonObject> published = CLOSED.publish(LINES);
    List<JsonObject> moved = new ArrayList<>(published);
    moved.add(6, moved.remove(3));
    List<JsonObject> dropped = new ArrayList<>(published);
    dropped.remove(8);
    List<JsonObject> repeated = new ArrayList<>(published);
    repeated.add(3, published.get(2));
    for (List<JsonObject> lines : List.of(moved, dropped, repeated)) {
      VerificationReport report = verify(
          TestPublisher.write(directory, lines, CLOSED.checkpoint(LINES)), VerifyPolicy.defaults());
      assertThat(report.findingCounts()).containsKey(FindingCode.PUBLIC_ROOT_MISMATCH);
    }
  }

  @Test
  void checkpoint_of_a_stranger_or_unsigned_does_not_count_as_signature() throws IOException {
    VerifyPolicy trusting = VerifyPolicy.defaults().requiringSignature(TRUSTED);
    VerificationReport unsigned = verify(CLOSED.write(directory, TestLog.small(), null), trusting);
    assertThat(unsigned.findings()).isEmpty();
    assertThat(unsigned.unmet()).containsExactly(Requirement.SIGNATURE);
    assertThat(texts(unsigned, Claim.PUBLICATION))
        .contains("-the author of the public root: it is not signed, so anyone can make one that"
            + " matches");

    VerificationReport foreign =
        verify(CLOSED.write(directory, TestLog.small(), STRANGER), trusting);
    assertThat(codes(foreign)).containsExactly(FindingCode.SIGNATURE_UNVERIFIABLE);
    assertThat(foreign.unmet()).containsExactly(Requirement.SIGNATURE);
    assertThat(texts(foreign, Claim.PUBLICATION))
        .contains("-the author of the public root: it is signed, but not with a trusted key");
  }

  @Test
  void checkpoint_that_is_malformed_or_was_altered_is_invalid() throws IOException {
    Session session = CLOSED.write(directory, TestLog.small(), SIGNER);
    Path file = directory.resolve(Session.PUBLIC_CHECKPOINT_NAME);
    String text = Files.readString(file);

    Files.writeString(file, "{}");
    VerificationReport malformed = verify(session, VerifyPolicy.defaults());
    assertThat(codes(malformed)).containsExactly(FindingCode.SIGNATURE_INVALID);
    assertThat(texts(malformed, Claim.PUBLICATION))
        .anyMatch(claim -> claim.endsWith("PUBLIC_CHECKPOINT.json is malformed"));

    String forged = text.replaceFirst("\"sig\":\"....", "\"sig\":\"AAAA");
    Files.writeString(file, forged);
    assertThat(codes(verify(session, VerifyPolicy.defaults().withKeys(TRUSTED))))
        .containsExactly(FindingCode.SIGNATURE_INVALID);
  }

  @Test
  void log_without_a_checkpoint_proves_nothing_about_its_values() throws IOException {
    Session session = TestPublisher.write(directory, CLOSED.publish(LINES), null);

    VerificationReport report = verify(session, VerifyPolicy.defaults());

    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.PUBLISHED_LINES_VERIFIED)).isZero();
    assertThat(texts(report, Claim.PUBLICATION))
        .anyMatch(text ->
            text.endsWith("unchanged: there is no public checkpoint: PUBLIC_CHECKPOINT.json"));
  }

  @Test
  void trusted_public_checkpoint_confirms_the_log() throws IOException {
    Session session = TestPublisher.write(directory, CLOSED.publish(LINES), null);
    TreeHead head = CLOSED.tree(LINES).head();

    VerificationReport report =
        verify(session, VerifyPolicy.defaults().withPublicCheckpoints(List.of(head)));

    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.PUBLISHED_LINES_VERIFIED)).isEqualTo(10);
    assertThat(texts(report, Claim.PUBLICATION).get(0))
        .endsWith("lead to the root of 1 trusted public checkpoint");
  }

  @Test
  void trusted_public_checkpoint_of_fewer_or_more_lines_is_compared() throws IOException {
    Session session = TestPublisher.write(directory, CLOSED.publish(LINES), null);
    TreeHead first = CLOSED.tree(LINES.subList(0, 4)).head();

    VerificationReport report =
        verify(session, VerifyPolicy.defaults().withPublicCheckpoints(List.of(first)));
    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.PUBLISHED_LINES_VERIFIED)).isEqualTo(4);
    assertThat(texts(report, Claim.PUBLICATION))
        .anyMatch(text -> text.endsWith("cover only the first 4 lines"));

    for (TreeHead other :
        List.of(new TreeHead(4, TestPublisher.POLICY), new TreeHead(11, first.root()))) {
      assertThat(
              codes(verify(session, VerifyPolicy.defaults().withPublicCheckpoints(List.of(other)))))
          .containsExactly(FindingCode.PUBLIC_ROOT_MISMATCH);
    }
  }

  @Test
  void checkpoint_of_a_different_form_does_not_match() throws IOException {
    PublicCheckpoint padded =
        PublicCheckpoint.of(new PublicForm(8), CLOSED.tree(LINES).head(), null);

    VerificationReport report = verify(
        TestPublisher.write(directory, CLOSED.publish(LINES), padded), VerifyPolicy.defaults());

    assertThat(report.findings())
        .extracting(Finding::message)
        .containsExactly("PUBLIC_CHECKPOINT.json is of the public form replay.public/1+pad8, but"
            + " the log is of replay.public/1");
  }

  @Test
  void plain_form_has_no_commitments_to_check() throws IOException {
    List<JsonObject> lines = new ArrayList<>(LINES);
    lines.set(0, lines.get(0).without("salt").with("published", CLOSED.header("plain")));
    lines.set(3, lines.get(3).without("params"));

    VerificationReport report =
        verify(TestPublisher.write(directory, lines, null), VerifyPolicy.defaults());

    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.count(Counter.PARAMS_HASHES_UNVERIFIABLE)).isOne();
    assertThat(report.count(Counter.VALUES_SHOWN)).isZero();
    assertThat(texts(report, Claim.PUBLICATION))
        .containsExactly(
            "-that values are unchanged: the log has no commitments; the policy test ("
                + TestPublisher.POLICY + ") determined what it shows",
            "-the verdict on the session that was published: only the publisher states it, as valid");
    assertThat(codes(verify(
            Session.open(directory),
            VerifyPolicy.defaults()
                .withPublicCheckpoints(List.of(CLOSED.tree(LINES).head())))))
        .containsExactly(FindingCode.PUBLIC_ROOT_MISMATCH);
  }

  @Test
  void source_that_did_not_verify_is_stated() throws IOException {
    List<JsonObject> published = new ArrayList<>(CLOSED.publish(LINES));
    JsonObject header = published.get(0).get("published").asObject();
    published.set(0, published.get(0).with("published", header.with("source", "invalid")));

    VerificationReport report = verify(
        TestPublisher.write(directory, published, CLOSED.checkpoint(LINES)),
        VerifyPolicy.defaults());

    assertThat(texts(report, Claim.PUBLICATION))
        .contains("-the verdict on the session that was published: only the publisher states it, as"
            + " invalid");
  }

  @Test
  void unreadable_line_leaves_the_root_unknown() throws IOException {
    Session session = CLOSED.write(directory, TestLog.small(), SIGNER);
    Files.writeString(session.log(), Files.readString(session.log()).replaceFirst("\n\\{", "\n"));

    VerificationReport report =
        verify(session, VerifyPolicy.defaults().requiringSignature(TRUSTED));

    assertThat(report.findingCounts()).doesNotContainKey(FindingCode.PUBLIC_ROOT_MISMATCH);
    assertThat(report.publication().tree()).isNull();
    assertThat(report.signers()).isEmpty();
    assertThat(texts(report, Claim.PUBLICATION))
        .anyMatch(text -> text.endsWith("1 line cannot be read"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"disclosure", "published"})
  void member_with_a_name_of_the_format_is_hidden_in_any_policy(String name) throws IOException {
    List<JsonObject> lines = new ArrayList<>(LINES);
    lines.set(0, lines.get(0).with(name, "of the session"));
    TestPublisher publisher =
        new TestPublisher(PublicForm.DEFAULT, Set.of("salt", name), Set.of(), Set.of());

    VerificationReport report = verify(
        TestPublisher.write(directory, publisher.publish(lines), publisher.checkpoint(lines)),
        VerifyPolicy.defaults());

    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.PUBLISHED_LINES_VERIFIED)).isEqualTo(10);
  }

  @Test
  void private_log_that_claims_to_be_published_is_refused() throws IOException {
    List<JsonObject> lines = new ArrayList<>(LINES);
    lines.set(0, lines.get(0).with("published", CLOSED.header("replay.public/1")));

    VerificationReport report =
        verify(TestPublisher.write(directory, lines, null), VerifyPolicy.defaults());

    assertThat(report.count(FindingCode.DISCLOSURE_INVALID)).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TOOL_CALL | /params/path/0 | is not shown, and may be a hidden member",
        "TOOL_RESULT | /output | is replaced (secret:test)",
        "TOOL_RESULT | /output/path | is replaced (secret:test)",
        "TOOL_RESULT | '' | is shown in part",
        "TOOL_RESULT | /latency_ms |",
        "SESSION_END | '' |"
      })
  void value_that_is_expected_to_be_shown_is_missing_unless_it_is_shown_unchanged(
      EventKind kind, String pointer, @Nullable String reason) throws IOException {
    VerifyPolicy policy = expectingShown(kind, pointer);

    VerificationReport report =
        verify(CLOSED.write(directory.resolve("copy"), TestLog.small(), null), policy);
    String place = pointer.isEmpty() ? "the line" : pointer;

    assertThat(report.verdict()).isEqualTo(reason == null ? Verdict.VALID : Verdict.INVALID);
    assertThat(report.findings())
        .allMatch(finding -> finding.code() == FindingCode.DISCLOSURE_MISSING)
        .extracting(Finding::message)
        .hasSize(reason == null ? 0 : 2)
        .allMatch("%s %s, but is expected to be shown".formatted(place, reason)::equals);
    assertThat(
            TestLog.small().verify(directory, null, policy).count(FindingCode.DISCLOSURE_MISSING))
        .isZero();
  }

  @ParameterizedTest
  @CsvSource({"TOOL_RESULT, /absent, ToolResult", "PAYMENT, /amount_msats, Payment"})
  void value_that_no_event_has_is_not_shown(EventKind kind, String pointer, String type)
      throws IOException {
    VerifyPolicy policy = expectingShown(kind, pointer);
    String message = "no %s has %s, which is expected to be shown".formatted(type, pointer);

    for (VerificationReport report : List.of(
        verify(CLOSED.write(directory.resolve("copy"), TestLog.small(), null), policy),
        TestLog.small().verify(directory, null, policy))) {
      assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
      assertThat(report.findings())
          .extracting(Finding::code, Finding::message)
          .containsExactly(tuple(FindingCode.EXPECTATION_UNMET, message));
    }
  }

  @Test
  void no_value_of_a_plain_copy_meets_an_expectation() throws IOException {
    List<JsonObject> plain = new ArrayList<>();
    LINES.forEach(line -> plain.add(line.without("salt")));
    plain.set(0, plain.get(0).with("published", CLOSED.header(PublishedHeader.PLAIN)));

    VerificationReport report = verify(
        TestPublisher.write(directory, plain, null),
        expectingShown(EventKind.TOOL_RESULT, "/output"));

    assertThat(messages(report, FindingCode.DISCLOSURE_MISSING))
        .hasSize(2)
        .allMatch(("/output cannot be verified in a copy with plain hashes, but is expected to be"
            + " shown")::equals);
  }

  @Test
  void event_whose_type_is_withheld_may_be_of_the_expected_kind() throws IOException {
    Committer committer = CLOSED.committer();
    List<JsonObject> published = new ArrayList<>(CLOSED.publish(LINES));
    Commitment type = committer.commit(
        JsonValue.of("Verification"), committer.member(CLOSED.seed(LINES.get(7), 8), "event"));
    JsonObject opening = JsonObject.of("commitment", type.text(), "rule", "policy");
    published.set(7, edit(published.get(7), "event", any -> opening).with("event", "Withheld"));
    Session session = TestPublisher.write(directory, published, CLOSED.checkpoint(LINES));

    VerificationReport report =
        verify(session, expectingShown(EventKind.VERIFICATION, "/exit_codes"));

    assertThat(report.count(Counter.PUBLISHED_LINES_VERIFIED)).isEqualTo(10);
    assertThat(messages(report, FindingCode.DISCLOSURE_MISSING))
        .containsExactly("the type of the event is withheld, and may be Verification, of which"
            + " /exit_codes is expected to be shown");
    assertThat(verify(session, VerifyPolicy.defaults()).verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void line_with_an_invalid_opening_is_reported_once() throws IOException {
    List<JsonObject> published = new ArrayList<>(CLOSED.publish(LINES));
    published.set(4, published.get(4).without("disclosure"));
    published.set(6, published.get(6).without("disclosure"));

    VerificationReport report = verify(
        TestPublisher.write(directory, published, CLOSED.checkpoint(LINES)),
        expectingShown(EventKind.TOOL_RESULT, "/output"));

    assertThat(messages(report, FindingCode.DISCLOSURE_INVALID)).hasSize(2);
    assertThat(messages(report, FindingCode.DISCLOSURE_MISSING)).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "output_ref | /output | is in a blob, which is not published",
        "output_ref | /output/stdout | is in a blob, which is not published",
        "prompt_delta | /prompt | is not shown (prompt_delta)"
      })
  void content_that_is_not_in_its_member_is_not_shown(String member, String pointer, String reason)
      throws IOException {
    EventKind kind = member.equals("output_ref") ? EventKind.TOOL_RESULT : EventKind.MODEL_CALL;
    JsonObject line = JsonObject.of(
        "event", kind.id(), "id", "c-9", member, JsonObject.of("hash", "sha256:" + "0".repeat(64)));
    List<JsonObject> lines = new ArrayList<>(LINES);
    lines.add(8, line);
    List<JsonObject> published = new ArrayList<>(CLOSED.publish(lines));
    Commitment commitment = CLOSED
        .committer()
        .commit(line.get(member), CLOSED.committer().member(CLOSED.seed(line, 9), member));
    published.set(
        8,
        edit(published.get(8), member, any -> JsonObject.of("commitment", commitment.text()))
            .without(member));

    VerificationReport report = verify(
        TestPublisher.write(directory, published, CLOSED.checkpoint(lines)),
        expectingShown(kind, pointer));

    assertThat(report.count(Counter.PUBLISHED_LINES_VERIFIED)).isEqualTo(11);
    assertThat(messages(report, FindingCode.DISCLOSURE_MISSING))
        .contains("%s %s, but is expected to be shown".formatted(pointer, reason));
  }

  private static List<String> messages(VerificationReport report, FindingCode code) {
    return report.findings().stream()
        .filter(finding -> finding.code() == code)
        .map(Finding::message)
        .toList();
  }

  private static VerifyPolicy expectingShown(EventKind kind, String pointer) {
    return VerifyPolicy.defaults().expecting(Expectation.shown(kind, JsonPointer.parse(pointer)));
  }

  @Test
  void policy_that_is_not_a_preset_is_stated_by_a_commitment() throws IOException {
    Commitment commitment = CLOSED.committer().policy(TestPublisher.SALT, "{}");
    List<JsonObject> published = new ArrayList<>(CLOSED.publish(LINES));
    PublishedHeader header =
        new PublishedHeader("replay.public/1", "custom", null, commitment, "valid");
    published.set(0, published.get(0).with("published", header.toJson()));

    VerificationReport report = verify(
        TestPublisher.write(directory, published, CLOSED.checkpoint(LINES)),
        VerifyPolicy.defaults());

    assertThat(report.findings()).isEmpty();
    assertThat(report.publication().policyHash()).isNull();
    assertThat(report.publication().policyCommitment()).isEqualTo(commitment);
    assertThat(ReportJson.render(report).at("/publication/policy").toString())
        .isEqualTo("{\"commitment\":\"%s\",\"hash\":null,\"id\":\"custom\"}".formatted(commitment));
    assertThat(texts(report, Claim.PUBLICATION))
        .anyMatch(text -> text.contains("redacted by the policy custom; what is shown"));
  }

  @Test
  void expected_session_id_counts_only_if_it_is_shown_unchanged() throws IOException {
    VerifyPolicy expecting = VerifyPolicy.defaults().expecting(new Expectation.SessionId("s-1"));
    assertThat(verify(CLOSED.write(directory, TestLog.small(), null), expecting).findings())
        .isEmpty();
    List<JsonObject> published = new ArrayList<>(CLOSED.publish(LINES));
    published.set(
        1,
        edit(
            published.get(1),
            "session_id",
            opening -> JsonObject.of(
                "commitment",
                CLOSED
                    .committer()
                    .commit(
                        JsonValue.of("s-1"),
                        CLOSED.committer().member(CLOSED.seed(LINES.get(1), 2), "session_id"))
                    .text(),
                "rule",
                "path")));

    VerificationReport replaced =
        verify(TestPublisher.write(directory, published, CLOSED.checkpoint(LINES)), expecting);

    assertThat(replaced.count(Counter.PUBLISHED_LINES_VERIFIED)).isEqualTo(10);
    assertThat(replaced.findings())
        .extracting(Finding::message)
        .containsExactly("no event shows unchanged a session_id, but \"s-1\" is expected");
    assertThat(replaced.verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void reports_show_the_publication() throws IOException {
    VerificationReport report =
        verify(CLOSED.write(directory, TestLog.small(), SIGNER), VerifyPolicy.defaults());

    assertThat(VerificationText.render(report, "s", VerificationText.PLAIN))
        .contains("published   replay.public/1, under the policy test\n");
    assertThat(ReportJson.render(report).get("publication"))
        .isEqualTo(JsonObject.of(
            "form",
            "replay.public/1",
            "policy",
            JsonObject.of(
                "id", "test", "hash", TestPublisher.POLICY.toString(), "commitment", null),
            "source",
            "valid",
            "public_root",
            CLOSED.tree(LINES).head().root().toString(),
            "tree_size",
            10));
  }

  @Test
  void every_flipped_character_of_a_published_line_is_noticed() throws IOException {
    List<JsonObject> published = CLOSED.publish(LINES);
    PublicCheckpoint checkpoint = CLOSED.checkpoint(LINES);
    TestPublisher.write(directory, published, checkpoint);
    VerifyPolicy policy = VerifyPolicy.defaults();
    String line = CanonicalJson.SERDE.text(published.get(3));
    String log = Files.readString(directory.resolve(Session.LOG_NAME));
    int rule = line.indexOf("\"commitment\"}"); // the name of a rule is not covered
    for (int i = 0; i < line.length(); i++) {
      if (i > rule && i < rule + "\"commitment".length()) {
        continue;
      }
      char flipped = (char) (line.charAt(i) ^ 1);
      String altered = line.substring(0, i) + flipped + line.substring(i + 1);
      Files.writeString(directory.resolve(Session.LOG_NAME), log.replace(line, altered));
      VerificationReport report =
          verify(new Session(directory.resolve(Session.LOG_NAME), null), policy);
      assertThat(report.verdict())
          .as("%d: %s", i, altered)
          .isIn(Verdict.INVALID, Verdict.UNREADABLE);
    }
  }

  private static VerificationReport verify(Session session, VerifyPolicy policy)
      throws IOException {
    return SessionVerifier.of(policy).verify(session);
  }

  private static List<FindingCode> codes(VerificationReport report) {
    return report.findings().stream().map(Finding::code).toList();
  }

  private static List<String> texts(VerificationReport report, Claim claim) {
    return report.conclusions().stream()
        .filter(conclusion -> conclusion.claim() == claim)
        .map(conclusion -> (conclusion.isProved() ? "+" : "-") + conclusion.text())
        .toList();
  }
}
