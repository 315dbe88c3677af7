package dev.agentreplay.langchain4j;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Function;

/** Models and tools that keep a list of what was executed. */
final class Executed {

  private final Queue<String> executions = new ConcurrentLinkedQueue<>();

  /** The executions since the last call. */
  List<String> take() {
    List<String> taken = List.copyOf(executions);
    executions.clear();
    return taken;
  }

  void add(String execution) {
    executions.add(execution);
  }

  ScriptedModel model(AiMessage... answers) {
    return new ScriptedModel(counted(ScriptedModel.inTurn(answers)));
  }

  ScriptedModel model(Function<ChatRequest, AiMessage> script) {
    return new ScriptedModel(counted(script));
  }

  ScriptedStreamingModel streaming(AiMessage... answers) {
    return new ScriptedStreamingModel(counted(ScriptedModel.inTurn(answers)));
  }

  private Function<ChatRequest, AiMessage> counted(Function<ChatRequest, AiMessage> script) {
    return request -> {
      executions.add("model");
      return script.apply(request);
    };
  }

  Files files() {
    return new Files();
  }

  /** Returns a tool that waits until it runs in a number of threads. */
  Meeting meeting(int threads) {
    return new Meeting(new CyclicBarrier(threads));
  }

  /** A tool that waits, so that its calls are recorded as concurrent ones. */
  final class Meeting {

    private final CyclicBarrier barrier;

    private Meeting(CyclicBarrier barrier) {
      this.barrier = barrier;
    }

    @Tool
    String meet(String path) {
      executions.add("meet");
      await();
      return "met at " + path;
    }

    /** Waits for the other threads. */
    void await() {
      try {
        barrier.await();
      } catch (InterruptedException | BrokenBarrierException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Tools as an agent has them. */
  final class Files {
    @Tool
    String read(String path) {
      executions.add("read");
      return "content of " + path;
    }

    @Tool
    void touch(String path) {
      executions.add("touch");
    }

    @Tool
    String broken(String path) {
      executions.add("broken");
      throw new IllegalStateException("cannot read " + path);
    }

    @Tool
    List<Content> picture(String path) {
      executions.add("picture");
      return List.of(TextContent.from(path), ImageContent.from("aGk=", "image/png"));
    }

    @Tool
    String cut(String path) {
      executions.add("cut");
      return path + "\ud83d";
    }
  }
}
