package dev.agentreplay.records.replay;

import dev.agentreplay.records.internal.TextLookup;
import dev.agentreplay.records.replay.MessageDivergence.Kind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Pairs the messages of two sessions: by round, within a round by lane, and what has no partner
 * then by its text, as a message that a different agent sent, or that was sent in a different
 * round.
 */
final class MessageAlignment {

  /**
   * A pair with its place in the result.
   *
   * @param round the number of the round
   * @param after the index of the recorded message that it is, or that it follows; -1 at the start
   * @param isAdded whether only the replay has it
   * @param index its index in its round
   */
  private record Place(long round, int after, boolean isAdded, int index) {}

  private static final Comparator<Place> IN_ORDER = Comparator.comparingLong(Place::round)
      .thenComparingInt(Place::after)
      .thenComparing(Place::isAdded)
      .thenComparingInt(Place::index);

  private final List<AlignedMessages> pairs = new ArrayList<>();
  private final Set<LaneMessage> missing = new LinkedHashSet<>();
  private final Set<LaneMessage> added = new LinkedHashSet<>();

  private final Words.Source originalWords;
  private final Words.Source replayedWords;

  private MessageAlignment(Words.Source originalWords, Words.Source replayedWords) {
    this.originalWords = originalWords;
    this.replayedWords = replayedWords;
  }

  /**
   * Returns the pairs of two sessions, in the order of the recorded one.
   *
   * @param originals the recorded messages by round
   * @param replays the messages of the replay by round
   * @param originalTexts the texts of the recorded messages
   * @param replayedTexts the texts of the messages of the replay
   * @throws IOException if a text cannot be read
   */
  static List<AlignedMessages> of(
      Map<Long, List<LaneMessage>> originals,
      Map<Long, List<LaneMessage>> replays,
      TextLookup originalTexts,
      TextLookup replayedTexts)
      throws IOException {
    MessageAlignment alignment =
        new MessageAlignment(Words.Source.of(originalTexts), Words.Source.of(replayedTexts));
    Set<Long> rounds = new TreeSet<>(originals.keySet());
    rounds.addAll(replays.keySet());
    for (long round : rounds) {
      alignment.round(
          originals.getOrDefault(round, List.of()), replays.getOrDefault(round, List.of()));
    }
    alignment.pairLeft(
        Kind.SENDER, message -> List.of(message.placed().round(), message.content()));
    alignment.pairLeft(Kind.ROUND, message -> List.of(message.lane(), message.content()));
    alignment.missing.forEach(message -> {
      boolean hasRound = replays.containsKey(message.placed().round());
      alignment.pairs.add(
          new AlignedMessages(message, null, hasRound ? Kind.MISSING : Kind.NOT_REPLAYED));
    });
    alignment.added.forEach(
        message -> alignment.pairs.add(new AlignedMessages(null, message, Kind.ADDED)));
    return inOrder(alignment.pairs);
  }

  private void round(List<LaneMessage> originals, List<LaneMessage> replays) throws IOException {
    Map<Object, List<LaneMessage>> lanes = new LinkedHashMap<>();
    compared(originals).forEach(message -> lane(lanes, message).add(message));
    Map<Object, List<LaneMessage>> others = new LinkedHashMap<>();
    compared(replays).forEach(message -> {
      lane(others, message).add(message);
      lane(lanes, message);
    });
    for (Map.Entry<Object, List<LaneMessage>> lane : lanes.entrySet()) {
      List<LaneMessage> messages = lane.getValue();
      List<LaneMessage> sameLane = others.getOrDefault(lane.getKey(), List.of());
      List<AlignedMessages> aligned =
          LaneAlignment.of(messages, sameLane, originalWords, replayedWords);
      pairs.addAll(aligned);
      missing.addAll(messages);
      added.addAll(sameLane);
      aligned.forEach(pair -> {
        missing.remove(pair.original());
        added.remove(pair.replayed());
      });
    }
    inputs(originals, replays);
  }

  /** Adds the inputs of both sessions, which are shown and not compared. */
  private void inputs(List<LaneMessage> originals, List<LaneMessage> replays) {
    Map<Object, Deque<LaneMessage>> free = new HashMap<>();
    replays.stream().filter(LaneMessage::isInput).forEach(message -> free.computeIfAbsent(
            input(message), key -> new ArrayDeque<>(1))
        .add(message));
    originals.stream().filter(LaneMessage::isInput).forEach(message -> {
      Deque<LaneMessage> same = free.getOrDefault(input(message), new ArrayDeque<>());
      pairs.add(new AlignedMessages(message, same.poll(), Kind.TEXT));
    });
    free.values()
        .forEach(added ->
            added.forEach(message -> pairs.add(new AlignedMessages(null, message, Kind.TEXT))));
  }

  private static Object input(LaneMessage message) {
    return List.of(message.message().from(), message.type());
  }

  private static List<LaneMessage> compared(List<LaneMessage> messages) {
    return messages.stream().filter(Predicate.not(LaneMessage::isInput)).toList();
  }

  private static List<LaneMessage> lane(Map<Object, List<LaneMessage>> lanes, LaneMessage message) {
    return lanes.computeIfAbsent(message.lane(), none -> new ArrayList<>());
  }

  /** Pairs messages without a partner that have a key in common, the first with the first. */
  private void pairLeft(Kind kind, Function<LaneMessage, Object> key) {
    Map<Object, Deque<LaneMessage>> free = new HashMap<>();
    added.forEach(message ->
        free.computeIfAbsent(key.apply(message), k -> new ArrayDeque<>(1)).add(message));
    missing.removeIf(message -> {
      Deque<LaneMessage> same = free.get(key.apply(message));
      if (same == null || same.isEmpty()) {
        return false;
      }
      LaneMessage partner = same.remove();
      added.remove(partner);
      return pairs.add(new AlignedMessages(message, partner, kind));
    });
  }

  private static List<AlignedMessages> inOrder(List<AlignedMessages> pairs) {
    Map<Long, NavigableMap<Integer, Integer>> partners = new HashMap<>();
    for (AlignedMessages pair : pairs) {
      if (pair.original() != null
          && pair.replayed() != null
          && pair.original().placed().round() == pair.replayed().placed().round()) {
        partners
            .computeIfAbsent(pair.replayed().placed().round(), none -> new TreeMap<>())
            .put(pair.replayed().placed().index(), pair.original().placed().index());
      }
    }
    Map<AlignedMessages, Place> places = new HashMap<>();
    pairs.forEach(pair -> places.put(pair, place(pair, partners)));
    List<AlignedMessages> sorted = new ArrayList<>(pairs);
    sorted.sort(Comparator.comparing(places::get, IN_ORDER));
    return sorted;
  }

  private static Place place(
      AlignedMessages pair, Map<Long, NavigableMap<Integer, Integer>> partners) {
    MessagePair.Placed placed = pair.any().placed();
    if (pair.original() != null) {
      return new Place(placed.round(), placed.index(), false, 0);
    }
    Map.Entry<Integer, Integer> before = partners
        .getOrDefault(placed.round(), Collections.emptyNavigableMap())
        .floorEntry(placed.index());
    return new Place(placed.round(), before == null ? -1 : before.getValue(), true, placed.index());
  }
}
