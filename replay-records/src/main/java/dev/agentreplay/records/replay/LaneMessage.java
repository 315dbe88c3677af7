package dev.agentreplay.records.replay;

import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.internal.InputMessages;
import dev.agentreplay.records.replay.MessagePair.Placed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A message in the lane in which it is paired.
 *
 * @param placed the message with its place
 * @param lane the key of its lane
 * @param isInput whether it is an input, which is not compared
 * @param text the key of its text
 */
record LaneMessage(Placed placed, Object lane, boolean isInput, Object text) {

  TraceMessage message() {
    return placed.message();
  }

  TraceMessage.Type type() {
    return message().type();
  }

  /** A key that messages with the same type and text have in common. */
  Object content() {
    return List.of(type(), text);
  }

  /**
   * The messages of a session by the numbers of their rounds, in order.
   *
   * @param inputs the rule for the inputs of the session
   * @param keys the keys of texts
   * @param first the number of the first round of interest
   * @param last the number of the last one
   */
  static Map<Long, List<LaneMessage>> byRound(
      SessionRecord record,
      InputMessages inputs,
      Lanes lanes,
      TextKeys keys,
      long first,
      long last) {
    Map<Long, List<LaneMessage>> rounds = new TreeMap<>();
    for (SessionTrace.Round round : record.trace().rounds()) {
      long number = round.roundNumber();
      if (number < first || number > last) {
        continue;
      }
      List<LaneMessage> messages = rounds.computeIfAbsent(number, none -> new ArrayList<>());
      for (TraceMessage message : round.messages()) {
        messages.add(new LaneMessage(
            new Placed(number, messages.size(), message),
            lanes.of(message.from()),
            inputs.isInput(message),
            keys.of(message.contentHash())));
      }
    }
    return rounds;
  }
}
