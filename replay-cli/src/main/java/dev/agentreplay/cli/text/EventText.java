package dev.agentreplay.cli.text;

import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.CommandRun;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.LogPart;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.Prompt;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Events for people, one line each. Calls are numbered from 0, and results bear their number. */
public final class EventText {

  private static final int TOOL_WIDTH = 14;

  private final Style style;
  private final int width;
  private final CallPairing<Integer> pairing = new CallPairing<>();
  private int calls;

  /**
   * A renderer of one session.
   *
   * @param width how many columns there are; longer values are cut
   */
  public EventText(Style style, int width) {
    this.style = style;
    this.width = width;
  }

  public String render(ReplayEvent event) {
    if (event instanceof ToolCall call) {
      return call(call);
    }
    if (event instanceof ToolResult result) {
      return result(result);
    }
    return style.dim(Style.fit(other(event), width));
  }

  private String call(ToolCall call) {
    int number = calls++;
    pairing.call(call.id(), number);
    String label = "#%-3d ".formatted(number);
    String tool = "%-14s ".formatted(Style.fit(call.tool(), Math.max(TOOL_WIDTH, width / 3)));
    String params = content(call.content());
    return style.bold(label)
        + style.name(tool)
        + Style.fit(params, width - label.length() - tool.length());
  }

  private String result(ToolResult result) {
    Integer number = pairing.result(result.id());
    String label = "#%-3s ".formatted(number == null ? "?" : number.toString());
    Long latency = result.latencyMillis();
    String took = latency == null ? "" : "%,d ms".formatted(latency);
    Outcome outcome = result.outcome();
    String ended = outcome.exitCode() != null
        ? "exit " + outcome.exitCode()
        : outcome.succeeded() ? "" : "failed";
    String summary = "-> %-7s %9s  ".formatted(ended, took);
    String shown = outcome.succeeded() ? style.dim(summary) : style.warn(summary);
    int left = width - label.length() - summary.length();
    return style.dim(label) + shown + Style.fit(content(result.output()), left);
  }

  /** A string without its quotes, from its first line that says something. */
  private static String content(Content content) {
    JsonValue value = content.value();
    if (value instanceof JsonString text) {
      return text.value().strip();
    }
    if (value != null) {
      return value.toString();
    }
    if (content.preview() != null) {
      return "(preview) " + content.preview().strip();
    }
    return content.hash() == null ? "" : "(" + content.hash() + ")";
  }

  /** What a model is told last, of all that it is shown. */
  private static String prompt(Content prompt) {
    JsonArray messages =
        prompt.value() instanceof JsonObject json ? new Prompt(json).messages() : JsonArray.EMPTY;
    if (messages.size() == 0) {
      return content(prompt);
    }
    JsonValue last = messages.get(messages.size() - 1);
    String text = text(last);
    return "message %d, %s".formatted(messages.size(), text == null ? last : text.strip());
  }

  /** The text of a message, where one of the usual members has it: a text, or parts with texts. */
  private static @Nullable String text(@Nullable JsonValue message) {
    if (message instanceof JsonString text) {
      return text.value();
    } else if (message instanceof JsonArray parts) {
      return parts.size() == 0 ? null : text(parts.get(0));
    } else if (message instanceof JsonObject json) {
      return Stream.of("content", "contents", "text")
          .map(json::get)
          .map(EventText::text)
          .filter(Objects::nonNull)
          .findFirst()
          .orElse(null);
    }
    return null;
  }

  private static String other(ReplayEvent event) {
    if (event instanceof ReplayHeader header) {
      return said(
          "log",
          " of ",
          header.producer(),
          ", format version ",
          header.version(),
          ", session ",
          header.meta().sessionId());
    } else if (event instanceof SessionStart start) {
      String policy = start.policy() == null ? null : start.policy().id();
      String id = start.meta().sessionId();
      return said(
          "session",
          " ",
          id,
          ", policy ",
          policy,
          ", issue ",
          start.issueNumber(),
          ": ",
          start.task().text());
    } else if (event instanceof PlanStart plan) {
      return said("plan", ", steps: ", plan.stepCount());
    } else if (event instanceof StepComplete step) {
      return said("step " + step.stepId(), ": ", spelling(step.status()));
    } else if (event instanceof Verification verification) {
      return "checked: "
          + verification.commands().stream()
              .map(EventText::command)
              .collect(Collectors.joining("; "));
    } else if (event instanceof Payment payment) {
      return said("payment", " of msats ", payment.amountMsats(), " over ", payment.rail());
    } else if (event instanceof RuntimeEvent runtime) {
      return said("runtime", " ", runtime.type(), " ", content(runtime.payload()));
    } else if (event instanceof ModelCall call) {
      return said("model " + call.id(), " ", call.model(), ": ", prompt(call.prompt()));
    } else if (event instanceof ModelResult result) {
      return said(
          "answer " + result.id(),
          ", ",
          result.finish().reason(),
          ", tokens read: ",
          result.tokens().input(),
          ", written: ",
          result.tokens().output(),
          ": ",
          content(result.answer()));
    } else if (event instanceof Settings settings) {
      return "settings: " + settings.values();
    } else if (event instanceof FileState file) {
      return "file " + file.path() + ": " + change(file);
    } else if (event instanceof RecordedValue value) {
      return "value %d of %s: %s".formatted(value.ordinal(), value.source(), value.value());
    } else if (event instanceof Checkpoint checkpoint) {
      return said("checkpoint", " of lines: ", checkpoint.tree().size());
    } else if (event instanceof RecordingGap gap) {
      return said(
          "gap",
          ", events not recorded: ",
          gap.events(),
          ", since ",
          gap.since(),
          ": ",
          gap.reason());
    } else if (event instanceof LogPart part) {
      return "part %d, lines before: %d, bytes before: %d"
          .formatted(part.part(), part.linesBefore(), part.bytesBefore());
    } else if (event instanceof SessionEnd end) {
      return said(
          "end: " + end.status().spelling(),
          ", confidence ",
          end.confidence(),
          ", tool calls: ",
          end.totalToolCalls(),
          ", latency in ms: ",
          end.totalLatencyMillis());
    } else if (event instanceof UnknownEvent unknown) {
      return "unknown event " + unknown.type() + " " + unknown.meta().extra();
    }
    return event.kind().id();
  }

  /** A text, and what is known of labels and values in turn. */
  private static String said(String text, @Nullable Object... labelsAndValues) {
    StringBuilder out = new StringBuilder(text);
    for (int i = 0; i < labelsAndValues.length; i += 2) {
      if (labelsAndValues[i + 1] != null) {
        out.append(labelsAndValues[i]).append(labelsAndValues[i + 1]);
      }
    }
    return out.toString();
  }

  private static String change(FileState file) {
    if (file.after() == null) {
      return "deleted";
    }
    return said(file.before() == null ? "created" : "changed", ", bytes: ", file.bytes());
  }

  private static String command(CommandRun run) {
    return run.command() + " -> " + run.exitCode();
  }

  private static @Nullable String spelling(@Nullable Status status) {
    return status == null ? null : status.spelling();
  }
}
