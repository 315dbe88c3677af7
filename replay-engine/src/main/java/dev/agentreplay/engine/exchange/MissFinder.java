package dev.agentreplay.engine.exchange;

import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.exchange.ReplayMiss.Nearest;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the reason why no exchange matches a request, and the nearest recorded request. */
final class MissFinder {

  private static final int MAX_EXCERPT = 200;

  /** The most recorded requests among which the nearest is searched. */
  private static final int MAX_SEARCHED = 256;

  /** The most that are compared as a whole, and the most of these if they are large. */
  private static final int MAX_COMPARED = 16;

  private static final int MAX_LARGE = 2;

  /** The length of the lines, and the number of messages, from which requests are large. */
  private static final long LARGE_BYTES = 64 << 10;

  private static final int LARGE_MESSAGES = 64;

  private final RecordedExchanges recording;
  private final MissNotes notes;

  /** The recorded request that differs least, with the places. */
  private record Candidate(RecordedExchange exchange, List<ValueChange> changes) {}

  /**
   * The report on a request.
   *
   * @param nearest the unused request of the same kind that is nearest; null if there is none
   */
  record Found(ReplayMiss miss, @Nullable RecordedExchange nearest) {}

  MissFinder(RecordedExchanges recording) {
    this.recording = recording;
    this.notes = new MissNotes(recording);
  }

  /**
   * Finds the reason.
   *
   * @param lane the exchanges of the lane; null if the recording has none
   * @param isCut whether there are too many recorded requests to compare all under the rules
   */
  Found find(
      @Nullable LaneExchanges lane,
      ReplayEvent request,
      RequestKey key,
      @Nullable String agent,
      boolean isCut)
      throws IOException {
    if (lane != null && lane.countSame(key) > 0) {
      return new Found(exhausted(lane, request, key, agent), null);
    }
    Candidate nearest = lane == null ? null : nearest(lane, key, request);
    return lane == null || nearest == null
        ? new Found(unlike(lane, request, key, agent), null)
        : new Found(diverged(lane, request, key, agent, nearest, isCut), nearest.exchange());
  }

  /** Reports a request in whose lane there is no unused one of the tool, or of a model. */
  private ReplayMiss unlike(
      @Nullable LaneExchanges lane, ReplayEvent request, RequestKey key, @Nullable String agent)
      throws IOException {
    if (lane == null) {
      String reason = agent == null
          ? "the recording has no exchange of the main agent"
          : "the recording has no agent with this id";
      return miss(MissKind.NEVER_RECORDED, request, agent, null, reason);
    }
    String name = key.kind() == ExchangeKind.TOOL_CALL ? key.name() : null;
    boolean wasRecorded = lane.count(key) > 0;
    RecordedExchange next = lane.firstOpen();
    Nearest place = next == null ? null : place(next, request);
    if (!wasRecorded) {
      String reason = "the recording has no %s in this lane"
          .formatted(name == null ? key.kind().words() : "call of this tool");
      return miss(MissKind.NEVER_RECORDED, request, agent, place, reason);
    } else if (next != null && next.kind() != key.kind()) {
      String reason = "the next recorded exchange is a %s, on line %d"
          .formatted(next.kind().words(), next.line());
      return miss(MissKind.WRONG_KIND, request, agent, null, reason);
    } else if (next != null) {
      String reason = "the next recorded %s is one of %s, on line %d"
          .formatted(next.kind().words(), Excerpt.of(next.name()), next.line());
      return miss(MissKind.DIVERGED, request, agent, place, reason);
    }
    return exhausted(lane, request, key, agent);
  }

  private static ReplayMiss miss(
      MissKind kind,
      ReplayEvent request,
      @Nullable String agent,
      @Nullable Nearest nearest,
      String reason) {
    return miss(kind, request, agent, nearest, reason, List.of());
  }

  private static ReplayMiss miss(
      MissKind kind,
      ReplayEvent request,
      @Nullable String agent,
      @Nullable Nearest nearest,
      String reason,
      List<String> notes) {
    return new MissData(
        kind,
        ExchangeKind.ofCall(request),
        RequestKeys.name(request),
        agent,
        nearest,
        reason,
        MissNotes.request(request),
        notes);
  }

  /** Reports a request all of whose exchanges were used. */
  private static ReplayMiss exhausted(
      LaneExchanges lane, ReplayEvent request, RequestKey key, @Nullable String agent) {
    RecordedExchange last = lane.lastSame(key);
    Nearest used = last == null ? null : new Nearest(last.line(), null, null, null);
    return miss(MissKind.EXHAUSTED, request, agent, used, unused(lane, key));
  }

  private static String unused(LaneExchanges lane, RequestKey key) {
    long same = lane.countSame(key);
    String what = same > 0
        ? PlainText.count(same, "exchange") + " with this request"
        : key.kind() == ExchangeKind.TOOL_CALL
            ? PlainText.count(lane.count(key), "call") + " of this tool"
            : PlainText.count(lane.count(key), "model call") + " in this lane";
    return "the recording has %s, and no unused one".formatted(what);
  }

  /** The unused request that is nearest; of several, the first one. */
  private @Nullable Candidate nearest(LaneExchanges lane, RequestKey key, ReplayEvent request)
      throws IOException {
    Candidate nearest = null;
    int compared = 0;
    long bytes = 0;
    int messages = 0;
    for (RecordedExchange exchange : ordered(lane.open(key, MAX_SEARCHED), request)) {
      bytes += exchange.bytes;
      messages += exchange.messages;
      boolean areLarge = bytes > LARGE_BYTES || messages > LARGE_MESSAGES;
      if (compared == MAX_COMPARED || (compared >= MAX_LARGE && areLarge)) {
        break;
      }
      List<ValueChange> changes = changes(exchange, request);
      compared++;
      if (nearest == null || changes.size() < nearest.changes().size()) {
        nearest = new Candidate(exchange, changes);
      }
      if (changes.size() <= 1) {
        break;
      }
    }
    return nearest;
  }

  /**
   * Orders recorded requests by what is known of them without reading them again: first those with
   * the most messages in common with a request, and of these those with a similar number.
   */
  private static List<RecordedExchange> ordered(List<RecordedExchange> open, ReplayEvent request) {
    if (open.size() < 2 || !(request instanceof ModelCall model)) {
      return open;
    }
    long[] hashes = Conversations.hashes(model);
    record Known(RecordedExchange exchange, int common, int missing) {}
    return open.stream()
        .map(exchange -> new Known(
            exchange,
            Conversations.common(exchange, hashes),
            Math.abs(exchange.messages - (hashes.length - 1))))
        .sorted(Comparator.comparingInt((Known known) -> -known.common())
            .thenComparingInt(Known::missing))
        .map(Known::exchange)
        .toList();
  }

  private List<ValueChange> changes(RecordedExchange exchange, ReplayEvent request)
      throws IOException {
    ReplayEvent recorded = RequestKeys.request(recording.call(exchange));
    if (recorded instanceof ModelCall before && request instanceof ModelCall after) {
      JsonArray one = PromptGrowth.messages(before);
      JsonArray other = PromptGrowth.messages(after);
      return recording
          .comparison()
          .compare(differing(before, one, other), differing(after, other, one));
    }
    return recording.comparison().compare(recorded, request);
  }

  /** A call without the content of those messages that are equal at the same place of another. */
  private static ModelCall differing(ModelCall call, JsonArray messages, JsonArray others) {
    if (!(call.prompt().value() instanceof JsonObject prompt) || messages.size() == 0) {
      return call;
    }
    List<JsonValue> differing = new ArrayList<>(messages.values());
    for (int i = 0; i < Math.min(messages.size(), others.size()); i++) {
      if (messages.get(i).equals(others.get(i))) {
        differing.set(i, JsonNull.NULL);
      }
    }
    return PromptGrowth.with(call, PromptGrowth.with(prompt, differing));
  }

  private ReplayMiss diverged(
      LaneExchanges lane,
      ReplayEvent request,
      RequestKey key,
      @Nullable String agent,
      Candidate nearest,
      boolean isCut)
      throws IOException {
    MissKind kind = kind(key, nearest.changes());
    String reason =
        switch (kind) {
          case MODEL_CHANGED -> "the prompt was recorded with a different model or parameters";
          case TOOLS_CHANGED -> "the messages were recorded with different tools or context";
          default -> "it differs from what was recorded";
        };
    return miss(
        kind,
        request,
        agent,
        nearest(nearest.exchange(), nearest.changes()),
        isCut ? reason + "; too many to compare all of them under the rules" : reason,
        notes.of(lane, nearest.exchange(), nearest.changes()));
  }

  private static MissKind kind(RequestKey key, List<ValueChange> changes) {
    if (key.kind() != ExchangeKind.MODEL_CALL || changes.isEmpty()) {
      return MissKind.DIVERGED;
    }
    if (changes.stream().noneMatch(change -> change.pointer().startsWith("/prompt"))) {
      return MissKind.MODEL_CHANGED;
    }
    boolean isOfTools = changes.stream()
        .allMatch(change -> change.pointer().startsWith("/prompt/")
            && !change.pointer().startsWith("/prompt/messages")
            && !change.pointer().startsWith("/prompt/system"));
    return isOfTools ? MissKind.TOOLS_CHANGED : MissKind.DIVERGED;
  }

  /** The exchange at the place of a request, which may be of a different kind. */
  private @Nullable Nearest place(RecordedExchange next, ReplayEvent request) throws IOException {
    return next.kind() == ExchangeKind.ofCall(request)
        ? nearest(next, changes(next, request))
        : new Nearest(next.line(), null, null, null);
  }

  private static Nearest nearest(RecordedExchange exchange, List<ValueChange> changes) {
    if (changes.isEmpty()) {
      return new Nearest(exchange.line(), null, null, null);
    }
    ValueChange first = changes.get(0);
    String recorded = text(first.sides().left());
    String actual = text(first.sides().right());
    int from = 0;
    if (recorded != null && actual != null) {
      int mismatch = CharBuffer.wrap(recorded).mismatch(CharBuffer.wrap(actual));
      from = mismatch > MAX_EXCERPT / 2 ? mismatch - MAX_EXCERPT / 4 : 0;
    }
    return new Nearest(
        exchange.line(), first.pointer(), excerpt(recorded, from), excerpt(actual, from));
  }

  private static @Nullable String text(@Nullable JsonValue value) {
    return value == null ? null : value.toString();
  }

  /** The part of a text that begins at an index. */
  private static @Nullable String excerpt(@Nullable String text, int from) {
    if (text == null) {
      return null;
    }
    int start = Excerpt.floor(text, Math.min(from, text.length()));
    String part = Excerpt.beginning(text.substring(start), MAX_EXCERPT);
    return (start > 0 ? "…" : "") + part + (start + part.length() < text.length() ? "…" : "");
  }

  /** Reports a request that was matched, but cannot be answered. */
  static ReplayMiss unanswerable(RecordedExchange exchange, ReplayEvent request, MissKind kind) {
    String reason = kind == MissKind.UNDECIDED
        ? "the recorded call, on line %d, has no result: what became of it is not known"
        : "the recording has only the hash of the result of the call on line %d";
    return unanswerable(exchange, request, kind, reason);
  }

  /** Reports a request that differs from the recorded one that it was matched with. */
  static ReplayMiss differs(RecordedExchange exchange, ReplayEvent request) {
    return unanswerable(
        exchange,
        request,
        MissKind.DIVERGED,
        "the request differs from the recorded one on line %d");
  }

  /** Reports a request that was made before an earlier one, on a line. */
  static ReplayMiss early(RecordedExchange exchange, ReplayEvent request, long before) {
    return unanswerable(
        exchange,
        request,
        MissKind.DIVERGED,
        "it was recorded on line %d, after the call on line " + before
            + ", which is before the point of the fork and was not requested");
  }

  /** Reports a request whose recorded answer was streamed as a text that is not in it. */
  static ReplayMiss unservableStream(RecordedExchange exchange, ReplayEvent request) {
    return unanswerable(
        exchange,
        request,
        MissKind.NOT_SERVABLE,
        "the text that was streamed is not in the answer to the call on line %d");
  }

  private static ReplayMiss unanswerable(
      RecordedExchange exchange, ReplayEvent request, MissKind kind, String reason) {
    Nearest place = new Nearest(exchange.line(), null, null, null);
    return miss(kind, request, exchange.agent(), place, reason.formatted(exchange.line()));
  }

  /**
   * Reports a value that was requested, and is not recorded.
   *
   * @param recorded the number of recorded values of the source in the lane
   */
  static ReplayMiss value(@Nullable String agent, String source, long ordinal, long recorded) {
    String reason = recorded == 0
        ? "the recording has no value of this source in this lane"
        : "number %d was requested, but the recording has %s of this source in this lane"
            .formatted(ordinal + 1, PlainText.count(recorded, "value"));
    MissKind kind = recorded == 0 ? MissKind.NEVER_RECORDED : MissKind.EXHAUSTED;
    return value(kind, agent, source, null, reason);
  }

  /** Reports a value that is recorded with a different type. */
  static ReplayMiss value(@Nullable String agent, String source, long line, String reason) {
    Nearest nearest = new Nearest(line, null, null, null);
    return value(MissKind.DIVERGED, agent, source, nearest, reason);
  }

  private static ReplayMiss value(
      MissKind kind,
      @Nullable String agent,
      String source,
      @Nullable Nearest nearest,
      String reason) {
    return new MissData(kind, ExchangeKind.VALUE, source, agent, nearest, reason, null, List.of());
  }
}
