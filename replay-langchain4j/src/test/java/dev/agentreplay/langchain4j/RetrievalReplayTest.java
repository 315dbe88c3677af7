package dev.agentreplay.langchain4j;

import static dev.agentreplay.langchain4j.Instruments.assertIdentical;
import static dev.agentreplay.langchain4j.Instruments.mock;
import static dev.agentreplay.langchain4j.Instruments.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.ActiveReplay;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.Instruments.Agent;
import dev.agentreplay.langchain4j.RetrievalRecordingTest.Search;
import dev.langchain4j.data.document.Metadata;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.rag.DefaultRetrievalAugmentor;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.ContentMetadata;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.router.DefaultQueryRouter;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Retrievals are replayed. */
@Timeout(60)
class RetrievalReplayTest {

  /** A service that returns what it retrieved. */
  interface Librarian {
    Result<String> answer(String question);
  }

  @TempDir
  private Path sessions;

  private final Executed executed = new Executed();
  private final List<List<Content>> sources = new ArrayList<>();

  private ContentRetriever counted(ContentRetriever retriever) {
    return query -> {
      executed.add("retriever");
      return retriever.retrieve(query);
    };
  }

  private Agent agent(ContentRetriever retriever) {
    return instruments -> sources.add(instruments
        .add(AiServices.builder(Librarian.class).chatModel(executed.model(AiMessage.from("done"))))
        .contentRetriever(instruments.retriever("documents", counted(retriever)))
        .build()
        .answer("bees?")
        .sources());
  }

  private ReplayReport again(Agent agent) throws Exception {
    Session session = record(sessions, agent);
    assertThat(executed.take()).contains("retriever");
    ReplayReport report = mock(session, agent);
    assertThat(executed.take()).isEmpty();
    assertIdentical(report);
    return report;
  }

  @Test
  void documents_are_those_of_the_recording() throws Exception {
    Metadata metadata = Metadata.from(Map.of(
        "name",
        "bees \ud83d",
        "a/b~c",
        "\udc00",
        "page",
        3,
        "bytes",
        5_000_000_000L,
        "weight",
        0.5));
    Content content = Content.from(
        TextSegment.from("Bees \ud83d fly.", metadata),
        Map.of(ContentMetadata.SCORE, 1.0, ContentMetadata.EMBEDDING_ID, "e-1"));

    again(agent(query -> List.of(content, Content.from("Wasps, too."))));

    assertThat(sources.get(1)).isEqualTo(sources.get(0));
  }

  @Test
  void metadata_without_json_form_is_text() throws Exception {
    UUID id = UUID.randomUUID();
    Metadata metadata = Metadata.from(Map.of("id", id, "share", 0.25f));

    again(agent(query -> List.of(Content.from(TextSegment.from("Bees.", metadata)))));

    Metadata restored = sources.get(1).get(0).textSegment().metadata();
    assertThat(restored.getUUID("id")).isEqualTo(id);
    assertThat(restored.getFloat("share")).isEqualTo(0.25f);
  }

  @Test
  void failure_is_thrown_again() throws Exception {
    ReplayReport report = again(agent(query -> {
      throw new RateLimitException("slow down");
    }));

    assertThat(report.failure()).isInstanceOf(RateLimitException.class).hasMessage("slow down");
  }

  @Test
  void parallel_retrievals_are_served() throws Exception {
    Executed.Meeting meeting = executed.meeting(2);
    again(instruments -> instruments
        .add(AiServices.builder(Assistant.class).chatModel(executed.model(AiMessage.from("done"))))
        .retrievalAugmentor(DefaultRetrievalAugmentor.builder()
            .queryRouter(new DefaultQueryRouter(
                instruments.retriever("books", counted(query -> {
                  meeting.await();
                  return List.of(Content.from("book"));
                })),
                instruments.retriever("letters", counted(query -> {
                  meeting.await();
                  return List.of(Content.from("letter"));
                }))))
            .build())
        .build()
        .chat("bees?"));
  }

  @Test
  void retrieval_of_a_tool_is_replayed_if_the_tool_is_executed() throws Exception {
    Agent agent = instruments -> instruments
        .add(AiServices.builder(Assistant.class)
            .chatModel(
                executed.model(ScriptedModel.call("a", "search", "{}"), AiMessage.from("done")))
            .tools(new Search(instruments.retriever(
                "documents", counted(query -> List.of(Content.from("9 to 17")))))))
        .build()
        .chat("when?");
    Session session = record(sessions, agent);
    executed.take();

    ReplayReport report = Replay.of(session)
        .policy(dev.agentreplay.engine.replay.policy.ReplayPolicy.of(ReplayMode.MOCK)
            .withTool("search", dev.agentreplay.engine.replay.policy.ReplayAction.EXECUTE))
        .run(scope -> Instruments.run(scope, agent));

    assertThat(executed.take()).isEmpty();
    assertIdentical(report);
  }

  @Test
  void different_question_is_a_miss() throws Exception {
    Session session = record(sessions, agent(query -> List.of(Content.from("Bees."))));
    executed.take();

    ReplayReport report = mock(session, instruments -> instruments
        .add(AiServices.builder(Librarian.class).chatModel(executed.model()))
        .contentRetriever(instruments.retriever("documents", counted(query -> List.of())))
        .build()
        .answer("wasps?"));

    assertThat(executed.take()).isEmpty();
    assertThat(report.failure()).isInstanceOfSatisfying(ReplayMissException.class, miss -> {
      assertThat(miss.miss().kind()).isEqualTo(MissKind.DIVERGED);
      assertThat(miss.miss().nearest().pointer()).isEqualTo("/params/query");
    });
  }

  @Test
  void blank_name_is_rejected() throws Exception {
    Session session = record(sessions, agent(query -> List.of(Content.from("Bees."))));
    try (ActiveReplay replay = Replay.of(session).mode(ReplayMode.MOCK).start()) {
      AiServiceReplayer replayer = AiServiceReplayer.of(replay.scope());
      assertThatThrownBy(() -> replayer.retriever(" ", query -> List.of()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
