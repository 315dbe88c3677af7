package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.recording.FailingDisk;
import dev.agentreplay.io.recording.FailurePolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.langchain4j.AgentLanesTest.Researcher;
import dev.agentreplay.langchain4j.StreamRecordingTest.StreamingAssistant;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.document.Metadata;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.rag.DefaultRetrievalAugmentor;
import dev.langchain4j.rag.RetrievalAugmentor;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.ContentMetadata;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.content.retriever.EmbeddingStoreContentRetriever;
import dev.langchain4j.rag.query.Query;
import dev.langchain4j.rag.query.router.DefaultQueryRouter;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.store.embedding.inmemory.InMemoryEmbeddingStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Retrievals are recorded as calls of a tool, and never affect the agent. */
class RetrievalRecordingTest {

  private static final int ALL = Integer.MAX_VALUE;

  @TempDir
  private Path directory;

  private final List<RecordingFailure> failures = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** A tool that retrieves without naming the invocation in its query. */
  record Search(ContentRetriever retriever) {
    @Tool
    String search() {
      return retriever.retrieve(Query.from("hours")).get(0).textSegment().text();
    }
  }

  /** A tool that asks an agent. */
  record Ask(Researcher researcher) {
    @Tool
    String ask() {
      return researcher.research("bees");
    }
  }

  /** A content that has more than a text. */
  record Picture(String caption, byte[] bytes) implements Content {
    @Override
    public TextSegment textSegment() {
      return caption == null ? null : TextSegment.from(caption);
    }

    @Override
    public Map<ContentMetadata, Object> metadata() {
      return Map.of();
    }
  }

  @AfterEach
  void nothing_failed() {
    threads.shutdown();
    assertThat(failures).isEmpty();
  }

  private AiServiceRecorder recorder() {
    return AiServiceRecorder.into(directory).onFailure(failures::add);
  }

  private static ContentRetriever of(Content... contents) {
    return query -> List.of(contents);
  }

  /** A retriever whose content repeats the query. */
  private static ContentRetriever echo(String prefix) {
    return query -> List.of(Content.from(prefix + " " + query.text()));
  }

  private static AiServices<Assistant> builder(AiServiceRecorder recording, ChatModel model) {
    return recording.record(AiServices.builder(Assistant.class).chatModel(model));
  }

  /** An agent that retrieves once and answers "done". */
  private static Assistant assistant(AiServiceRecorder recording, ContentRetriever retriever) {
    return builder(recording, ScriptedModel.of(AiMessage.from("done")))
        .contentRetriever(recording.retriever("docs", retriever))
        .build();
  }

  private Recorded record(ContentRetriever retriever) {
    try (AiServiceRecorder recording = recorder()) {
      assertThat(assistant(recording, retriever).chat("go")).isEqualTo("done");
    }
    return Recorded.only(directory).isValid();
  }

  private static JsonValue json(String text) {
    return JsonText.parse(text.replace('\'', '"'));
  }

  /** The query and the output of each call, by tool. */
  private static Map<String, String> outputs(Recorded recorded) {
    Map<String, ToolResult> results = recorded.toolResultsById();
    return recorded.toolCalls().stream()
        .collect(Collectors.toMap(
            ToolCall::tool,
            call -> call.params().value().at("/query").asString() + ": "
                + results.get(call.id()).output().value()));
  }

  @Test
  void retrieval_is_a_tool_call_before_the_model_call() {
    Recorded recorded = record(of(Content.from("from 9 to 17"), Content.from("closed on Sunday")));

    assertThat(recorded.kinds())
        .containsExactly("ToolCall", "ToolResult", "ModelCall", "ModelResult", "SessionEnd");
    ToolCall call = recorded.toolCalls().get(0);
    assertThat(call.tool()).isEqualTo("docs");
    assertThat(call.params().value()).isEqualTo(json("{'query': 'go'}"));
    ToolResult result = recorded.toolResultsById().get(call.id());
    assertThat(result.output().value())
        .isEqualTo(json("[{'text': 'from 9 to 17'}, {'text': 'closed on Sunday'}]"));
    assertThat(result.outcome()).isEqualTo(Outcome.OK);
    assertThat(result.latencyMillis()).isNotNegative();
  }

  @Test
  void content_has_the_metadata_of_its_document_and_its_scores() {
    UUID id = new UUID(1, 2);
    Metadata metadata = new Metadata()
        .put("text", "a")
        .put("uuid", id)
        .put("int", 1)
        .put("long", Long.MAX_VALUE)
        .put("float", 0.5f)
        .put("double", 0.1);
    Recorded recorded = record(of(Content.from(
        TextSegment.from("hours", metadata),
        Map.of(
            ContentMetadata.EMBEDDING_ID, "e1",
            ContentMetadata.RERANKED_SCORE, 0.75,
            ContentMetadata.SCORE, 0.25))));

    assertThat(recorded.toolResults().get(0).output().value())
        .isEqualTo(json("[{'text': 'hours', 'metadata': {'text': 'a', 'uuid': '" + id + "',"
            + " 'int': 1, 'long': 9223372036854775807, 'float': 0.5, 'double': 0.1},"
            + " 'score': 0.25, 'reranked_score': 0.75, 'embedding_id': 'e1'}]"));
  }

  @Test
  void retrieval_from_an_embedding_store_has_score_and_id() {
    InMemoryEmbeddingStore<TextSegment> store = new InMemoryEmbeddingStore<>();
    store.addAll(
        List.of("e1"),
        List.of(Embedding.from(new float[] {1, 0})),
        List.of(TextSegment.from("hours", Metadata.from("page", "7"))));
    EmbeddingModel model = new EmbeddingModel() {
      @Override
      public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
        return Response.from(List.of(Embedding.from(new float[] {1, 0})));
      }
    };

    Recorded recorded = record(EmbeddingStoreContentRetriever.builder()
        .embeddingStore(store)
        .embeddingModel(model)
        .build());

    assertThat(recorded.toolResults().get(0).output().value())
        .isEqualTo(json("[{'text': 'hours', 'metadata': {'page': '7'}, 'score': 1.0,"
            + " 'embedding_id': 'e1'}]"));
  }

  @Test
  void values_without_a_json_form_are_kept_as_text() {
    String cut = "half \ud83d";
    Map<ContentMetadata, Object> metadata = new HashMap<>();
    metadata.put(ContentMetadata.SCORE, Double.NaN);
    metadata.put(ContentMetadata.EMBEDDING_ID, null);
    try (AiServiceRecorder recording = recorder()) {
      ContentRetriever retriever = of(Content.from(TextSegment.from(cut), metadata));
      builder(recording, ScriptedModel.of(AiMessage.from("done")))
          .contentRetriever(recording.retriever(cut, retriever))
          .build()
          .chat(cut);
    }
    Recorded recorded = Recorded.only(directory).isValid();

    assertThat(ExactText.of(recorded.toolCalls().get(0), "/tool")).isEqualTo(cut);
    assertThat(ExactText.of(recorded.toolCalls().get(0), "/params/query")).isEqualTo(cut);
    ToolResult result = recorded.toolResults().get(0);
    assertThat(result.output().value())
        .isEqualTo(json("[{'text': 'half \ufffd', 'score': 'NaN', 'embedding_id': null}]"));
    assertThat(ExactText.of(result, "/output/0/text")).isEqualTo(cut);
    assertThat(result.meta().extra().get("java_types"))
        .isEqualTo(json("{'/output/0/score': 'java.lang.Double'}"));
  }

  @Test
  void content_of_a_class_of_its_own_is_recorded_as_a_whole() throws Exception {
    Content[] pictures = {new Picture("bees", new byte[3]), new Picture(null, new byte[3])};
    try (SessionRecorder session = SessionRecorder.start(directory.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session).onFailure(failures::add);
      assertThat(recording.retriever("docs", of(pictures)).retrieve(Query.from("a")))
          .containsExactly(pictures);
      session.end(Status.SUCCESS, 1.0);
    }

    ToolResult result = Recorded.only(directory).isValid().toolResults().get(0);
    assertThat(result.output().value())
        .isEqualTo(json("[{'text': 'bees', 'content': {'caption': 'bees', 'bytes': 'AAAA'}},"
            + " {'content': {'caption': null, 'bytes': 'AAAA'}}]"));
    assertThat(result.meta().extra().get("media_types").asObject().names())
        .containsExactly("/output/0/content/bytes", "/output/1/content/bytes");
  }

  @Test
  void retriever_that_returns_null_is_recorded_so() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(directory.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session).onFailure(failures::add);
      assertThat(recording.retriever("docs", query -> null).retrieve(Query.from("a")))
          .isNull();
      session.end(Status.SUCCESS, 1.0);
    }

    assertThat(Recorded.only(directory).isValid().toolResults().get(0).output().value())
        .isEqualTo(JsonNull.NULL);
  }

  @Test
  @Timeout(60)
  void parallel_retrievals_belong_to_their_invocation() throws Exception {
    CyclicBarrier all = new CyclicBarrier(4); // two invocations with two retrievers each
    try (AiServiceRecorder recording = recorder()) {
      Assistant assistant = builder(recording, new ScriptedModel(request -> AiMessage.from("done")))
          .retrievalAugmentor(augmentor(
              recording.retriever("docs", waiting(all, echo("doc"))),
              recording.retriever("mails", waiting(all, echo("mail")))))
          .build();
      CompletableFuture<String> other =
          CompletableFuture.supplyAsync(() -> assistant.chat("b"), threads);
      assertThat(assistant.chat("a")).isEqualTo("done");
      assertThat(other.get(60, TimeUnit.SECONDS)).isEqualTo("done");
    }

    assertThat(Recorded.all(directory)).hasSize(2).allSatisfy(recorded -> {
      String task = recorded.isValid().start().task().text();
      assertThat(recorded.kinds().subList(0, 2)).containsOnly("ToolCall");
      assertThat(recorded.kinds().subList(2, 4)).containsOnly("ToolResult");
      assertThat(outputs(recorded))
          .containsEntry("docs", task + ": [{\"text\":\"doc " + task + "\"}]")
          .containsEntry("mails", task + ": [{\"text\":\"mail " + task + "\"}]")
          .hasSize(2);
    });
    assertThat(Recorded.all(directory))
        .extracting(recorded -> recorded.start().task().text())
        .containsExactlyInAnyOrder("a", "b");
  }

  private RetrievalAugmentor augmentor(ContentRetriever... retrievers) {
    return DefaultRetrievalAugmentor.builder()
        .queryRouter(new DefaultQueryRouter(retrievers))
        .executor(threads)
        .build();
  }

  private static ContentRetriever waiting(CyclicBarrier barrier, ContentRetriever retriever) {
    return query -> {
      try {
        barrier.await();
      } catch (InterruptedException | BrokenBarrierException e) {
        throw new IllegalStateException(e);
      }
      return retriever.retrieve(query);
    };
  }

  @Test
  void retriever_of_a_streaming_service_is_recorded() throws Exception {
    try (AiServiceRecorder recording = recorder()) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      recording
          .record(AiServices.builder(StreamingAssistant.class)
              .streamingChatModel(ScriptedStreamingModel.of(AiMessage.from("done")))
              .contentRetriever(recording.retriever("docs", echo("doc"))))
          .build()
          .chat("go")
          .onCompleteResponse(response -> answer.complete(response.aiMessage().text()))
          .onError(answer::completeExceptionally)
          .start();
      assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("done");
    }

    assertThat(Recorded.only(directory).isValid().kinds())
        .containsExactly("ToolCall", "ToolResult", "ModelCall", "ModelResult", "SessionEnd");
  }

  @Test
  void exception_reaches_the_agent_and_is_a_failed_call() {
    UncheckedIOException thrown =
        new UncheckedIOException("slow", new SocketTimeoutException("after 1 s"));
    try (AiServiceRecorder recording = recorder()) {
      Assistant assistant = assistant(recording, query -> {
        throw thrown;
      });
      assertThatThrownBy(() -> assistant.chat("go")).isSameAs(thrown);
    }

    Recorded recorded = Recorded.only(directory).isValid();
    ToolResult result = recorded.toolResults().get(0);
    assertThat(result.id()).isEqualTo(recorded.toolCalls().get(0).id());
    assertThat(result.output().value()).isEqualTo(JsonString.of("slow"));
    assertThat(result.outcome()).isEqualTo(Outcome.failed(Failure.of(thrown)));
    assertThat(result.latencyMillis()).isNotNegative();
    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
  }

  @Test
  @Timeout(60)
  void exception_of_a_parallel_retriever_does_not_hide_the_result_of_the_other() {
    CyclicBarrier both = new CyclicBarrier(2);
    try (AiServiceRecorder recording = recorder()) {
      Assistant assistant = builder(recording, ScriptedModel.of())
          .retrievalAugmentor(augmentor(
              recording.retriever("docs", waiting(both, echo("doc"))),
              recording.retriever("mails", waiting(both, query -> {
                throw new IllegalStateException("no mail");
              }))))
          .build();
      assertThatThrownBy(() -> assistant.chat("go")).hasMessageContaining("no mail");
    }

    Recorded recorded = Recorded.only(directory).isValid();
    assertThat(outputs(recorded))
        .containsOnly(
            Map.entry("docs", "go: [{\"text\":\"doc go\"}]"),
            Map.entry("mails", "go: \"no mail\""));
    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
  }

  @Test
  void retrieval_outside_an_invocation_is_recorded_in_the_session_of_the_caller() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(directory.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session).onFailure(failures::add);
      ContentRetriever retriever = recording.retriever("docs", echo("doc"));
      retriever.retrieve(Query.from("a"));
      retriever.retrieve(Query.from("b", withoutInvocation()));
      session.end(Status.SUCCESS, 1.0);
    }

    Recorded recorded = Recorded.only(directory).isValid();
    assertThat(recorded.lanes())
        .containsExactly(
            "ToolCall null null",
            "ToolResult null null",
            "ToolCall null null",
            "ToolResult null null",
            "SessionEnd null null");
  }

  private static dev.langchain4j.rag.query.Metadata withoutInvocation() {
    return dev.langchain4j.rag.query.Metadata.from(UserMessage.from("go"), "memory", List.of());
  }

  @Test
  void retrieval_outside_an_invocation_without_a_session_is_reported_once() {
    try (AiServiceRecorder recording = recorder()) {
      ContentRetriever retriever = recording.retriever("docs", echo("doc"));
      assertThat(retriever.retrieve(Query.from("a", withoutInvocation())))
          .containsExactly(Content.from("doc a"));
    }

    assertThat(Recorded.all(directory)).isEmpty();
    assertFailed("the query names no invocation that is being recorded");
  }

  @Test
  void retrieval_after_the_recorder_was_closed_is_reported_once() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(directory.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session).onFailure(failures::add);
      ContentRetriever retriever = recording.retriever("docs", echo("doc"));
      recording.close();
      assertThat(retriever.retrieve(Query.from("a"))).containsExactly(Content.from("doc a"));
    }

    assertThat(Recorded.only(directory).kinds()).isEmpty();
    assertFailed("the recorder is closed");
  }

  private void assertFailed(String message) {
    assertThat(failures).singleElement().satisfies(failure -> {
      assertThat(failure.event()).isEqualTo("ToolCall");
      assertThat(failure.cause()).hasMessage(message);
    });
    failures.clear();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void retrieval_of_a_tool_belongs_to_the_invocation_of_the_tool(boolean isShared)
      throws Exception {
    if (isShared) {
      try (SessionRecorder session = SessionRecorder.start(directory.resolve("s"), "s")) {
        searchByTool(AiServiceRecorder.into(session));
        session.end(Status.SUCCESS, 1.0);
      }
    } else {
      try (AiServiceRecorder recording = AiServiceRecorder.into(directory)) {
        searchByTool(recording);
      }
    }

    Recorded recorded = Recorded.only(directory).isValid();
    assertThat(recorded.toolCalls()).extracting(ToolCall::tool).containsExactly("search", "docs");
    assertThat(recorded.kinds())
        .containsSubsequence("ToolCall", "ToolCall", "ToolResult", "ToolResult");
  }

  private void searchByTool(AiServiceRecorder recording) {
    recording.onFailure(failures::add);
    String answer = builder(
            recording,
            ScriptedModel.of(ScriptedModel.call("s1", "search", "{}"), AiMessage.from("done")))
        .tools(new Search(recording.retriever("docs", echo("doc"))))
        .build()
        .chat("go");
    assertThat(answer).isEqualTo("done");
  }

  @Test
  void retrievals_of_an_agent_are_in_its_lane() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(directory.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session).onFailure(failures::add);
      ContentRetriever docs = recording.retriever("docs", echo("doc"));
      ContentRetriever mails = recording.retriever("mails", echo("mail"));
      Researcher researcher = recording
          .record(AiServices.builder(Researcher.class)
              .chatModel(ScriptedModel.of(
                  ScriptedModel.call("s1", "search", "{}"), AiMessage.from("found")))
              .retrievalAugmentor(augmentor(docs, mails))
              .tools(new Search(docs)))
          .build();
      builder(
              recording,
              ScriptedModel.of(ScriptedModel.call("a1", "ask", "{}"), AiMessage.from("done")))
          .contentRetriever(docs)
          .tools(new Ask(researcher))
          .build()
          .chat("go");
      session.end(Status.SUCCESS, 1.0);
    }

    Recorded recorded = Recorded.only(directory).isValid();
    assertThat(recorded.toolCalls())
        .extracting(
            call -> call.tool() + " " + call.meta().agent() + " " + call.meta().parent())
        .containsExactlyInAnyOrder(
            "docs null null",
            "ask null null",
            "docs Researcher a1",
            "mails Researcher a1",
            "search Researcher a1",
            "docs Researcher a1");
    assertThat(recorded.toolResults())
        .extracting(result -> result.meta().agent())
        .containsExactlyInAnyOrder(
            null, null, "Researcher", "Researcher", "Researcher", "Researcher");
  }

  @Test
  void agent_that_a_retriever_invokes_has_a_lane() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(directory.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session).onFailure(failures::add);
      Researcher researcher = recording
          .record(AiServices.builder(Researcher.class)
              .chatModel(ScriptedModel.of(AiMessage.from("found"))))
          .build();
      Assistant assistant =
          assistant(recording, query -> List.of(Content.from(researcher.research(query.text()))));
      assertThat(assistant.chat("go")).isEqualTo("done");
      session.end(Status.SUCCESS, 1.0);
    }

    Recorded recorded = Recorded.only(directory).isValid();
    String call = recorded.toolCalls().get(0).id();
    assertThat(recorded.lanes())
        .containsExactly(
            "ToolCall null null",
            "ModelCall Researcher " + call,
            "ModelResult Researcher " + call,
            "ToolResult null null",
            "ModelCall null null",
            "ModelResult null null",
            "SessionEnd null null");
  }

  @Test
  void query_without_its_metadata_is_recorded_in_the_session_of_the_caller() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(directory.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session).onFailure(failures::add);
      builder(recording, ScriptedModel.of(AiMessage.from("done")))
          .retrievalAugmentor(DefaultRetrievalAugmentor.builder()
              .queryTransformer(query -> List.of(Query.from("a"), Query.from("b")))
              .contentRetriever(recording.retriever("docs", echo("doc")))
              .executor(threads)
              .build())
          .build()
          .chat("go");
      session.end(Status.SUCCESS, 1.0);
    }

    assertThat(Recorded.only(directory).isValid().toolCalls())
        .extracting(call -> call.params().value())
        .containsExactlyInAnyOrder(json("{'query': 'a'}"), json("{'query': 'b'}"));
  }

  @ParameterizedTest
  @EnumSource
  void disk_that_fails_at_any_write_changes_nothing_for_the_agent(FailurePolicy policy)
      throws IOException {
    FailingDisk sound = new FailingDisk(ALL, ALL);
    List<String> unrecorded = run(sound, directory.resolve("sound"), policy);
    assertThat(unrecorded).containsExactly("docs go", "done", "docs go", "no docs");
    assertThat(failures).isEmpty();
    assertThat(sound.writes()).isGreaterThan(10);

    for (int write = 0; write < sound.writes(); write++) {
      for (int to : new int[] {write + 1, ALL}) {
        Path session = directory.resolve(write + "-" + to);
        assertThat(run(new FailingDisk(write, to), session, policy))
            .as("write %d", write)
            .isEqualTo(unrecorded);
        assertThat(failures).as("write %d", write).isNotEmpty();
        assertThat(failures.get(0).cause()).isInstanceOf(IOException.class);
        failures.clear();
      }
    }
  }

  /** Runs an agent twice, whose retriever fails the second time; returns what they do. */
  private List<String> run(FailingDisk disk, Path sessions, FailurePolicy policy)
      throws IOException {
    RecorderOptions options = RecorderOptions.defaults().withFailurePolicy(policy);
    List<String> done = new ArrayList<>();
    Files.createDirectories(sessions);
    try (AiServiceRecorder recording = AiServiceRecorder.of((event, start) ->
            disk.start(sessions.resolve(start.meta().sessionId()), start, options))
        .onFailure(failures::add)) {
      Assistant assistant = assistant(recording, query -> {
        done.add("docs " + query.text());
        if (done.size() > 1) {
          throw new IllegalStateException("no docs");
        }
        return List.of(Content.from("doc"));
      });
      done.add(assistant.chat("go"));
      try {
        assistant.chat("go");
      } catch (IllegalStateException e) {
        done.add(e.getMessage());
      }
    }
    return done;
  }

  @Test
  void contents_that_cannot_be_recorded_leave_a_gap() {
    Content content = new Content() {
      private boolean isRead;

      @Override
      public TextSegment textSegment() {
        if (!isRead) {
          isRead = true;
          throw new IllegalStateException("no text");
        }
        return TextSegment.from("doc");
      }

      @Override
      public Map<ContentMetadata, Object> metadata() {
        return Map.of();
      }
    };

    Recorded recorded = record(of(content));

    assertThat(recorded.kinds())
        .containsExactly("ToolCall", "RecordingGap", "ModelCall", "ModelResult", "SessionEnd");
    assertThat(recorded.all(RecordingGap.class))
        .extracting(RecordingGap::reason)
        .containsExactly("ToolResult: no text");
    assertThat(failures).extracting(RecordingFailure::event).containsExactly("ToolResult");
    failures.clear();
  }

  @Test
  void query_that_cannot_be_read_fails_as_it_does_unrecorded() {
    try (AiServiceRecorder recording = recorder()) {
      ContentRetriever retriever = recording.retriever("docs", query -> List.of());
      assertThat(retriever.retrieve(null)).isEmpty();
    }
    assertThat(failures).hasSize(1);
    failures.clear();
  }

  @Test
  void name_of_a_tool_must_not_be_blank() {
    try (AiServiceRecorder recording = recorder()) {
      assertThatThrownBy(() -> recording.retriever(" ", of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the name of the tool must not be blank");
    }
  }
}
