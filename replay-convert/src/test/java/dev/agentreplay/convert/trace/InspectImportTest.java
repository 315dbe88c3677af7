package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.inspect.TestArchive;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Evaluation logs of Inspect are imported whole, each sample as a session. */
class InspectImportTest {

  @TempDir
  private Path directory;

  static List<ForeignFiles.Expected> logs() {
    return ForeignFiles.expected("inspect");
  }

  @ParameterizedTest
  @MethodSource("logs")
  void numbersAreThoseOfTheLog(ForeignFiles.Expected expected) throws IOException {
    ImportReport report = TraceChecks.importFile(expected.path(), directory.resolve("out"));
    TraceChecks.requireCounts(expected, report);
    TraceChecks.requireValid(report);
    assertThat(report.faultCount()).isZero();
    assertThat(LeafAccount.missing(report, documents(expected.path()))).isEmpty();
  }

  /** The documents of a log, but for the summaries, which are computed from the samples. */
  private static List<JsonValue> documents(Path log) throws IOException {
    if (!log.toString().endsWith(".eval")) {
      return List.of(JsonText.parse(Files.readAllBytes(log)));
    }
    List<JsonValue> documents = new ArrayList<>();
    try (ZipFile archive = new ZipFile(log.toFile())) {
      for (ZipEntry entry : archive.stream().toList()) {
        if (!entry.getName().contains("summaries")) {
          documents.add(JsonText.parse(archive.getInputStream(entry).readAllBytes()));
        }
      }
    }
    return documents;
  }

  @Test
  void formatIsDetectedByStructure() throws IOException {
    for (ForeignFiles.Expected log : logs()) {
      assertThat(TraceImporter.detect(log.path())).isEqualTo(TraceFormat.INSPECT);
    }
  }

  @Test
  void logWithoutSamplesIsRefused() {
    assertThatThrownBy(() -> TraceChecks.importFile(
            ForeignFiles.path("inspect/no_samples.json"), directory.resolve("out")))
        .isInstanceOf(NothingRecognizedException.class)
        .hasMessageContaining("without samples");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void damagedDocumentsHaveClearOutcomes(int sample) throws IOException {
    JsonObject one = header().with("samples", JsonArray.of(samples().get(sample)));
    Path source = Files.writeString(directory.resolve("one.json"), one.toString());
    new Mutations(TraceFormat.INSPECT, directory).requireClearOutcomesOfDocument(source);
  }

  @Test
  void damagedArchivesHaveClearOutcomes() throws IOException {
    byte[] bytes = Files.readAllBytes(ForeignFiles.path("inspect/log_streaming.eval"));
    int faults = 0;
    for (int i = 0; i < bytes.length; i += 211) {
      faults += outcome(i, Arrays.copyOf(bytes, i)) ? 0 : 1;
      byte[] flipped = bytes.clone();
      flipped[i] ^= 0x40;
      faults += outcome(i, flipped) ? 0 : 1;
    }
    assertThat(faults).isGreaterThan(bytes.length / 211);
  }

  /** Whether an archive is imported without a fault. */
  private boolean outcome(int number, byte[] archive) throws IOException {
    Path file = Files.write(directory.resolve("damaged.eval"), archive);
    Path out = directory.resolve("damaged-" + number + "-" + archive.length);
    try {
      ImportReport report = TraceImporter.of(ImportOptions.defaults().withFrom(TraceFormat.INSPECT))
          .importFile(file, out);
      TraceChecks.requireValid(report);
      return report.faultCount() == 0;
    } catch (IOException refused) {
      assertThat(refused.getMessage()).isNotBlank();
      assertThat(out).doesNotExist();
      return false;
    }
  }

  @Test
  void unreadableSampleIsReportedAndTheOthersAreImported() throws IOException {
    Path log = new TestArchive()
        .add("_journal/start.json", TestArchive.DEFLATED, header().toString())
        .add("samples/1_epoch_1.json", TestArchive.DEFLATED, "{\"id\":")
        .add("samples/2_epoch_1.json", TestArchive.ZSTANDARD, samples().get(0).toString())
        .write(directory.resolve("log.eval"));
    ImportReport report = TraceChecks.importFile(log, directory.resolve("out"));
    assertThat(report.sessions()).hasSize(1);
    assertThat(report.faults())
        .extracting(SourceFault::kind)
        .containsExactly(SourceFault.Kind.MISSING_FILE);
  }

  @Test
  void chunkedSampleIsTheSessionOfTheWholeOne() throws IOException {
    JsonValue sample = samples().get(0);
    ImportReport whole = TraceChecks.importFile(
        new TestArchive()
            .add("_journal/start.json", TestArchive.DEFLATED, header().toString())
            .add("samples/x_epoch_1.json", TestArchive.DEFLATED, sample.toString())
            .write(directory.resolve("whole.eval")),
        directory.resolve("whole"));
    Path log = chunked(sample.asObject()).write(directory.resolve("chunked.eval"));
    assertThat(TraceImporter.detect(log)).isEqualTo(TraceFormat.INSPECT);
    ImportReport chunked = TraceChecks.importFile(log, directory.resolve("chunked"));
    TraceChecks.requireValid(chunked);
    assertThat(chunked.faultCount()).isZero();
    assertThat(numbers(chunked)).isEqualTo(numbers(whole));
    assertThat(turns(chunked)).isEqualTo(turns(whole));
    String events = events(chunked.out()).toString();
    assertThat(events).contains("inspect/metadata", "inspect/call_message", "\"kind\":\"made\"");
  }

  private static JsonObject numbers(ImportReport report) {
    return report.sessions().get(0).counts().toJson().without("records", "events");
  }

  /** The sample in the layout of long samples, of which each part has several chunks. */
  private static TestArchive chunked(JsonObject sample) throws IOException {
    String prefix = "samples/x_epoch_1";
    List<JsonValue> pool = new ArrayList<>();
    List<JsonValue> events = new ArrayList<>();
    String text = sample.toString();
    List<JsonValue> attachments = new ArrayList<>();
    for (String key : sample.get("attachments").asObject().names()) {
      text = text.replace("attachment://" + key, "attachment://" + attachments.size());
      attachments.add(sample.get("attachments").asObject().get(key));
    }
    JsonObject numbered = JsonText.parse(text).asObject();
    for (JsonValue event : numbered.get("events").asArray()) {
      JsonObject changed = event.asObject();
      if (changed.get("input") instanceof JsonArray input) {
        changed = changed.with("input", JsonArray.EMPTY).with("input_refs", refs(input, pool));
      }
      events.add(changed);
    }
    JsonArray messages = refs(numbered.get("messages").asArray(), pool);
    JsonObject shell = numbered
        .without("events", "messages", "attachments", "metadata")
        .with("message_refs", messages);
    TestArchive archive = new TestArchive()
        .add("header.json", TestArchive.ZSTANDARD, header().toString())
        .add(prefix + "/sample.json", TestArchive.ZSTANDARD, shell.toString())
        .add(
            prefix + "/metadata.json",
            TestArchive.ZSTANDARD,
            numbered.get("metadata").toString())
        .add(prefix + "/skeleton.json", TestArchive.ZSTANDARD, "{\"spans\":[]}")
        .add(prefix + "/events/stats.json", TestArchive.ZSTANDARD, "{}")
        .add(prefix + "/events/uuids.json", TestArchive.ZSTANDARD, "[]")
        .add(prefix + "/calls/0.json", TestArchive.ZSTANDARD, "[{\"role\":\"user\"}]");
    addChunks(archive, prefix + "/events/", events);
    addChunks(archive, prefix + "/messages/", pool);
    addChunks(archive, prefix + "/attachments/", attachments);
    return archive;
  }

  /** The ranges of messages in a pool, to which those that it lacks are added. */
  private static JsonArray refs(JsonArray messages, List<JsonValue> pool) {
    List<JsonValue> ranges = new ArrayList<>();
    for (JsonValue message : messages) {
      if (!pool.contains(message)) {
        pool.add(message);
      }
      int at = pool.indexOf(message);
      ranges.add(JsonArray.of(at, at + 1));
    }
    return JsonArray.copyOf(ranges);
  }

  private static void addChunks(TestArchive archive, String prefix, List<JsonValue> elements)
      throws IOException {
    int size = Math.max(1, elements.size() / 3);
    for (int start = 0; start < elements.size(); start += size) {
      List<JsonValue> chunk = elements.subList(start, Math.min(start + size, elements.size()));
      archive.add(
          prefix + start + ".json",
          TestArchive.ZSTANDARD,
          JsonArray.copyOf(chunk).toString());
    }
  }

  @Test
  void agentsAreLanesAndResultsFollowWhatHappenedMeanwhile() throws IOException {
    List<ReplayEvent> events = events(session("sample-one"));
    List<String> order = events.stream()
        .filter(event -> event instanceof ToolCall || event instanceof ToolResult)
        .map(event -> event.kind() + " " + id(event) + " " + event.meta().agent() + " "
            + event.meta().parent())
        .toList();
    assertThat(order)
        .containsExactly(
            "TOOL_CALL c1 null null",
            "TOOL_CALL c2 null null",
            "TOOL_RESULT c2 null null",
            "TOOL_CALL s1 scout c1",
            "TOOL_RESULT s1 scout c1",
            "TOOL_RESULT c1 null null",
            "TOOL_CALL c3 null null",
            "TOOL_RESULT c3 null null",
            "TOOL_CALL c4 null null");
  }

  private static String id(ReplayEvent event) {
    return event instanceof ToolCall call ? call.id() : ((ToolResult) event).id();
  }

  @Test
  void promptsAreThoseOfTheEventsWithTheirAttachments() throws IOException {
    List<ModelCall> calls = of(events(session("sample-one")), ModelCall.class);
    assertThat(calls)
        .extracting(ModelCall::model)
        .containsExactly("test/one", "test/two", "test/two", "test/one", "test/one", "test/one");
    String first = String.valueOf(calls.get(0).prompt().value());
    assertThat(first).contains("What is on the left").doesNotContain("attachment:");
    assertThat(first).contains("\"name\":\"bash\"").doesNotContain("m-sys");
    assertThat(calls)
        .extracting(call ->
            new ModelCall.Prompt(call.prompt().value().asObject()).messages().size())
        .containsExactly(2, 1, 3, 7, 2, 2);
    assertThat(calls.get(0).parameters().temperature()).isEqualTo(0.5);
  }

  @Test
  void unknownEventsOfNewerVersionsAreCountedAndKept() throws IOException {
    JsonObject sample = samples().get(0).asObject();
    List<JsonValue> events = new ArrayList<>(sample.get("events").asArray().values());
    events.add(2, JsonObject.of("event", "of_next_year", "secret_plan", "unheard-of"));
    events.add(4, JsonValue.of("not an object"));
    JsonObject log = header()
        .with("version", 99)
        .with("samples", JsonArray.of(sample.with("events", JsonArray.copyOf(events))));
    ImportedEvents imported = ImportedEvents.of(
        Files.writeString(directory.resolve("newer.json"), log.toString()),
        directory.resolve("out"));
    assertThat(imported.report().sessions().get(0).unknownRecords())
        .containsEntry("of_next_year", 1L)
        .containsEntry("event", 1L)
        .hasSize(2);
    assertThat(imported.all().toString()).contains("unheard-of", "not an object");
  }

  @Test
  void reorderedEventsHaveTheSameCallsAndResults() throws IOException {
    JsonObject sample = samples().get(0).asObject();
    List<JsonValue> events = new ArrayList<>(sample.get("events").asArray().values());
    Collections.reverse(events);
    JsonObject log =
        header().with("samples", JsonArray.of(sample.with("events", JsonArray.copyOf(events))));
    ImportedEvents imported = ImportedEvents.of(
        Files.writeString(directory.resolve("reversed.json"), log.toString()),
        directory.resolve("out"));
    assertThat(imported.of(ToolCall.class)).hasSize(5);
    assertThat(imported.of(ToolResult.class)).hasSize(4);
  }

  @Test
  void attachmentsAreInThePlaceOfTheirReferences() throws IOException {
    assertThat(report().sessions().get(0).ledger().entries())
        .filteredOn(entry -> entry.record().equals("attachments"))
        .extracting(Entry::member)
        .containsExactly("/texts/*");
    assertThat(events(session("sample-one")).toString()).contains("fedcba9876543210", "n the left");
  }

  @Test
  void notANumberIsAText() throws IOException {
    String log = Files.readString(ForeignFiles.path("inspect/log_tool_call_error.json"))
        .replace("\"value\": 0.0", "\"value\": NaN, \"least\": -Infinity");
    Path source = Files.writeString(directory.resolve("nan.json"), log);
    assertThat(ImportedEvents.of(source, directory.resolve("out")).all().toString())
        .contains("\"value\":\"NaN\"", "\"least\":\"-Infinity\"");
  }

  @Test
  void manySamplesNeedFewFiles() throws IOException {
    TestArchive archive =
        new TestArchive().add("header.json", TestArchive.DEFLATED, header().toString());
    String sample = samples().get(2).toString();
    for (int i = 0; i < 60; i++) {
      archive.add(
          "samples/" + i + "_epoch_1.json",
          TestArchive.ZSTANDARD,
          sample.replace("\"id\":3", "\"id\":" + i));
    }
    ImportReport report = TraceChecks.importFile(
        archive.write(directory.resolve("many.eval")), directory.resolve("out"));
    assertThat(report.sessions()).hasSize(60);
    assertThat(report.sessions().get(59).id()).isEqualTo("r-1_59_2");
    TraceChecks.requireValid(report);
  }

  @Test
  void tokensAreCountedOnceAndNotForTheCache() throws IOException {
    List<ModelResult> results = of(events(session("sample-one")), ModelResult.class);
    assertThat(results)
        .extracting(result -> result.tokens().input())
        .containsExactly(450L, 10L, 30L, null, null, 60L);
    assertThat(results.get(4).finish().error().message()).isEqualTo("rate limit exceeded");
    assertThat(results.get(0).latencyMillis()).isEqualTo(900);
  }

  @Test
  void errorsOfToolsAreTheOutcomesOfTheirCalls() throws IOException {
    List<ToolResult> results = of(events(session("sample-one")), ToolResult.class);
    assertThat(results.get(1).outcome().error().name()).isEqualTo("timeout");
    assertThat(results.get(3).outcome().ok()).isFalse();
    assertThat(results.get(0).outcome().ok()).isTrue();
    assertThat(results.get(0).latencyMillis()).isEqualTo(400);
  }

  @Test
  void endIsThatOfTheSample() throws IOException {
    assertThat(end("sample-one").errorMessage()).isEqualTo("ended by a limit: token");
    assertThat(end("r-1_2_1").errorMessage()).isEqualTo("the sandbox was lost");
    assertThat(end("r-1_3_2").status().isSuccess()).isTrue();
  }

  private SessionEnd end(String id) throws IOException {
    return of(events(session(id)), SessionEnd.class).get(0);
  }

  @Test
  void startHasTheTaskAndTheRepository() throws IOException {
    SessionStart start = of(events(session("r-1_2_1")), SessionStart.class).get(0);
    assertThat(start.task().text()).isEqualTo("List files.");
    assertThat(start.labels().tags()).contains("task:made_task", "sample:2", "epoch:1");
    assertThat(start.repository().get("commit").asString()).isEqualTo("abc1234");
  }

  @Test
  void logIsKeptWithTheFirstSampleOnly() throws IOException {
    ImportReport report = report();
    long[] kept = report.sessions().stream()
        .mapToLong(session -> session.ledger().entries().stream()
            .filter(entry -> entry.record().equals("log") && entry.member().equals("/eval/run_id"))
            .count())
        .toArray();
    assertThat(kept).containsExactly(1, 0, 0);
  }

  private ImportReport report() throws IOException {
    Path out = directory.resolve("report");
    return TraceImporter.of(ImportOptions.defaults().withOverwrite(true))
        .importFile(ForeignFiles.path("inspect/all_events.json"), out);
  }

  private Path session(String id) throws IOException {
    ImportReport report = report();
    ImportedSession session = report.sessions().stream()
        .filter(imported -> imported.id().equals(id))
        .findFirst()
        .orElseThrow();
    return report.out().resolve(String.valueOf(session.name()));
  }

  private static List<ReplayEvent> events(Path session) throws IOException {
    return ImportedEvents.read(session);
  }

  private static <E extends ReplayEvent> List<E> of(List<ReplayEvent> events, Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** The turns of the only session, without their places in the source. */
  private static List<String> turns(ImportReport report) throws IOException {
    Stream<ReplayEvent> turns = events(report.out()).stream()
        .filter(event -> event instanceof ModelCall
            || event instanceof ModelResult
            || event instanceof ToolCall
            || event instanceof ToolResult);
    return turns
        .map(event -> event.withMeta(event.meta().withExtra(JsonObject.EMPTY)).toString())
        .toList();
  }

  private static JsonObject header() throws IOException {
    return log().without("samples");
  }

  private static JsonArray samples() throws IOException {
    return log().get("samples").asArray();
  }

  private static JsonObject log() throws IOException {
    return JsonText.parse(Files.readAllBytes(ForeignFiles.path("inspect/all_events.json")))
        .asObject();
  }
}
