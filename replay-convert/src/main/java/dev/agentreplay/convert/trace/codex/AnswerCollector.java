package dev.agentreplay.convert.trace.codex;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the items of each answer of the model: its reasoning, its text and the calls that it
 * asks for. A rollout does not state where a model call begins. It ends with a new statement of the
 * tokens ({@link TokenUsage}), with a message of the user, and where an item of the model follows
 * the result of a tool, because the model must have seen the result then.
 *
 * <p>The first versions wrote the tokens of an answer before its items, and the result of each call
 * right after the call. The first statement of tokens in a file shows which order it has. In such a
 * file, a call lasts until the next statement.
 */
final class AnswerCollector {

  /** The maximum number of records that wait for the end of an answer. */
  private static final int MAX_WAITING = 1_000;

  /** The kinds of records. */
  enum Kind {
    /** A part of the answer. */
    OUTPUT,
    /** An event that repeats a part of the answer, unless the item is missing. */
    EVENT,
    /** A message to the model that does not end the answer. */
    INPUT,
    /** The result of a tool. */
    RESULT,
    /** The statement of a stream that a tool has completed, which has its result. */
    COMPLETED,
    /** The model and the directory of a turn. */
    TURN,
    /** Any other record. */
    OTHER
  }

  /** A record that waits. */
  record Waiting(Kind kind, CodexItem item) {}

  private static final Set<Kind> RESULTS = Set.of(Kind.RESULT, Kind.COMPLETED);

  private final AnswerEvents events;
  private final TurnContext context;
  private List<Waiting> waiting = new ArrayList<>();

  /** The statement of the tokens of the answer that is collected; null if there is none yet. */
  private @Nullable TokenUsage usage;

  /** The last statement that counted; null if there was none. */
  private @Nullable TokenUsage last;

  /** Whether tokens are stated before the items; null if that is not known yet. */
  private @Nullable Boolean isUsageFirst;

  /** The texts of the answer before, which an event may still repeat. */
  private Set<String> lastTexts = Set.of();

  AnswerCollector(AnswerEvents events, TurnContext context) {
    this.events = events;
    this.context = context;
  }

  /**
   * Forgets the order of the statements of tokens: another version may have written what follows.
   */
  void newOrder() throws IOException {
    close();
    isUsageFirst = null;
  }

  /** Adds a part of an answer. */
  void output(CodexItem item) throws IOException {
    if (!isUsageFirst() && hasResultAfterOutput()) {
      close();
    }
    if (usage != null && isUsageFirst == null) {
      isUsageFirst = true;
    }
    if (!has(Kind.OUTPUT)) {
      context.begin();
    }
    takeEvent(item);
    add(Kind.OUTPUT, item);
  }

  /** Adds the result of a tool, a message to the model, or another record. */
  void add(Kind kind, CodexItem item) throws IOException {
    waiting.add(new Waiting(kind, item));
    boolean isAnswer = usage != null || has(Kind.OUTPUT) || has(Kind.EVENT);
    if (!isAnswer) {
      events.writeAll(waiting);
      waiting.clear();
    } else if (waiting.size() >= MAX_WAITING) {
      close();
    }
  }

  /** Adds an event that states a text of the model for the user interface. */
  void event(CodexItem item) throws IOException {
    String text = eventText(item);
    boolean isRepeated = text != null
        && (lastTexts.contains(text)
            || waiting.stream()
                .anyMatch(other -> other.kind() == Kind.OUTPUT && isSame(other.item(), text)));
    if (isRepeated) {
      dropText(item);
      add(Kind.OTHER, item);
    } else {
      add(Kind.EVENT, item);
    }
  }

  /** Drops the text of an event that states what an item states. */
  private void takeEvent(CodexItem item) {
    for (int i = 0; i < waiting.size(); i++) {
      Waiting other = waiting.get(i);
      String text = eventText(other.item());
      if (other.kind() == Kind.EVENT && text != null && isSame(item, text)) {
        dropText(other.item());
        waiting.set(i, new Waiting(Kind.OTHER, other.item()));
      }
    }
  }

  private static void dropText(CodexItem event) {
    event.drop("the same text is in the item of the conversation", "message");
    event.drop("the same text is in the item of the conversation", "text");
  }

  private static @Nullable String eventText(CodexItem event) {
    String text = event.text("message");
    return text == null ? event.text("text") : text;
  }

  private static boolean isSame(CodexItem item, String text) {
    return item.texts().contains(text);
  }

  /** Adds a statement of tokens; null if a record has none that counts. */
  void usage(CodexItem item, @Nullable TokenUsage stated) throws IOException {
    if (stated == null || stated.repeats(last)) {
      add(Kind.OTHER, item);
      return;
    }
    last = stated;
    if (isUsageFirst()) {
      List<Waiting> next = removeNext();
      close();
      waiting = next;
      begin(stated);
    } else if (has(Kind.OUTPUT) || isUsageFirst != null) {
      isUsageFirst = false;
      begin(stated);
      close();
    } else {
      if (usage != null) {
        close();
      }
      begin(stated);
    }
  }

  /** Adds a record of another thread, whose tokens are not counted, but may be stated again. */
  void inherited(CodexItem item, @Nullable TokenUsage stated) throws IOException {
    last = stated == null ? last : stated;
    add(Kind.OTHER, item);
  }

  private void begin(TokenUsage stated) {
    if (!has(Kind.OUTPUT)) {
      context.begin();
    }
    usage = stated;
  }

  /** Removes what belongs to the next answer: the events after the last item of this one. */
  private List<Waiting> removeNext() {
    int from = waiting.size();
    for (int i = waiting.size() - 1; i >= 0; i--) {
      Kind kind = waiting.get(i).kind();
      if (kind == Kind.EVENT) {
        from = i;
      } else if (kind != Kind.OTHER && kind != Kind.TURN) {
        break;
      }
    }
    List<Waiting> tail = waiting.subList(from, waiting.size());
    List<Waiting> next = new ArrayList<>(tail);
    tail.clear();
    return next;
  }

  private boolean isUsageFirst() {
    return isUsageFirst != null && isUsageFirst;
  }

  private boolean has(Kind kind) {
    return waiting.stream().anyMatch(record -> record.kind() == kind);
  }

  private boolean hasResultAfterOutput() {
    boolean isAfter = false;
    for (Waiting record : waiting) {
      isAfter |= record.kind() == Kind.OUTPUT;
      if (isAfter && RESULTS.contains(record.kind())) {
        return true;
      }
    }
    return false;
  }

  /** Ends the answer that is collected, or one of which nothing was received, with an error. */
  void fail(CodexItem item, String error) throws IOException {
    if (usage != null || hasResultAfterOutput()) {
      close();
    }
    waiting.add(new Waiting(Kind.OTHER, item));
    takeEvents();
    write(error);
  }

  /** Ends the answer, and writes what waits for its end. */
  void close() throws IOException {
    takeEvents();
    if (isUsageFirst() && usage != null && !has(Kind.OUTPUT)) {
      isUsageFirst = null; // the order was mistaken, or an answer is missing
    }
    if (has(Kind.OUTPUT) || usage != null) {
      write(null);
    } else {
      events.writeAll(waiting);
      waiting.clear();
    }
  }

  /** Makes the events the answer if it has no items. */
  private void takeEvents() {
    if (!has(Kind.OUTPUT)) {
      waiting.replaceAll(
          record -> record.kind() == Kind.EVENT ? new Waiting(Kind.OUTPUT, record.item()) : record);
    }
  }

  private void write(@Nullable String error) throws IOException {
    lastTexts = events.write(waiting, usage, context, error);
    waiting.clear();
    usage = null;
  }
}
