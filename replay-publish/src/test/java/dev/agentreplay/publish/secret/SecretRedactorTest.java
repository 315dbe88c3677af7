package dev.agentreplay.publish.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SecretRedactorTest {

  private static final SecretScanner SCANNER = SecretScanner.of(SecretRules.bundled());
  private static final SecretRedactor REDACTOR = SecretRedactor.of(SCANNER);
  private static final String TOKEN = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345";
  private static final ContentHash HASH = ContentHash.sha256(new byte[1]);

  @TempDir
  Path directory;

  static Stream<RuleExamples.Example> secrets() {
    return RuleExamples.all().stream().filter(RuleExamples.Example::hasSecret);
  }

  static Stream<RuleExamples.Example> someSecrets() {
    return secrets().filter(e -> List.of("github-token", "private-key-block", "url-password")
        .contains(e.rule()));
  }

  @ParameterizedTest
  @MethodSource("someSecrets")
  void secret_in_every_member_is_in_no_file(RuleExamples.Example example) throws IOException {
    record(example.text());

    requireRedacted(example);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("secrets")
  void each_kind_of_secret_in_every_member_is_in_no_file(RuleExamples.Example example)
      throws IOException {
    record(example.text());

    requireRedacted(example);
  }

  private void requireRedacted(RuleExamples.Example example) throws IOException {
    String escaped = JsonString.of(example.secret()).toString();
    String written = escaped.substring(1, escaped.length() - 1);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, StandardCharsets.UTF_8))
            .as(file.toString())
            .doesNotContain(example.secret())
            .doesNotContain(written);
      }
    }
    Session session = Session.open(directory);
    VerificationReport report = SessionVerifier.of(VerifyPolicy.defaults()).verify(session);
    assertThat(report.findings()).allMatch(finding -> finding.code() == FindingCode.UNKNOWN_EVENT);
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(SessionScan.of(SCANNER).scan(session).findings()).isEmpty();
    requirePlaces(session);
  }

  /** Each place in the member "redacted" has a mark of its rule, or is a name with one. */
  private static void requirePlaces(Session session) throws IOException {
    int places = 0;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line : reader) {
        if (line.json().get(SecretRedactor.REDACTED) instanceof JsonObject redacted) {
          for (int i = 0; i < redacted.size(); i++) {
            JsonPointer pointer = JsonPointer.parse(redacted.name(i));
            JsonValue value = pointer.find(line.json());
            boolean isElsewhere = value == null
                && line.json().names().stream()
                    .anyMatch(name -> name.endsWith("_ref") || name.equals("prompt_delta"));
            assertThat(isElsewhere || (pointer + String.valueOf(value)).contains("[REDACTED:"))
                .as("%s of %s", pointer, line.json())
                .isTrue();
            places++;
          }
        }
      }
    }
    assertThat(places).isGreaterThan(10);
  }

  /** Records a session of all kinds of events with a text in all their members. */
  private void record(String text) throws IOException {
    JsonValue value = JsonObject.of(
        "a", text, "b", JsonArray.of(text, JsonObject.of(text, 1, text + " ", 2)), "c", 1);
    Meta meta = Meta.NONE.withExtra(JsonObject.of("note", text, "more", value));
    RecorderOptions options = RecorderOptions.defaults()
        .withProducer("test " + text)
        .withBlobThreshold(2000)
        .withRedactor(REDACTOR);
    SessionStart start = SessionStart.of("s")
        .withTask(new SessionStart.Task(text, value, text))
        .withLane(text)
        .withRepository(JsonObject.of("url", text))
        .withTags(text, "x")
        .withUser(text)
        .withEnvironment(text);
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, start.withMeta(meta.withSessionId("s")), options)) {
      for (ReplayEvent event : events(text, value)) {
        recorder.emit(event.withMeta(meta));
      }
      PendingCall call =
          recorder.call(ToolCall.of(identifier(text), identifier(text), value).withMeta(meta));
      call.result(
          JsonObject.of("stdout", text, "stderr", text),
          Outcome.failed(Failure.of(text, text)),
          null,
          List.of(SideEffect.of("write", text)));
      recorder.call("large", List.of((text + "\n").repeat(60))).result(value);
      PendingCall streamed = recorder.call("stream", text);
      for (int i = 0; i < text.length(); i += 7) {
        streamed.chunk(text.substring(i, Math.min(text.length(), i + 7)));
      }
      streamed.result();
      recorder.call("failed", text).failed(new IllegalStateException(text));
      recorder.modelCall(identifier(text), text, java.util.Map.of("stop", text)).answer(value);
      recorder
          .modelCall("m", List.of(JsonObject.of("role", "user", "content", text)))
          .answer(text);
      recorder.end(
          SessionEnd.of(Status.FAILED).withSummary(text).withErrorMessage(text).withMeta(meta));
    }
  }

  private static List<ReplayEvent> events(String text, JsonValue value) {
    List<ReplayEvent> events = new ArrayList<>();
    events.add(Settings.of(
        java.util.Map.of("environment", new Settings.Setting(JsonObject.of("A", text), text))));
    events.add(StepComplete.of(identifier(text), Status.SUCCESS, 1));
    events.add(Verification.of(new Verification.CommandRun(text, 0, text, 1L))
        .withCiStatus(identifier(text)));
    events.add(new Payment(identifier(text), identifier(text), 1L, value, null, null, Meta.NONE));
    events.add(RuntimeEvent.of(1, identifier(text), value));
    events.add(FileState.created("x/" + identifier(text), HASH, 1));
    events.add(RecordedValue.of("environment:X", 0, JsonString.of(text)));
    events.add(new UnknownEvent("Other", Meta.NONE));
    return events;
  }

  /** The text, if its secret is one that is known without the text around it, or else a name. */
  private static String identifier(String text) {
    return SCANNER.scanIdentifier(text).isEmpty() ? "name" : text;
  }

  @Test
  void event_without_a_secret_is_the_same() {
    ReplayEvent event = ToolCall.of("call_8kFhZ2VtYcX0aPq9dLmN4wRs", "read", JsonString.of("x"));

    assertThat(REDACTOR.redact(event)).isSameAs(event);
  }

  @Test
  void value_that_changes_loses_its_hash_and_preview() {
    Content content = new Content(JsonString.of("a " + TOKEN), HASH, null, "a " + TOKEN);

    ToolCall call =
        (ToolCall) REDACTOR.redact(ToolCall.of("1", "t", JsonString.of("")).withParams(content));

    assertThat(call.params().hash()).isNull();
    assertThat(call.params().preview()).isNull();
    assertThat(call.params().value()).hasToString("\"a [REDACTED:github-pat]\"");
    assertThat(call.meta().extra())
        .isEqualTo(JsonObject.of("redacted", JsonObject.of("/params", "github-pat")));
  }

  @Test
  void redacted_event_is_stable() {
    ReplayEvent once = REDACTOR.redact(ToolCall.of(TOKEN, "t", JsonObject.of(TOKEN, TOKEN)));

    assertThat(REDACTOR.redact(once)).isSameAs(once);
  }

  @Test
  void names_that_become_equal_are_numbered() {
    String other = TOKEN.replace("012345", "543210");
    ToolCall call =
        (ToolCall) REDACTOR.redact(ToolCall.of("1", "t", JsonObject.of(TOKEN, 1, other, 2)));

    assertThat(call.params().value())
        .isEqualTo(JsonObject.of("[REDACTED:github-pat]", 1, "[REDACTED:github-pat]2", 2));
  }

  @Test
  void pieces_of_a_streamed_text_add_up_to_the_redacted_one() {
    String text = "the key " + TOKEN + " is given";
    Chunks.Builder pieces = Chunks.builder();
    for (int i = 0; i < text.length(); i++) {
      pieces.add(i, 1);
    }
    ModelResult result = ModelResult.of("1", JsonObject.of("a", "b", "text", text));
    result = result.withTiming(result.timing().withChunks(pieces.build()));

    ModelResult redacted = (ModelResult) REDACTOR.redact(result);

    Chunks chunks = redacted.timing().chunks();
    assertThat(chunks.textIn(redacted.answer().value()))
        .isEqualTo("the key [REDACTED:github-pat] is given");
    assertThat(chunks.place()).isEqualTo("/text");
  }

  @Test
  void secret_that_arrives_in_pieces_is_found_in_the_whole_text() throws IOException {
    try (SessionRecorder recorder = SessionRecorder.start(
        directory, SessionStart.of("s"), RecorderOptions.defaults().withRedactor(REDACTOR))) {
      PendingCall call = recorder.call("read", "x");
      for (char c : ("key: " + TOKEN).toCharArray()) {
        call.chunk(Character.toString(c));
      }
      call.result();
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }

    assertThat(Files.readString(directory.resolve(Session.LOG_NAME)))
        .doesNotContain(TOKEN)
        .contains("key: [REDACTED:github-pat]");
    assertThat(SessionVerifier.of(VerifyPolicy.defaults())
            .verify(Session.open(directory))
            .findings())
        .isEmpty();
  }

  @Test
  void prompt_is_redacted_before_it_is_stored_as_a_change() throws IOException {
    List<JsonObject> messages = new ArrayList<>();
    try (SessionRecorder recorder = SessionRecorder.start(
        directory, SessionStart.of("s"), RecorderOptions.defaults().withRedactor(REDACTOR))) {
      for (int i = 0; i < 5; i++) {
        messages.add(
            JsonObject.of("role", "user", "content", i + " " + TOKEN + " " + "x".repeat(99)));
        recorder.modelCall("m", messages).answer("ok");
      }
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }

    assertThat(Files.readString(directory.resolve(Session.LOG_NAME)))
        .contains("prompt_delta")
        .doesNotContain(TOKEN);
    assertThat(SessionVerifier.of(VerifyPolicy.defaults())
            .verify(Session.open(directory))
            .findings())
        .isEmpty();
  }

  @Test
  void result_with_a_preview_of_a_secret_in_a_blob_has_neither() {
    Content content = new Content(null, HASH, null, "cut " + TOKEN);

    ToolResult result = (ToolResult) REDACTOR.redact(ToolResult.of("1", "x").withOutput(content));

    assertThat(result.output()).isEqualTo(new Content(null, HASH, null, null));
  }
}
