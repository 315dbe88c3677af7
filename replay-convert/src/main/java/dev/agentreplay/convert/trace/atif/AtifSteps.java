package dev.agentreplay.convert.trace.atif;

import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.MessageText;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.SourceTimes;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the steps of one trajectory. */
final class AtifSteps {

  /** The member that marks a step as one of an earlier run: the model sees it, it is not new. */
  static final String COPIED = "is_copied_context";

  private static final String RESULTS = "results";
  private static final String OBSERVATION = "observation";

  private final TraceSession session;
  private final Meta lane;
  private final Conversation conversation;
  private final OtherEvents others;
  private final AtifAnswers answers;
  private final AtifTools tools;
  private final boolean isExported;
  private boolean isBegun;

  /**
   * Creates a writer.
   *
   * @param model the model of the answers that do not state theirs
   */
  AtifSteps(
      AtifContext context, AtifImport.Subagents subagents, Meta lane, @Nullable String model) {
    this.session = context.session();
    this.isExported = context.kept() != null;
    this.lane = lane;
    this.conversation = session.conversation(lane.agent());
    this.others = new OtherEvents(context, lane);
    this.answers = new AtifAnswers(context, others, lane, model);
    this.tools = new AtifTools(context, others, subagents, conversation);
  }

  void write(SourceRecord step) throws IOException {
    String source = String.valueOf(step.text("source"));
    others.take(step);
    if (step.isTrue(COPIED)) {
      copied(step, source);
    } else {
      write(step, source);
    }
    others.writeAll();
    isBegun |= !source.equals("system");
  }

  private void write(SourceRecord step, String source) throws IOException {
    Meta meta = lane.withTime(SourceTimes.take(step, "timestamp"));
    switch (source) {
      case "user" -> user(step, meta);
      case "system" -> system(step, meta);
      case "agent" -> agent(step, meta);
      default -> {
        step.unknown();
        session.keep(step, meta);
      }
    }
  }

  /** Adds a step of an earlier run to the conversation. */
  private void copied(SourceRecord step, String source) throws IOException {
    Meta meta = lane.withTime(SourceTimes.take(step, "timestamp"));
    step.derive("ModelCall/prompt", "message");
    if (source.equals("agent")) {
      conversation.add(AtifAnswers.answer(step));
      for (JsonValue result : step.array(OBSERVATION, RESULTS)) {
        if (result instanceof JsonObject object) {
          tools.addResult(object);
        }
      }
    } else if (source.equals("system") && !isBegun) {
      conversation.system(AtifAnswers.message(step));
    } else {
      conversation.add(source, AtifAnswers.message(step));
    }
    session.keep(step, meta);
  }

  private void user(SourceRecord step, Meta meta) throws IOException {
    conversation.add("user", AtifAnswers.message(step));
    step.derive("ModelCall/prompt", "message");
    String text = MessageText.of(step.get("message"));
    if (text != null && !isExported && meta.agent() == null) {
      session.task(step, text, "message");
    }
    List<SourceRecord> results = step.split("observation_result", OBSERVATION, RESULTS);
    session.message(step, meta);
    tools.write(List.of(), results, meta);
  }

  /** A system prompt, or something that the runtime did, such as replacing the conversation. */
  private void system(SourceRecord step, Meta meta) throws IOException {
    boolean isReplaced = "replace".equals(step.text("extra", "context_management", "boundary"));
    List<SourceRecord> results = step.split("observation_result", OBSERVATION, RESULTS);
    if (isReplaced) {
      step.derive("ModelCall/prompt", "extra", "context_management", "boundary");
      conversation.clear();
    } else if (isBegun) {
      step.derive("ModelCall/prompt", "message");
      conversation.add("system", AtifAnswers.message(step));
    } else {
      step.derive("ModelCall/prompt/system", "message");
      conversation.system(AtifAnswers.message(step));
      isBegun = true;
    }
    session.keep(step, meta);
    tools.write(List.of(), results, meta);
  }

  private void agent(SourceRecord step, Meta meta) throws IOException {
    boolean isAnswer = answers.isAnswer(step);
    JsonObject answer = AtifAnswers.answer(step);
    String id = isAnswer ? answers.call(step, meta) : "";
    List<SourceRecord> calls = step.split(Names.TOOL_CALL, Names.TOOL_CALLS);
    List<SourceRecord> results = step.split("observation_result", OBSERVATION, RESULTS);
    if (calls.isEmpty() && step.array(Names.TOOL_CALLS).size() > 0) {
      session.fault(new SourceFault(
          Kind.CONTRADICTION, step.place(), "a tool call of the step is not an object"));
    }
    if (isAnswer) {
      answers.result(step, id, answer, meta);
    } else {
      session.keep(step, meta);
    }
    conversation.add(answer);
    tools.write(calls, results, meta);
  }
}
