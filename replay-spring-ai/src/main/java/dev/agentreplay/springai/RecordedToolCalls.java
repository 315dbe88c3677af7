package dev.agentreplay.springai;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.io.agent.RunningCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;

/**
 * The tool calls of one answer that are being recorded: each when its tool is called, or, if the
 * manager answers it in a different way, when the manager returns. Safe for use by several threads.
 */
final class RecordedToolCalls {

  /** The latency of a tool if it is unknown; a result without a latency would be rejected. */
  private static final long UNMEASURED = 0;

  private static final class Slot {
    private final ToolCall request;
    private final int number;
    private boolean isStarted;
    private boolean hasResult;
    private @Nullable String id;
    private long latencyMillis = UNMEASURED;
    private @Nullable Throwable error;
    private boolean isDirect;

    Slot(ToolCall request, int number) {
      this.request = request;
      this.number = number;
    }
  }

  private final GuardedSession session;
  private final RecordedCounts counts;
  private final RecordedState state;

  /** The calls in the order of the answer; their state is guarded by this list. */
  private final List<Slot> slots = new ArrayList<>();

  /**
   * Creates the calls of an answer.
   *
   * @param state the invocation, after whose end no tool has a result any more
   */
  RecordedToolCalls(
      GuardedSession session, RecordedCounts counts, List<ToolCall> requests, RecordedState state) {
    this.session = session;
    this.counts = counts;
    this.state = state;
    for (int i = 0; i < requests.size(); i++) {
      slots.add(new Slot(requests.get(i), ToolEvents.number(requests, i)));
    }
  }

  /** The prompt with tools whose calls are recorded; the same prompt if that is not possible. */
  Prompt wrap(Prompt prompt) {
    try {
      return WrappedTool.wrap(prompt, Recorded::new);
    } catch (Throwable e) { // options of any class
      RecordingFailures.rethrowIfFatal(e);
      session.report("ToolCall", e);
      return prompt;
    }
  }

  /**
   * Records the calls that the manager answered itself, and the errors that it turned into text.
   */
  void completed(ToolExecutionResult result) {
    guarded(() -> {
      List<ToolResponse> responses = responses(result);
      for (int i = 0; i < slots.size(); i++) {
        Slot slot = slots.get(i);
        String text = response(responses, i, slot);
        if (text == null && !slot.isStarted) {
          continue; // it was left out
        }
        begin(slot);
        result(slot, text, slot.error, slot.isDirect || result.returnDirect());
      }
    });
  }

  private static List<ToolResponse> responses(ToolExecutionResult result) {
    List<Message> history = result.conversationHistory();
    Message last = history.isEmpty() ? null : history.get(history.size() - 1);
    return last instanceof ToolResponseMessage message ? message.getResponses() : List.of();
  }

  private static @Nullable String response(List<ToolResponse> responses, int index, Slot slot) {
    ToolResponse response = index < responses.size() ? responses.get(index) : null;
    return response != null && Objects.equals(response.id(), slot.request.id())
        ? response.responseData()
        : null;
  }

  /** Records the exception of the call that the manager failed at. */
  void failed(Throwable error) {
    guarded(() -> {
      List<ToolResponse> responses =
          ToolEvents.isLimit(error) ? responses(LimitExceptions.partialResult(error)) : List.of();
      Slot failing = failing(error);
      for (int i = 0; i < slots.size(); i++) {
        Slot slot = slots.get(i);
        if (slot == failing) {
          begin(slot);
          failedAt(slot, error);
        } else if (slot.error != null) {
          String text = response(responses, i, slot);
          result(
              slot,
              text == null ? EventTexts.message(slot.error) : text,
              slot.error,
              slot.isDirect);
        }
      }
    });
  }

  /** The call that an exception comes from, or else the one that the manager did not answer. */
  private @Nullable Slot failing(Throwable error) {
    Slot unanswered = null;
    for (Slot slot : slots) {
      Throwable thrown = slot.hasResult ? null : slot.error;
      if (thrown != null
          && (thrown == error || thrown.getCause() == error || error.getCause() == thrown)) {
        return slot;
      }
      if (unanswered == null && !slot.isStarted) {
        unanswered = slot;
      }
    }
    return unanswered;
  }

  private void failedAt(Slot slot, Throwable error) {
    synchronized (slots) {
      slot.hasResult = true;
    }
    session.result("ToolResult", slot.id, id -> ToolEvents.failed(id, error, slot.latencyMillis));
  }

  private void guarded(Runnable action) {
    state.ifOpen(() -> {
      try {
        action.run();
      } catch (Throwable e) {
        RecordingFailures.rethrowIfFatal(e);
        session.report("ToolResult", e);
      }
      return null;
    });
  }

  private void begin(Slot slot) {
    synchronized (slots) {
      if (slot.isStarted) {
        return;
      }
      slot.isStarted = true;
    }
    slot.id = session.call(() -> ToolEvents.call(slot.request));
    if (slot.id != null) {
      counts.toolCall();
    }
  }

  private void result(
      Slot slot, @Nullable String text, @Nullable Throwable error, boolean isDirect) {
    synchronized (slots) {
      if (slot.hasResult) {
        return;
      }
      slot.hasResult = true;
    }
    session.result(
        "ToolResult",
        slot.id,
        id -> ToolEvents.result(id, text, error, isDirect, slot.latencyMillis));
  }

  /** The first call that was not started, of a tool with these arguments; null if there is none. */
  private @Nullable Slot next(String tool, @Nullable String arguments) {
    Slot ofTool = null;
    for (Slot slot : slots) {
      if (!slot.isStarted && Objects.equals(slot.request.name(), tool)) {
        if (Objects.equals(slot.request.arguments(), arguments)) {
          return slot;
        }
        ofTool = ofTool == null ? slot : ofTool;
      }
    }
    return ofTool; // the manager may have replaced empty arguments
  }

  /** A tool whose calls are recorded. */
  private final class Recorded extends WrappedTool {

    Recorded(ToolCallback tool) {
      super(tool);
    }

    @Override
    String call(String arguments, Supplier<String> called) {
      Slot slot = started(arguments);
      RunningCall running = slot == null ? null : session.begin(slot.id, slot.number);
      long started = session.nanoTime();
      String text;
      try {
        text = called.get();
      } catch (Throwable e) {
        if (slot != null) {
          slot.latencyMillis = millis(started);
          slot.error = e; // recorded when it is known what the manager makes of it
        }
        throw e;
      } finally {
        if (running != null) {
          running.end();
        }
      }
      if (slot != null) {
        slot.latencyMillis = millis(started);
        guarded(() -> result(slot, text, null, slot.isDirect));
      }
      return text;
    }

    private long millis(long started) {
      return TimeUnit.NANOSECONDS.toMillis(session.nanoTime() - started);
    }

    /** Records the call that is about to run; null if the answer has none for the tool. */
    private @Nullable Slot started(String arguments) {
      String name;
      boolean isDirect;
      try {
        name = getToolDefinition().name();
        isDirect = getToolMetadata().returnDirect();
      } catch (Throwable e) { // of the tool's own definition
        RecordingFailures.rethrowIfFatal(e);
        session.report("ToolCall", e);
        return null;
      }
      return state.ifOpen(() -> {
        Slot slot;
        synchronized (slots) {
          slot = next(name, arguments);
          if (slot == null) {
            return null;
          }
          slot.isStarted = true;
          slot.isDirect = isDirect;
        }
        slot.id = session.call(() -> ToolEvents.call(slot.request));
        if (slot.id != null) {
          counts.toolCall();
        }
        return slot;
      });
    }
  }
}
