package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The steps of one ATIF trajectory. Not safe for use by several threads. */
final class AtifSteps {

  /** The number of steps of all trajectories. */
  static final class Count {
    long steps;
  }

  private final ExportedSession session;
  private final List<AtifStep> steps = new ArrayList<>();
  private final List<JsonValue> unplaced = new ArrayList<>();
  private final List<JsonValue> json = new ArrayList<>();
  private @Nullable JsonObject totals;

  /** The messages of all prompts so far, those of the last one, and its system prompt. */
  private final Set<JsonValue> seen = new HashSet<>();

  private List<JsonValue> previous = List.of();
  private @Nullable JsonValue system;
  private boolean isAnswered;

  private AtifSteps(ExportedSession session) {
    this.session = session;
  }

  static AtifSteps of(ExportedSession session, Lane lane, Count count) {
    AtifSteps steps = new AtifSteps(session);
    steps.addTask(lane);
    lane.exchanges().forEach(steps::add);
    if (steps.steps.isEmpty()) { // which the format requires
      steps.steps.add(new AtifStep("system", "", false, null));
      session.singles().stream()
          .findFirst()
          .ifPresent(event -> event.record().generate("steps[]", "an empty step: there is none"));
    }
    for (AtifStep step : steps.steps) {
      steps.json.add(step.json(steps.json.size() + 1, session));
    }
    steps.sum();
    count.steps += steps.json.size();
    return steps;
  }

  JsonArray json() {
    return JsonArray.copyOf(json);
  }

  /** The events before the first step. */
  JsonArray unplaced() {
    return JsonArray.copyOf(unplaced);
  }

  /** The metrics of the whole trajectory; null if no step states tokens. */
  @Nullable
  JsonObject totals() {
    return totals;
  }

  /** Adds the task as the message of a user, unless a prompt has one. */
  private void addTask(Lane lane) {
    String task = session.task();
    boolean hasPrompt = lane.exchanges().stream()
        .filter(Exchange::isModel)
        .anyMatch(each -> !PromptParts.of(each.begin()).messages().isEmpty());
    if (lane.agent() == null && task != null && !hasPrompt && session.start() != null) {
      session.start().record().derive("steps[].message", "task");
      steps.add(new AtifStep("user", task, false, null));
    }
  }

  private void add(Exchange exchange) {
    if (exchange.isModel()) {
      addMessages(exchange);
      steps.add(new AtifStep("agent", AtifModelStep.message(exchange), false, exchange));
      isAnswered = true;
    } else if (exchange.isTool()) {
      AtifStep last = last();
      if (last == null || !last.takes(exchange)) {
        last = new AtifStep("agent", "", false, null);
        exchange.begin().record().generate("steps[].message", "empty: no answer of a model");
        steps.add(last);
      }
      last.add(exchange);
    } else {
      JsonObject kept = exchange.begin().kept();
      AtifStep last = last();
      if (last == null) {
        unplaced.add(kept);
      } else {
        last.keep(kept);
      }
    }
  }

  private @Nullable AtifStep last() {
    return steps.isEmpty() ? null : steps.get(steps.size() - 1);
  }

  /**
   * Adds the messages of a prompt that are new as steps. The results of tools and the last answer
   * are a part of the steps before.
   */
  private void addMessages(Exchange exchange) {
    PromptParts prompt = PromptParts.of(exchange.begin());
    if (prompt.system() != null && !prompt.system().equals(system)) {
      system = prompt.system();
      String text = new ChatMessage(
              "system", MessageParser.content(prompt.system()), JsonObject.EMPTY)
          .text();
      steps.add(new AtifStep("system", text, false, null));
    }
    int common = commonLength(previous, prompt.messages());
    boolean isExtended = common == previous.size();
    previous = prompt.messages();
    boolean mayBeAnswer = isAnswered;
    for (JsonValue value : prompt.messages().subList(common, prompt.messages().size())) {
      if (!seen.add(value) && !isExtended) {
        continue;
      }
      ChatMessage message = ChatMessage.of(value, "user");
      String source =
          switch (message.role()) {
            case "system", "developer" -> "system";
            case "user", "human" -> message.isResults() ? "" : "user";
            case "assistant", "model" -> mayBeAnswer ? "" : "agent";
            default -> "";
          };
      if (message.role().equals("assistant") || message.role().equals("model")) {
        mayBeAnswer = false;
      }
      if (!source.isEmpty()) {
        steps.add(new AtifStep(source, message.text(), source.equals("agent"), null));
      }
    }
    isAnswered = false;
    exchange.begin().record().derive("steps[].message", "prompt");
    exchange.begin().record().derive("steps[].message", Names.PROMPT_DELTA);
  }

  private static int commonLength(List<JsonValue> one, List<JsonValue> other) {
    int length = 0;
    while (length < one.size()
        && length < other.size()
        && (one.get(length) == other.get(length) || one.get(length).equals(other.get(length)))) {
      length++;
    }
    return length;
  }

  private void sum() {
    long input = 0;
    long output = 0;
    boolean isStated = false;
    for (AtifStep step : steps) {
      ModelResult result = step.model() == null ? null : step.model().modelResult();
      if (result != null) {
        isStated |= result.tokens().input() != null || result.tokens().output() != null;
        input += result.tokens().input() == null ? 0 : result.tokens().input();
        output += result.tokens().output() == null ? 0 : result.tokens().output();
      }
    }
    if (isStated) {
      totals = JsonObject.of(
          "total_prompt_tokens", input,
          "total_completion_tokens", output,
          "total_steps", json.size());
    }
  }
}
