package dev.agentreplay.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.commitment.Commitment;
import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublishedLine;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.publish.PublicationRefusedException.Reason;
import dev.agentreplay.publish.PublishOptions.Hashes;
import dev.agentreplay.publish.policy.PublicationPolicy;
import dev.agentreplay.verify.Expectation;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Published copies: their files, and how the copies of one session are related. */
class SessionPublisherTest {

  private static final Ed25519Signer KEY = Ed25519Signer.generate();
  private static final Salt SALT = Salt.of(new byte[Salt.BYTES]);
  private static final String CHECKPOINT = Session.PUBLIC_CHECKPOINT_NAME;

  @TempDir
  private Path directory;

  private Session session;

  @BeforeEach
  void record() throws IOException {
    session = RecordedSecrets.record(
        directory.resolve("recorded"),
        JsonObject.of("pin", 4711, "note", "in /home/ada/work", "to", List.of("a", 1.5e-9)),
        JsonObject.of("state", "done"),
        KEY);
  }

  @Test
  void copy_has_the_files_of_a_session_and_verifies() throws IOException {
    Files.writeString(directory.resolve("recorded/PR_SUMMARY.md"), "Summary");
    Files.writeString(directory.resolve("recorded/REPLAY.jsonl.torn"), "{");
    Files.writeString(directory.resolve("recorded").resolve(Session.ACCEPTED_NAME), "{}");
    PublicationReport report = publish("copy", PublishOptions.defaults());

    assertThat(names("copy")).containsExactlyInAnyOrder("REPLAY.jsonl", "RECEIPT.json", CHECKPOINT);
    assertThat(report.files()).containsExactlyInAnyOrderElementsOf(names("copy"));
    assertThat(verify("copy").verdict()).isEqualTo(Verdict.VALID);
    assertThat(verify("copy").findingCounts().keySet())
        .allMatch(code -> code == FindingCode.SIGNATURE_UNVERIFIABLE);
    assertThat(text("copy")).doesNotContainPattern(word("4711|ada|salt"));
    assertThat(JsonText.parse(Files.readString(session.receipt()))
            .at("/public_root")
            .asString())
        .isEqualTo(report.checkpoint().tree().root().toString());
  }

  @Test
  void all_copies_have_one_root_and_one_signature() throws IOException {
    for (String preset : PublicationPolicy.presets()) {
      publish(preset, PublishOptions.defaults().withPolicy(PublicationPolicy.preset(preset)));
      assertThat(directory.resolve(preset).resolve(CHECKPOINT))
          .hasSameBinaryContentAs(directory.resolve("recorded").resolve(CHECKPOINT));
    }
  }

  @Test
  void more_open_copy_is_the_closed_one_with_openings_in_place_of_commitments() throws IOException {
    List<PublishedLine> closed = lines("closed", PublicationPolicy.PARANOID);
    List<PublishedLine> open = lines("open", PublicationPolicy.OPEN_SOURCE);
    int opened = 0;
    for (int i = 0; i < closed.size(); i++) {
      opened +=
          opened(closed.get(i).opening(), open.get(i).shown(), open.get(i).opening(), i + ":");
    }
    assertThat(opened).isGreaterThan(20);
  }

  /** Counts the values that only the open copy shows, each of which leads to the commitment. */
  private static int opened(Opening closed, JsonValue shown, Opening open, String at) {
    Committer committer = new Committer(PublicForm.DEFAULT);
    Opening closedParts = committer.expand(shown, closed);
    if (closed instanceof Opening.Withheld withheld) {
      Commitment commitment = committer.commit(shown == null ? JsonObject.EMPTY : shown, open);
      assertThat(commitment).as(at).isEqualTo(withheld.commitment());
      return open instanceof Opening.Withheld ? 0 : 1;
    } else if (closedParts instanceof Opening.Members members) {
      Opening openParts = committer.expand(shown, open);
      int sum = 0;
      for (var member : members.members().entrySet()) {
        Opening other = ((Opening.Members) openParts).members().get(member.getKey());
        assertThat(other).as(at + "/" + member.getKey()).isNotNull();
        sum += opened(
            member.getValue(),
            shown.asObject().get(member.getKey()),
            other,
            at + "/" + member.getKey());
      }
      return sum;
    }
    return 0;
  }

  @ParameterizedTest
  @ValueSource(strings = {"open_source", "private_repo", "paranoid"})
  void publishing_a_copy_again_changes_nothing(String preset) throws IOException {
    PublishOptions options = PublishOptions.defaults().withPolicy(PublicationPolicy.preset(preset));
    publish("first", options);
    SessionPublisher.publish(
        Session.open(directory.resolve("first")), directory.resolve("second"), options);

    for (String name : names("first")) {
      assertThat(directory.resolve("second").resolve(name))
          .hasSameBinaryContentAs(directory.resolve("first").resolve(name));
    }
  }

  @Test
  void copy_can_be_published_with_a_policy_that_shows_less() throws IOException {
    publish("open", PublishOptions.defaults().withPolicy(PublicationPolicy.OPEN_SOURCE));
    SessionPublisher.publish(
        Session.open(directory.resolve("open")),
        directory.resolve("closed"),
        PublishOptions.defaults());

    assertThat(text("closed")).doesNotContainPattern(word("4711"));
    assertThat(directory.resolve("closed").resolve(CHECKPOINT))
        .hasSameBinaryContentAs(directory.resolve("recorded").resolve(CHECKPOINT));
    assertThat(verify("closed").verdict()).isEqualTo(Verdict.VALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"event", "type"})
  void copies_of_all_events_are_as_in_the_golden_files(String dialect) throws IOException {
    Path log = directory.resolve("all").resolve("REPLAY.jsonl");
    Files.createDirectories(log.getParent());
    String lines =
        Files.readString(Path.of("src/test/resources/policy/lines.%s.jsonl".formatted(dialect)));
    // a header with this member would be that of a published copy
    Files.writeString(log, lines.replaceFirst("\"published\":\\{\"form\":\"x\"\\},", ""));
    for (String preset : PublicationPolicy.presets()) {
      Path out = directory.resolve(preset);
      SessionPublisher.publish(
          Session.open(log.getParent()),
          out,
          PublishOptions.defaults().withPolicy(PublicationPolicy.preset(preset)).withForce(true));
      GoldenFile.compare(
          Path.of("src/test/resources/published/%s.%s.jsonl".formatted(preset, dialect)),
          Files.readString(out.resolve("REPLAY.jsonl")));
    }
  }

  @Test
  void log_without_a_salt_needs_one_that_is_kept() throws IOException {
    Path plain = directory.resolve("plain");
    Files.createDirectories(plain);
    Files.writeString(
        plain.resolve("REPLAY.jsonl"),
        Files.readString(session.log()).replaceFirst(",\"salt\":\"[^\"]+\"", ""));
    Session unsalted = Session.open(plain);

    assertThatThrownBy(() ->
            SessionPublisher.publish(unsalted, directory.resolve("out"), PublishOptions.defaults()))
        .isInstanceOf(PublicationRefusedException.class)
        .hasMessageContaining("give one, which you keep")
        .extracting(e -> ((PublicationRefusedException) e).reason())
        .isEqualTo(Reason.SALT_MISSING);
    PublishOptions salted = PublishOptions.defaults().withSalt(SALT);
    PublicCheckpoint first =
        SessionPublisher.publish(unsalted, directory.resolve("a"), salted).checkpoint();
    PublicCheckpoint again =
        SessionPublisher.publish(unsalted, directory.resolve("b"), salted).checkpoint();
    assertThat(again).hasToString(first.toString());
    assertThat(first.original()).isNotNull();
    String root =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(unsalted).root().hex();
    assertThat(text("a")).doesNotContain(root);
  }

  @Test
  void session_that_does_not_verify_is_refused_unless_forced() throws IOException {
    String log = Files.readString(session.log()).replace("src/a.txt", "src/c.txt");
    Files.writeString(session.log(), log);

    assertThatThrownBy(() -> publish("refused", PublishOptions.defaults()))
        .isInstanceOf(PublicationRefusedException.class)
        .hasMessageContaining("does not verify")
        .hasMessageContaining("PARAMS_HASH_MISMATCH");
    assertThat(directory.resolve("refused")).doesNotExist();
    publish("forced", PublishOptions.defaults().withForce(true));
    assertThat(text("forced")).contains("\"source\":\"invalid\"");
  }

  @Test
  void draft_is_refused_with_the_next_step() throws IOException {
    Path draft = directory.resolve("draft");
    Files.createDirectories(draft);
    Files.writeString(
        draft.resolve("REPLAY.jsonl"),
        "{\"session_id\":\"s\",\"started_at\":\"2026-01-13T10:00:00Z\",\"type\":\"ReplayHeader\","
            + "\"version\":\"1.0.0\"}\n{\"task\":\"t\",\"type\":\"SessionStart\"}\n");

    assertThatThrownBy(() -> SessionPublisher.publish(
            Session.open(draft), directory.resolve("out"), PublishOptions.defaults()))
        .isInstanceOf(PublicationRefusedException.class)
        .hasMessageContaining("replay convert IN OUT --to event");
  }

  @Test
  void plain_hashes_are_those_of_the_log_and_values_are_removed() throws IOException {
    PublicationReport report = publish("plain", PublishOptions.defaults().withHashes(Hashes.PLAIN));

    assertThat(report.checkpoint()).isNull();
    assertThat(report.warnings()).anyMatch(text -> text.contains("test guesses"));
    String hash = JsonText.parse(Files.readAllLines(session.log()).get(4))
        .at("/params_hash")
        .asString();
    assertThat(text("plain"))
        .contains(hash)
        .doesNotContainPattern(word("4711"))
        .doesNotContain("disclosure");
    assertThat(verify("plain").verdict()).isNotEqualTo(Verdict.INVALID);
  }

  @Test
  void attachment_is_published_only_if_it_is_named_and_has_no_secret() throws IOException {
    Path summary = directory.resolve("recorded/PR_SUMMARY.md");
    Files.writeString(summary, "Summary");
    publish("named", PublishOptions.defaults().withAttachments(List.of("PR_SUMMARY.md")));
    assertThat(directory.resolve("named/PR_SUMMARY.md")).hasContent("Summary");

    for (String name : List.of("../recorded/PR_SUMMARY.md", "", "..", "blobs", "missing")) {
      assertThatThrownBy(
              () -> publish("bad", PublishOptions.defaults().withAttachments(List.of(name))))
          .as(name)
          .isInstanceOf(IOException.class);
    }
    Files.writeString(directory.resolve("recorded").resolve(Session.ACCEPTED_NAME), "{}");
    for (String name : List.of(
        "RECEIPT.json", "RECEIPT.dsse.json", "REPLAY.jsonl", CHECKPOINT, Session.ACCEPTED_NAME)) {
      assertThatThrownBy(
              () -> publish("bad", PublishOptions.defaults().withAttachments(List.of(name))))
          .as(name)
          .isExactlyInstanceOf(FileSystemException.class)
          .hasMessageContaining("the original is never published");
    }
    Files.writeString(summary, "token ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    assertThatThrownBy(() ->
            publish("bad", PublishOptions.defaults().withAttachments(List.of("PR_SUMMARY.md"))))
        .isInstanceOf(PublicationRefusedException.class)
        .hasMessageContaining("would contain secrets");
    assertThat(directory.resolve("bad")).doesNotExist();
  }

  @Test
  void salt_file_original_files_and_logs_are_not_attached() throws IOException {
    Path recorded = directory.resolve("recorded");
    Files.writeString(recorded.resolve(SaltFile.NAME), SALT.text());
    Files.copy(recorded.resolve("REPLAY.jsonl"), recorded.resolve("other.jsonl"));
    Files.write(recorded.resolve("image.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G'});
    Files.writeString(recorded.resolve(Session.ACCEPTED_NAME), "{}\n");
    Files.writeString(recorded.resolve("other.jsonl.accepted.json"), "{}\n");
    for (String name : List.of(
        SaltFile.NAME,
        "other.jsonl",
        "image.png",
        "REPLAY.jsonl.lock",
        Session.ACCEPTED_NAME,
        "other.jsonl.accepted.json")) {
      assertThatThrownBy(
              () -> publish("bad", PublishOptions.defaults().withAttachments(List.of(name))))
          .as(name)
          .isInstanceOf(IOException.class);
      assertThat(directory.resolve("bad")).doesNotExist();
    }
  }

  @Test
  void session_inside_of_a_publication_is_not_replaced() throws IOException {
    publish("out", PublishOptions.defaults());
    Path inside = directory.resolve("out/private");
    Files.move(directory.resolve("recorded"), inside);

    assertThatThrownBy(() -> SessionPublisher.publish(
            Session.open(inside),
            directory.resolve("out"),
            PublishOptions.defaults().withOverwrite(true)))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(inside.resolve("REPLAY.jsonl")).exists();
  }

  @Test
  void part_of_the_salt_in_any_form_is_not_published() throws IOException {
    String salt =
        JsonText.parse(Files.readAllLines(session.log()).get(0)).at("/salt").asString();
    byte[] bytes = new Salt(salt).toBytes();
    String hex = HexFormat.of().formatHex(bytes);
    String log = Files.readString(session.log());
    List<String> leaks = List.of(
        salt.substring(0, 42),
        salt.substring(0, 20) + "\\n" + salt.substring(20),
        Base64.getEncoder().encodeToString(("{\\\"salt\\\":\\\"" + salt).getBytes()),
        HexFormat.ofDelimiter(":").formatHex(bytes),
        hex.substring(0, 40),
        Arrays.toString(bytes));
    for (String leak : leaks) {
      Path leaking = Files.createTempDirectory(directory, "leaking");
      Files.writeString(leaking.resolve("REPLAY.jsonl"), log.replace("in /home/ada/work", leak));
      Path out = directory.resolve("of-" + leaking.getFileName());
      try {
        SessionPublisher.publish(
            Session.open(leaking),
            out,
            PublishOptions.defaults().withPolicy(PublicationPolicy.OPEN_SOURCE).withForce(true));
      } catch (PublicationRefusedException e) {
        assertThat(e.reason()).isEqualTo(Reason.SECRETS);
        continue;
      }
      assertThat(Files.readString(out.resolve("REPLAY.jsonl")))
          .as(leak)
          .contains("[REDACTED:salt]");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "private_repo | /params/pin | is withheld",
        "private_repo | /params/to/0 | is withheld",
        "private_repo | '' | is shown in part",
        "private_repo | /tool |",
        "open_source | /params/note | is replaced (path)",
        "open_source | /params | is shown in part",
        "open_source | /params/to |",
        "open_source | /params/to/1 |"
      })
  void copy_is_valid_if_it_shows_the_expected_value_unchanged(
      String preset, String pointer, @Nullable String reason) throws IOException {
    publish("copy", PublishOptions.defaults().withPolicy(PublicationPolicy.preset(preset)));

    VerificationReport report = SessionVerifier.of(VerifyPolicy.defaults()
            .expecting(Expectation.shown(EventKind.TOOL_CALL, JsonPointer.parse(pointer))))
        .verify(Session.open(directory.resolve("copy")));
    String place = pointer.isEmpty() ? "the line" : pointer;

    assertThat(report.verdict()).isEqualTo(reason == null ? Verdict.VALID : Verdict.INVALID);
    assertThat(report.findings())
        .filteredOn(finding -> finding.code() == FindingCode.DISCLOSURE_MISSING)
        .filteredOn(finding -> RecordedSecrets.CALL.equals(finding.id()))
        .extracting(Finding::message)
        .containsExactlyElementsOf(
            reason == null
                ? List.of()
                : List.of(place + " " + reason + ", but is expected to be shown"));
  }

  @Test
  void element_after_the_last_shown_one_may_be_withheld() throws IOException {
    Path padded = directory.resolve("padded");
    SessionPublisher.publish(
        RecordedSecrets.record(
            directory.resolve("unsigned"),
            JsonObject.of("to", List.of("a", 1.5e-9, "/home/ada")),
            JsonObject.of("state", "done"),
            null),
        padded,
        PublishOptions.defaults()
            .withPolicy(PublicationPolicy.OPEN_SOURCE)
            .withForm(new PublicForm(8)));

    VerificationReport report = SessionVerifier.of(VerifyPolicy.defaults()
            .expecting(
                Expectation.shown(EventKind.TOOL_CALL, JsonPointer.parse("/params/to/1")),
                Expectation.shown(EventKind.TOOL_CALL, JsonPointer.parse("/params/to/3")),
                Expectation.shown(EventKind.TOOL_CALL, JsonPointer.parse("/params/to/-"))))
        .verify(Session.open(padded));

    assertThat(report.findings())
        .extracting(Finding::message)
        .contains("/params/to/3 is not shown, and may be a withheld element, but is expected to be"
            + " shown")
        .noneMatch(message -> message.startsWith("/params/to/1 "));
  }

  /** The policy shows it as an id, for which only rules of tokens with a prefix apply. */
  @ParameterizedTest
  @EnumSource
  void id_with_a_secret_is_refused_by_the_last_scan(Hashes hashes) throws IOException {
    String key =
        "0aB1cD2eF3gH4".repeat(4) + "JQQJ99" + "0aB1cD2eF3gH4i".repeat(2).substring(4);
    List<String> lines = new ArrayList<>();
    for (String text : Files.readAllLines(Path.of("src/test/resources/policy/lines.type.jsonl"))) {
      JsonObject line = JsonText.parse(text).asObject().without("published", "disclosure");
      line = line.has("plan_step_id") ? line.with("plan_step_id", key) : line;
      lines.add(CanonicalJson.SERDE.text(line));
    }
    Path leaking = Files.createDirectory(directory.resolve("leaking"));
    Files.write(leaking.resolve("REPLAY.jsonl"), lines);
    Path out = directory.resolve("out");

    assertThatThrownBy(() -> SessionPublisher.publish(
            Session.open(leaking),
            out,
            PublishOptions.defaults().withPolicy(PublicationPolicy.OPEN_SOURCE).withForce(true)))
        .isInstanceOfSatisfying(PublicationRefusedException.class, e -> assertThat(e.reason())
            .isEqualTo(Reason.SECRETS))
        .hasMessageContaining("azure-api-key=1")
        .hasMessageContaining("REPLAY.jsonl line 4, /plan_step_id");
    assertThat(out).doesNotExist();
  }

  @Test
  void directory_is_replaced_only_if_it_is_a_publication() throws IOException {
    publish("out", PublishOptions.defaults());
    assertThatThrownBy(() -> publish("out", PublishOptions.defaults()))
        .isInstanceOf(FileAlreadyExistsException.class);
    publish("out", PublishOptions.defaults().withOverwrite(true));
    assertThatThrownBy(() -> publish("recorded", PublishOptions.defaults().withOverwrite(true)))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("only a published session without other files is replaced");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).noneMatch(path -> path.getFileName().toString().startsWith(".replay"));
    }
  }

  @Test
  void salt_that_a_tool_printed_is_not_published() throws IOException {
    String salt =
        JsonText.parse(Files.readAllLines(session.log()).get(0)).at("/salt").asString();
    Path leaking = directory.resolve("leaking");
    Files.createDirectories(leaking);
    String log = Files.readString(session.log()).replace("in /home/ada/work", "salt: " + salt);
    Files.writeString(leaking.resolve("REPLAY.jsonl"), log);
    SessionPublisher.publish(
        Session.open(leaking),
        directory.resolve("out"),
        PublishOptions.defaults().withPolicy(PublicationPolicy.OPEN_SOURCE).withForce(true));

    assertThat(text("out")).doesNotContain(salt).contains("[REDACTED:salt]");
  }

  private PublicationReport publish(String name, PublishOptions options) throws IOException {
    return SessionPublisher.publish(session, directory.resolve(name), options);
  }

  private List<PublishedLine> lines(String name, PublicationPolicy policy) throws IOException {
    publish(name, PublishOptions.defaults().withPolicy(policy));
    List<PublishedLine> lines = new ArrayList<>();
    for (String line : Files.readAllLines(directory.resolve(name).resolve("REPLAY.jsonl"))) {
      lines.add(PublishedLine.of(JsonText.parse(line).asObject(), lines.isEmpty()));
    }
    return lines;
  }

  private VerificationReport verify(String name) throws IOException {
    return SessionVerifier.of(VerifyPolicy.defaults())
        .verify(Session.open(directory.resolve(name)));
  }

  private List<String> names(String name) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve(name))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  /** The pattern of words that are not a part of a hash, in hexadecimal digits or base64url. */
  private static String word(String words) {
    return "(?<![\\w-])(?:" + words + ")(?![\\w-])";
  }

  private String text(String name) throws IOException {
    return Files.readString(
        directory.resolve(name).resolve("REPLAY.jsonl"), StandardCharsets.UTF_8);
  }
}
