package dev.agentreplay.junit;

import dev.agentreplay.engine.view.RecordedModelCall;
import dev.agentreplay.engine.view.SessionStats;
import dev.agentreplay.engine.view.SessionView;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The requests of a session to models, and their answers. */
final class ModelUse {

  private static final int MAX_ROWS = 20;

  private final SessionView log;

  ModelUse(SessionView log) {
    this.log = log;
  }

  /** The problem if models were called more often; null if they were not. */
  @Nullable
  String callsAbove(int most) {
    List<RecordedModelCall> calls = log.modelCalls();
    return calls.size() <= most
        ? null
        : "expected at most %s, found %d%s"
            .formatted(PlainText.count(most, "model call"), calls.size(), rows(calls));
  }

  /** The problem if more tokens were used, or it is not known how many; null if there is none. */
  @Nullable
  String tokensAbove(long most) {
    List<RecordedModelCall> open =
        log.modelCalls().stream().filter(call -> call.result() == null).toList();
    List<RecordedModelCall> uncounted =
        log.modelCalls().stream().filter(ModelUse::isUncounted).toList();
    SessionStats totals = log.totals();
    if (totals.modelResults() == 0) {
      return "the tokens are not known: no answer of a model was recorded" + rows(open);
    } else if (!open.isEmpty()) {
      return "the tokens are not known: %s without a result%s"
          .formatted(PlainText.count(open.size(), "model call"), rows(open));
    } else if (totals.resultsWithoutTokens() > 0) {
      return "the tokens are not known: %s without token counts%s"
          .formatted(
              PlainText.count(totals.resultsWithoutTokens(), "model result"), rows(uncounted));
    }
    long in = totals.tokensIn();
    long out = totals.tokensOut();
    return in <= most && out <= most - in
        ? null
        : String.format(
            Locale.ROOT,
            "expected at most %,d tokens, found more: %,d in prompts, %,d in answers%s",
            most,
            in,
            out,
            rows(log.modelCalls()));
  }

  private static boolean isUncounted(RecordedModelCall call) {
    ModelResult result = call.result();
    return result != null
        && result.succeeded()
        && (result.tokens().input() == null || result.tokens().output() == null);
  }

  /**
   * The problem if the last answer does not contain a text; null if it does.
   *
   * @throws IOException if an answer is in a blob that cannot be read
   */
  @Nullable
  String lastAnswerWithout(String text) throws IOException {
    List<RecordedModelCall> answered = new ArrayList<>();
    for (RecordedModelCall call : log.modelCalls()) {
      if (call.succeeded()) {
        answered.add(call);
      }
    }
    answered.sort((a, b) -> Long.compare(resultLine(a), resultLine(b)));
    if (answered.isEmpty()) {
      return "no answer of a model was recorded" + rows(log.modelCalls());
    }
    RecordedModelCall last = answered.remove(answered.size() - 1);
    ModelResult result = last.result();
    JsonValue answer = last.answer();
    if (answer == null && result != null) {
      return "the last answer, in line %d, is %s"
          .formatted(resultLine(last), CallText.absent(result.answer()));
    } else if (answer != null && contains(answer, text)) {
      return null;
    }
    List<String> others = new ArrayList<>();
    for (RecordedModelCall call : answered) {
      JsonValue earlier = call.answer();
      if (earlier != null && contains(earlier, text)) {
        others.add(String.valueOf(call.resultLine()));
      }
    }
    return ("the last answer of a model does not contain the text\nexpected: %s\nfound:    %s in line"
            + " %d%s")
        .formatted(
            Shown.text(text),
            answer == null ? "nothing" : Shown.value(answer),
            resultLine(last),
            others.isEmpty()
                ? ""
                : "\nearlier answers contain it: line " + String.join(", ", others));
  }

  private static long resultLine(RecordedModelCall call) {
    Long line = call.resultLine();
    return line == null ? 0 : line;
  }

  /** Whether a text, or a text within an array or object, contains another. */
  private static boolean contains(JsonValue value, String text) {
    if (value instanceof JsonString string) {
      return string.value().contains(text);
    } else if (value instanceof JsonArray array) {
      return array.stream().anyMatch(element -> contains(element, text));
    } else if (value instanceof JsonObject object) {
      return object.names().stream()
          .map(object::get)
          .anyMatch(member -> member != null && contains(member, text));
    }
    return false;
  }

  /** The calls, one on each line. */
  private static String rows(List<RecordedModelCall> calls) {
    String rows = calls.stream()
        .limit(MAX_ROWS)
        .map(call -> "\n  line %d: %s%s".formatted(call.line(), model(call), tokens(call.result())))
        .collect(Collectors.joining());
    return calls.size() > MAX_ROWS
        ? rows + "\n  … " + PlainText.count(calls.size() - MAX_ROWS, "more call")
        : rows;
  }

  private static String model(RecordedModelCall call) {
    String model = call.call().model();
    return model == null ? "no model stated" : Shown.name(model);
  }

  private static String tokens(@Nullable ModelResult result) {
    if (result == null) {
      return ", no result";
    }
    Long in = result.tokens().input();
    Long out = result.tokens().output();
    String counts = in == null && out == null
        ? ", tokens not stated"
        : ", %s + %s tokens".formatted(in == null ? "?" : in, out == null ? "?" : out);
    return result.succeeded() ? counts : ", failed" + counts;
  }
}
