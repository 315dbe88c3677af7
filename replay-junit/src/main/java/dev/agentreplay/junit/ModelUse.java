package dev.agentreplay.junit;

import dev.agentreplay.engine.message.ModelMessage;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.Recorded;
import dev.agentreplay.engine.view.RecordedModelCall;
import dev.agentreplay.engine.view.SessionStats;
import dev.agentreplay.engine.view.SessionView;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    int stray = log.modelResultsWithoutCall().size();
    return calls.size() + stray <= most
        ? null
        : "expected at most %s, found %d%s%s"
            .formatted(
                PlainText.count(most, "model call"),
                calls.size() + stray,
                rows(calls),
                stray == 0
                    ? ""
                    : "\n  " + PlainText.count(stray, "model result") + " without a call");
  }

  /** All results of models, also those without a call. */
  private List<ModelResult> results() {
    return Stream.concat(
            log.modelCalls().stream().map(RecordedModelCall::result).filter(Objects::nonNull),
            log.modelResultsWithoutCall().stream().map(Recorded::event))
        .toList();
  }

  /** The problem if more tokens were used, or it is not known how many; null if there is none. */
  @Nullable
  String tokensAbove(long most) {
    String unknown = uncounted();
    if (unknown != null) {
      return "the tokens are not known: " + unknown;
    }
    List<ModelResult> results = results();
    long in = sum(results, result -> result.tokens().input());
    long out = sum(results, result -> result.tokens().output());
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

  /** The reason why it is not known how many tokens were used; null if it is. */
  private @Nullable String uncounted() {
    List<RecordedModelCall> open = calls(call -> call.result() == null);
    List<ModelResult> results = results();
    long uncounted = results.stream().filter(ModelUse::isUncounted).count();
    if (results.isEmpty()) {
      return "no answer of a model was recorded" + rows(open);
    } else if (!open.isEmpty()) {
      return "%s without a result%s"
          .formatted(PlainText.count(open.size(), "model call"), rows(open));
    } else if (uncounted > 0) {
      return "%s without token counts%s"
          .formatted(
              PlainText.count(uncounted, "model result"),
              rows(calls(call -> call.result() != null && isUncounted(call.result()))));
    }
    return null;
  }

  private List<RecordedModelCall> calls(Predicate<RecordedModelCall> isWanted) {
    return log.modelCalls().stream().filter(isWanted).toList();
  }

  /** The problem if the calls cost more, or it is not known how much; null if there is none. */
  @Nullable
  String costAbove(Prices prices, BigDecimal most) {
    String unknown = uncounted();
    if (unknown != null) {
      return "the cost is not known: " + unknown;
    }
    SessionStats.Cost cost = log.totals().cost(prices);
    Set<String> unpriced = cost.modelsWithoutPrice();
    if (!cost.isComplete()) {
      return "the cost is not known: no price of %s%s"
          .formatted(
              unpriced.stream()
                  .map(model -> model.isEmpty() ? "a model that is not stated" : Shown.name(model))
                  .collect(Collectors.joining(", ")),
              rows(calls(call -> prices.of(call.call().model()) == null)));
    }
    return cost.amount().compareTo(most) <= 0
        ? null
        : "expected a cost of at most %s, found %s%s"
            .formatted(plain(most), plain(cost.amount()), rows(log.modelCalls()));
  }

  private static String plain(BigDecimal amount) {
    return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
  }

  /**
   * Whether a result does not state its tokens, or states a negative number of them. A failed call
   * that states neither number is taken to have used none.
   */
  private static boolean isUncounted(ModelResult result) {
    Long in = result.tokens().input();
    Long out = result.tokens().output();
    boolean isNegative = (in != null && in < 0) || (out != null && out < 0);
    boolean isPartial = in == null || out == null;
    boolean mayHaveNone = !result.succeeded() && in == null && out == null;
    return isNegative || (isPartial && !mayHaveNone);
  }

  /** The sum of numbers that are not negative, at most the greatest number. */
  private static long sum(List<ModelResult> results, Function<ModelResult, @Nullable Long> tokens) {
    long sum = 0;
    for (ModelResult result : results) {
      Long each = tokens.apply(result);
      long more = each == null ? 0 : each;
      sum = sum > Long.MAX_VALUE - more ? Long.MAX_VALUE : sum + more;
    }
    return sum;
  }

  /** The calls of the main agent; those of all agents if it has none. */
  private List<RecordedModelCall> mainCalls() {
    List<RecordedModelCall> main = log.modelCalls().stream()
        .filter(call -> call.call().meta().agent() == null)
        .toList();
    return main.isEmpty() ? log.modelCalls() : main;
  }

  /**
   * The problem if the last answer does not contain a text; null if it does.
   *
   * @throws IOException if an answer is in a blob that cannot be read
   */
  @Nullable
  String lastAnswerWithout(String text) throws IOException {
    List<RecordedModelCall> answered = new ArrayList<>();
    for (RecordedModelCall call : mainCalls()) {
      if (call.succeeded()) {
        answered.add(call);
      }
    }
    answered.sort((a, b) -> Long.compare(resultLine(a), resultLine(b)));
    if (answered.isEmpty()) {
      return "no answer of a model was recorded" + rows(mainCalls());
    }
    RecordedModelCall last = answered.remove(answered.size() - 1);
    ModelResult result = last.result();
    JsonValue answer = last.answer();
    if (answer == null && result != null) {
      return "the last answer, in line %d, is %s"
          .formatted(resultLine(last), CallText.absent(result.answer()));
    } else if (says(last, text)) {
      return null;
    }
    List<String> others = new ArrayList<>();
    for (RecordedModelCall call : answered) {
      if (says(call, text)) {
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

  /** Whether a text of an answer contains another text. */
  private static boolean says(RecordedModelCall call, String text) throws IOException {
    ModelMessage message = call.message();
    return message != null && message.texts().stream().anyMatch(said -> said.contains(text));
  }

  private static long resultLine(RecordedModelCall call) {
    Long line = call.resultLine();
    return line == null ? 0 : line;
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
