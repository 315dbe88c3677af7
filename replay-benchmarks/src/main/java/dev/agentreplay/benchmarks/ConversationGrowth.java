package dev.agentreplay.benchmarks;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.AiServiceRecorder;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures the size of the log of a LangChain4j agent by the number of its turns: each of them is a
 * model call and a tool call that returns {@value #RESULT} characters. It is compared with the
 * length of the conversation: the messages and tool descriptions, each counted once.
 *
 * <pre>
 * mvn -Dquick -pl replay-benchmarks -am package
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.ConversationGrowth
 * </pre>
 */
public final class ConversationGrowth {

  private static final int RESULT = 4_000;
  private static final int TOOLS = 10;
  private static final int WINDOW = 20;
  private static final List<Integer> TURNS = List.of(10, 50, 100, 200, 400);

  /** The AI service. */
  interface Assistant {
    String chat(String message);
  }

  /** A model that calls a tool in each turn, and counts the characters of the conversation. */
  private static final class ScriptedModel implements ChatModel {
    private final int turns;
    private int turn;
    private long characters;

    ScriptedModel(int turns) {
      this.turns = turns;
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
      if (turn == 0) {
        characters += request.messages().toString().length();
        characters += request.parameters().toolSpecifications().toString().length();
      } else {
        List<ChatMessage> messages = request.messages();
        characters += ((ToolExecutionResultMessage) messages.get(messages.size() - 1))
            .text()
            .length();
      }
      AiMessage answer = turn == turns
          ? AiMessage.from("done")
          : AiMessage.from(ToolExecutionRequest.builder()
              .id("call_" + turn)
              .name("tool-0")
              .arguments("{\"path\":\"src/file" + turn + ".java\"}")
              .build());
      characters += answer.toString().length();
      turn++;
      return ChatResponse.builder().aiMessage(answer).build();
    }
  }

  private record Result(long bytes, long characters, double millisPerTurn, double verifyMillis) {}

  private ConversationGrowth() {}

  /** Runs the measurement. */
  public static void main(String[] args) throws IOException {
    for (boolean isFull : List.of(true, false)) {
      run(isFull, 0, 50); // warms up
    }
    System.out.println(
        "prompts      window  turns     bytes  per turn  x length   ms/turn  verify ms");
    for (int window : List.of(0, WINDOW)) {
      for (boolean isFull : List.of(true, false)) {
        for (int turns : TURNS) {
          Result result = run(isFull, window, turns);
          System.out.printf(
              "%-12s %6s %6d %9.2f MB %8d %7.2f %9.2f %10.1f%n",
              isFull ? "in full" : "changes",
              window == 0 ? "-" : Integer.toString(window),
              turns,
              result.bytes / 1e6,
              result.bytes / turns,
              (double) result.bytes / result.characters,
              result.millisPerTurn,
              result.verifyMillis);
        }
      }
    }
  }

  private static Result run(boolean isFull, int window, int turns) throws IOException {
    Path directory = Files.createTempDirectory("growth");
    ScriptedModel model = new ScriptedModel(turns);
    RecorderOptions options = RecorderOptions.defaults().withFullPrompts(isFull);
    long started;
    long ended;
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("growth"), options)) {
      Random random = new Random(turns);
      Map<ToolSpecification, ToolExecutor> tools = IntStream.range(0, TOOLS)
          .boxed()
          .collect(
              Collectors.toMap(ConversationGrowth::tool, i -> (request, memoryId) -> text(random)));
      AiServices<Assistant> builder = AiServices.builder(Assistant.class)
          .chatModel(model)
          .chatMemory(
              MessageWindowChatMemory.withMaxMessages(window == 0 ? Integer.MAX_VALUE : window))
          .maxToolCallingRoundTrips(turns + 1)
          .systemMessageProvider(id -> "You are an agent that fixes bugs. ".repeat(20))
          .tools(tools);
      AiServiceRecorder.into(session).record(builder);
      Assistant assistant = builder.build();
      started = System.nanoTime();
      assistant.chat("Fix the login.");
      ended = System.nanoTime();
      session.end(Status.SUCCESS, 1);
    }
    long read = System.nanoTime();
    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
    double verifyMillis = (System.nanoTime() - read) / 1e6;
    if (report.verdict() != Verdict.VALID) {
      throw new IllegalStateException(report.findings().toString());
    }
    long bytes = delete(directory);
    return new Result(bytes, model.characters, (ended - started) / 1e6 / turns, verifyMillis);
  }

  private static ToolSpecification tool(int i) {
    return ToolSpecification.builder()
        .name("tool-" + i)
        .description("Reads a file. ".repeat(20))
        .build();
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder(RESULT);
    while (text.length() < RESULT) {
      text.append(Long.toString(random.nextLong(), Character.MAX_RADIX)).append(' ');
    }
    return text.substring(0, RESULT);
  }

  /** Deletes a directory and returns the number of bytes in its files. */
  private static long delete(Path directory) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(directory)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    long bytes = 0;
    for (Path path : paths) {
      bytes += Files.isRegularFile(path) ? Files.size(path) : 0;
      Files.delete(path);
    }
    return bytes;
  }
}
