package dev.agentreplay.records.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.store.RecordCheck;
import dev.agentreplay.testkit.JsonArbitraries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A record of an export can be exported again, and is then recorded as the same trace. */
class ExportPropertiesTest {

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-02T00:00:00Z"));

  /** A message without id and time, which follow from its position. */
  private record Draft(
      String from, TraceMessage.Type type, String subject, String body, Boolean acknowledged) {}

  @Property(tries = 200)
  void record_that_is_exported_has_the_same_messages_and_rounds(
      @ForAll("drafts") List<Draft> drafts, @ForAll boolean areLines, @ForAll boolean hasArtifacts)
      throws IOException {
    List<JsonObject> messages = new ArrayList<>();
    for (Draft draft : drafts) {
      messages.add(message(draft, messages.size()));
    }

    RecordedThread first = record(messages, areLines, hasArtifacts);
    RecordedThread second = record(exported(first), !areLines, hasArtifacts);

    assertThat(second.record()).isEqualTo(first.record());
    assertThat(first.record().trace().rounds().stream()
            .flatMap(round -> round.messages().stream())
            .map(TraceMessage::messageId))
        .hasSize(drafts.size());
    assertThat(first.record().trace().rounds())
        .allSatisfy(round -> assertThat(round.messages()).isNotEmpty());
    assertThat(RecordCheck.of(first.record(), first.texts()).problems()).isEmpty();
    assertThat(first.record().problems()).isEmpty();
  }

  private static RecordedThread record(
      List<JsonObject> messages, boolean areLines, boolean hasArtifacts) throws IOException {
    String text = areLines
        ? messages.stream().map(JsonValue::toString).collect(Collectors.joining("\n"))
        : JsonText.pretty(JsonArray.copyOf(messages));
    return SessionRecording.of(MessageExport.read(text.getBytes(StandardCharsets.UTF_8)))
        .sessionId("T")
        .compiledBodies(hasArtifacts)
        .clock(CLOCK)
        .record();
  }

  private static JsonObject message(Draft draft, int index) {
    JsonObject message = JsonObject.of(
        "id",
        index + 1,
        "ts",
        Instant.ofEpochSecond(1_767_225_600L + index).toString(),
        "from",
        draft.from,
        "type",
        draft.type.id(),
        "body_md",
        draft.body);
    message = draft.subject == null ? message : message.with("subject", draft.subject);
    return draft.acknowledged == null ? message : message.with("acknowledged", draft.acknowledged);
  }

  /** Exports a record with its texts. */
  private static List<JsonObject> exported(RecordedThread recorded) throws IOException {
    List<JsonObject> messages = new ArrayList<>();
    for (SessionTrace.Round round : recorded.record().trace().rounds()) {
      for (TraceMessage message : round.messages()) {
        messages.add(JsonObject.of(
            "id", message.messageId(),
            "ts", message.timestamp().text(),
            "from", message.from(),
            "type", message.type().id(),
            "subject", message.subject(),
            "body_md", recorded.texts().text(message.contentHash()),
            "acknowledged", message.acknowledged()));
      }
    }
    return messages;
  }

  @Provide
  Arbitrary<List<Draft>> drafts() {
    Arbitrary<String> names = Arbitraries.of("Operator", "BlueLake", "RedHill");
    return Combinators.combine(
            names,
            Arbitraries.of(TraceMessage.Type.class),
            JsonArbitraries.texts().injectNull(0.3),
            JsonArbitraries.texts(),
            Arbitraries.of(true, false).injectNull(0.5))
        .as(Draft::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(12);
  }
}
