package dev.agentreplay.benchmarks;

import dev.agentreplay.io.recording.Durability;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.langchain4j.AiServiceRecorder;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.observability.api.listener.AiServiceResponseReceivedListener;
import dev.langchain4j.observability.api.listener.ToolExecutedEventListener;
import dev.langchain4j.service.AiServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures the latency that recording adds to a LangChain4j agent: a service with a scripted model
 * and a tool that does nothing, unrecorded and recorded with two durabilities, in interleaved
 * batches. It measures the parts of the agent loop, each of which is recorded as two events:
 *
 * <ul>
 *   <li>a tool call, from the model's answer to the tool's result;
 *   <li>a model call, from the tool's result to the model's answer. Its prompt is recorded each
 *       time, and grows with each of the {@value #CALLS} calls of an invocation;
 *   <li>an invocation, which is a session, including the fsync of its start and end.
 * </ul>
 *
 * <pre>
 * mvn -Dquick -pl replay-benchmarks -am package
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.AgentLoopLatency
 * </pre>
 */
public final class AgentLoopLatency {

  private static final int CALLS = 20;
  private static final int BATCH = 20;
  private static final int WARM_UP_ROUNDS = 50;
  private static final int ROUNDS = 260;

  /** The AI service. */
  interface Assistant {
    String chat(String message);
  }

  private static final class ScriptedModel implements ChatModel {
    private static final ToolSpecification NOTHING =
        ToolSpecification.builder().name("nothing").description("does nothing").build();

    private static final List<AiMessage> ANSWERS = IntStream.rangeClosed(0, CALLS)
        .mapToObj(i -> i == CALLS
            ? AiMessage.from("done")
            : AiMessage.from(ToolExecutionRequest.builder()
                .id("call_" + i)
                .name(NOTHING.name())
                .arguments("{\"path\":\"src/main/java/Example.java\",\"line\":" + i + "}")
                .build()))
        .toList();

    @Override
    public ChatResponse doChat(ChatRequest request) {
      int turn = request.messages().size() / 2; // an answer and a result each
      return ChatResponse.builder().aiMessage(ANSWERS.get(turn)).build();
    }
  }

  /** Times of one kind, in nanoseconds. */
  private static final class Samples {
    private final long[] nanos;
    private int count;

    Samples(int size) {
      nanos = new long[size];
    }

    void add(long sample) {
      nanos[count++] = sample;
    }

    double micros(int percent) {
      long[] sorted = Arrays.copyOf(nanos, count);
      Arrays.sort(sorted);
      return sorted[(int) ((long) count * percent / 100)] / 1e3;
    }
  }

  /** A service, and the latencies of the parts of its loop. */
  private static final class Loop {
    private final Assistant assistant;
    private final Samples toolCalls;
    private final Samples modelCalls;
    private final Samples invocations;
    private boolean measured;
    private boolean isFirst;
    private long last;

    Loop(@Nullable AiServiceRecorder recorder, int rounds) {
      invocations = new Samples(rounds * BATCH);
      toolCalls = new Samples(rounds * BATCH * CALLS);
      modelCalls = new Samples(rounds * BATCH * CALLS);
      AiServices<Assistant> builder = AiServices.builder(Assistant.class)
          .chatModel(new ScriptedModel())
          .tools(Map.of(ScriptedModel.NOTHING, (request, memoryId) -> "ok"));
      if (recorder != null) {
        recorder.record(builder);
      }
      // listeners are called in the order of registration: these after the recorder
      assistant = builder
          .registerListener((AiServiceResponseReceivedListener) event -> answered())
          .registerListener((ToolExecutedEventListener) event -> add(toolCalls))
          .build();
    }

    private void answered() {
      if (isFirst) { // the time before the first answer belongs to the start
        isFirst = false;
        last = System.nanoTime();
      } else {
        add(modelCalls);
      }
    }

    private void add(Samples samples) {
      long now = System.nanoTime();
      if (measured) {
        samples.add(now - last);
      }
      last = System.nanoTime();
    }

    void run(boolean isMeasured) {
      measured = isMeasured;
      for (int i = 0; i < BATCH; i++) {
        isFirst = true;
        long started = System.nanoTime();
        if (!assistant.chat("Fix the login").equals("done")) {
          throw new IllegalStateException("unexpected answer of the agent");
        }
        if (isMeasured) {
          invocations.add(System.nanoTime() - started);
        }
      }
    }
  }

  private AgentLoopLatency() {}

  /**
   * Measures and prints a table. The argument is the number of rounds of {@value #BATCH}
   * invocations each; the default is {@value #ROUNDS}.
   */
  public static void main(String[] args) throws IOException {
    System.setProperty("slf4j.internal.verbosity", "ERROR"); // no logger is bound
    int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
    Path directory = Files.createTempDirectory("replay-agent");
    Path sessions = directory.resolve("sessions");
    try (AiServiceRecorder process = recorder(sessions, Durability.WRITTEN);
        AiServiceRecorder group = recorder(sessions, Durability.INTERVAL)) {
      Map<String, Loop> loops = new LinkedHashMap<>();
      loops.put("unrecorded", new Loop(null, rounds));
      loops.put("recorded, WRITTEN", new Loop(process, rounds));
      loops.put("recorded, INTERVAL", new Loop(group, rounds));
      for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
        for (Loop loop : loops.values()) {
          loop.run(round >= 0);
        }
        Rounds.delete(sessions);
      }
      if (process.failures() + group.failures() > 0) {
        throw new IllegalStateException("not everything was recorded");
      }
      print(loops);
    } finally {
      Rounds.delete(directory);
    }
  }

  private static AiServiceRecorder recorder(Path sessions, Durability durability) {
    WriterOptions writer = WriterOptions.defaults().withDurability(durability);
    return AiServiceRecorder.into(sessions, RecorderOptions.defaults().withWriter(writer));
  }

  private static void print(Map<String, Loop> loops) {
    System.out.printf(
        "%-20s %21s %21s %21s%n",
        "us, p50 and p99", "a tool call", "a model call", "an invocation");
    loops.forEach((name, loop) -> System.out.printf(
        "%-20s %10.1f %10.1f %10.1f %10.1f %10.1f %10.1f%n",
        name,
        loop.toolCalls.micros(50),
        loop.toolCalls.micros(99),
        loop.modelCalls.micros(50),
        loop.modelCalls.micros(99),
        loop.invocations.micros(50),
        loop.invocations.micros(99)));
  }
}
