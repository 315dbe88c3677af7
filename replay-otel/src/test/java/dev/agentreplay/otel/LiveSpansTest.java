package dev.agentreplay.otel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.trace.ExportOptions;
import dev.agentreplay.convert.trace.TraceExporter;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.recording.AgentRecorder;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.PendingModelCall;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions are sent as spans, while they are recorded or afterwards. */
class LiveSpansTest {

  @TempDir
  private Path directory;

  /** Passes spans on to the test. */
  private static final class QueueExporter implements SpanExporter {
    final BlockingQueue<SpanData> spans = new LinkedBlockingQueue<>();

    @Override
    public CompletableResultCode export(Collection<SpanData> exported) {
      spans.addAll(exported);
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }

    SpanData next() throws InterruptedException {
      SpanData span = spans.poll(300, TimeUnit.SECONDS);
      assertThat(span).as("the next span").isNotNull();
      return span;
    }
  }

  private Path record(SessionRecorder recorder) throws IOException {
    PendingModelCall asked = recorder.modelCall("gpt-5", "Where is the bug?");
    asked.answer("In auth.rs");
    PendingCall call = recorder.call("research", JsonObject.of("topic", "login"));
    AgentRecorder researcher = recorder.agent("researcher", call.id());
    researcher.call("search", JsonObject.of("q", "login")).result("auth.rs");
    call.failed(Failure.of("Timeout", "no answer"));
    recorder.end(Status.FAILED);
    return recorder.directory();
  }

  private Session recorded() throws IOException {
    try (SessionRecorder recorder = SessionRecorder.start(directory.resolve("s"), "fix-auth")) {
      return Session.open(record(recorder));
    }
  }

  @Test
  void spanOfACallIsSentWhenItsResultIsRecorded() throws Exception {
    QueueExporter exporter = new QueueExporter();
    Path session = directory.resolve("s");
    try (LiveSpans spans = LiveSpans.to(exporter, TraceFormat.OTEL);
        SessionRecorder recorder = SessionRecorder.start(session, "fix-auth")) {
      CompletableFuture<Long> following = CompletableFuture.supplyAsync(() -> {
        try {
          return spans.follow(session.resolve(Session.LOG_NAME));
        } catch (IOException | InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
      PendingCall call = recorder.call("shell", JsonObject.of("command", "ls"));
      call.result("auth.rs");
      SpanData span = exporter.next();
      assertThat(span.getName()).isEqualTo("execute_tool shell");
      assertThat(span.getAttributes().get(AttributeKey.stringKey("gen_ai.tool.call.id")))
          .isEqualTo(call.id());
      recorder.end(Status.SUCCESS);

      SpanData root = exporter.next();
      assertThat(root.getParentSpanContext().isValid()).isFalse();
      assertThat(span.getParentSpanId()).isEqualTo(root.getSpanId());
      assertThat(following.get(300, TimeUnit.SECONDS)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TraceFormat.class,
      names = {"OTEL", "OPENINFERENCE"})
  void spansAreThoseOfAnExportOfTheWholeSession(TraceFormat conventions) throws IOException {
    Session session = recorded();
    Path file = directory.resolve("spans.json");
    TraceExporter.of(ExportOptions.defaults()).export(session, file, conventions);
    InMemorySpanExporter exporter = InMemorySpanExporter.create();

    assertThat(LiveSpans.to(exporter, conventions).send(session)).isEqualTo(5);

    String exported = Files.readString(file);
    List<SpanData> spans = exporter.getFinishedSpanItems();
    assertThat(spans).extracting(SpanData::getSpanId).doesNotHaveDuplicates();
    assertThat(spans).allSatisfy(span -> assertThat(exported)
        .contains(
            "\"spanId\":\"" + span.getSpanId() + "\"",
            "\"traceId\":\"" + span.getTraceId() + "\"",
            "\"startTimeUnixNano\":\"" + span.getStartEpochNanos() + "\"",
            "\"endTimeUnixNano\":\"" + span.getEndEpochNanos() + "\"",
            "\"name\":\"" + span.getName() + "\""));
    assertThat(spans).allSatisfy(span -> assertThat(
            span.getParentSpanContext().isValid()
                ? exported.contains("\"parentSpanId\":\"" + span.getParentSpanId() + "\"")
                : span.getName().contains("agentreplay"))
        .isTrue());
  }

  @Test
  void kindStatusAndResourceAreThoseOfTheSpan() throws IOException {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    LiveSpans.to(exporter, TraceFormat.OTEL).send(recorded());

    List<SpanData> spans = exporter.getFinishedSpanItems();
    assertThat(spans)
        .filteredOn(span -> span.getName().startsWith("chat"))
        .singleElement()
        .satisfies(span -> {
          assertThat(span.getKind()).isEqualTo(SpanKind.CLIENT);
          assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
          assertThat(span.getResource().getAttribute(AttributeKey.stringKey("service.name")))
              .isNotBlank();
        });
    assertThat(spans)
        .filteredOn(span -> span.getName().endsWith("research"))
        .singleElement()
        .satisfies(span -> {
          assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
          assertThat(span.getStatus().getDescription()).isEqualTo("no answer");
        });
  }

  @Test
  void spansThatAreNotAcceptedAreReported() throws IOException {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    exporter.shutdown();

    Session session = recorded();
    assertThatThrownBy(() -> LiveSpans.to(exporter, TraceFormat.OTEL).send(session))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("did not accept 1 spans");
    assertThatThrownBy(() -> LiveSpans.to(exporter, TraceFormat.ATIF))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void closedSenderEndsFollowing() throws Exception {
    LiveSpans spans = LiveSpans.to(new QueueExporter(), TraceFormat.OTEL);
    spans.close();

    assertThat(spans.follow(directory.resolve("missing"))).isZero();
  }
}
