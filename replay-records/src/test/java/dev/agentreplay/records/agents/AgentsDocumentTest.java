package dev.agentreplay.records.agents;

import static dev.agentreplay.records.internal.ThreeRounds.replay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.engine.subject.ProcessCommand;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.internal.LiveSession;
import dev.agentreplay.records.internal.ReplayedSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The section on agents in the document on the protocol is that of the code. */
@Timeout(60)
class AgentsDocumentTest {

  private static final String HEADING = "\n## Agents of a session record\n";

  @TempDir
  Path directory;

  private static String section() throws IOException {
    String document = Files.readString(Path.of("../docs/protocol.md"));
    assertThat(document).contains(HEADING);
    return document.substring(document.indexOf(HEADING));
  }

  @Test
  void each_member_of_a_message_is_documented() throws Exception {
    List<RoundContext> contexts = new ArrayList<>();
    replay(context -> {
          contexts.add(context);
          return RoundMessages.of(List.of());
        })
        .run();
    Stream<String> requests = Stream.of(
            AgentsProtocol.session(contexts.get(0)).names(),
            AgentsProtocol.round(contexts.get(0)).names(),
            AgentsProtocol.round(contexts.get(0)).at("/turns/0").asObject().names())
        .flatMap(List::stream)
        .filter(name -> !name.equals("type"));
    Stream<String> answers =
        Stream.concat(AgentsProtocol.ANSWER.stream(), AgentsProtocol.MESSAGE.stream());

    String section = section();
    assertThat(Stream.concat(requests, answers).distinct())
        .hasSizeGreaterThan(15)
        .allSatisfy(
            name -> assertThat(section).containsPattern("\\| [^|]*`" + name + "`[^|]* \\|"));
  }

  @Test
  void types_versions_and_limits_are_those_of_the_code() throws Exception {
    String section = section();
    assertThat(section)
        .contains("version of the protocol: " + AgentsProtocol.VERSION)
        .contains("more than %d MiB".formatted(ProcessAgents.MAX_LINE_BYTES >> 20));
    for (TraceMessage.Type type : TraceMessage.Type.values()) {
      assertThat(section).contains("`" + type.id() + "`");
    }
  }

  @Test
  void example_runs_with_both_feeds() throws Exception {
    String section = section();
    String example = section.substring(section.indexOf("```python\n") + "```python\n".length());
    Path file = Files.writeString(
        directory.resolve("agents.py"), example.substring(0, example.indexOf("```")));

    assertThat(texts(file, Feed.RECORDED))
        .containsExactly(
            "Blue knows 1 messages before this DELTA.",
            "Red knows 2 messages before this CRITIQUE.",
            "Green knows 5 messages before this DELTA.",
            "Blue knows 7 messages before this DELTA.",
            "Red knows 8 messages before this CRITIQUE.",
            "Green knows 9 messages before this COMPILE.");
    assertThat(texts(file, Feed.REPLAYED))
        .startsWith(
            "Blue knows 1 messages before this DELTA.",
            "Green knows 2 messages before this DELTA.",
            "Red knows 3 messages before this DELTA.",
            "Blue knows 6 messages before this DELTA.")
        .hasSize(9);
  }

  private static List<String> texts(Path file, Feed feed) throws Exception {
    ProcessCommand python = ProcessCommand.of(List.of("python3", file.toString()));
    assumeTrue(isExecutable(python), "there is no python3");
    try (ProcessAgents agents = ProcessAgents.of(python)) {
      ReplayedSession session =
          replay(agents).feed(feed).run(LiveSession.GRACE, Duration.ofSeconds(1));
      assertThat(session.failure()).isNull();
      List<String> texts = new ArrayList<>();
      for (Round round : session.record().trace().rounds()) {
        for (TraceMessage message : round.messages()) {
          String text = session.texts().text(message.contentHash());
          if (text != null && text.contains(" knows ")) {
            texts.add(text);
          }
        }
      }
      return texts;
    }
  }

  private static boolean isExecutable(ProcessCommand command) {
    try {
      command.requireExecutable();
      return true;
    } catch (IOException missing) {
      return false;
    }
  }
}
