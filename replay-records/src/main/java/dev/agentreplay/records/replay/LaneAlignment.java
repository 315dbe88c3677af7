package dev.agentreplay.records.replay;

import dev.agentreplay.model.alignment.Alignment;
import dev.agentreplay.records.replay.MessageDivergence.Kind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pairs the messages of one lane in one round: those of equal type and text on a common
 * subsequence, then those that were sent in a different order, then in the gaps between the first
 * those of one type with the most words in common, and what is left of a gap by its order.
 */
final class LaneAlignment {

  /** The most pairs of a gap that are compared; a larger gap is paired by its order. */
  private static final int MAX_CELLS = 10_000;

  private static final double SAME_TYPE = 10;
  private static final double OTHER_TYPE = 1;

  private final List<LaneMessage> originals;
  private final List<LaneMessage> replays;
  private final Words.Source originalWords;
  private final Words.Source replayedWords;
  private final List<AlignedMessages> pairs = new ArrayList<>();
  private final boolean[] isUsed;
  private final boolean[] isPaired;

  private LaneAlignment(
      List<LaneMessage> originals,
      List<LaneMessage> replays,
      Words.Source originalWords,
      Words.Source replayedWords) {
    this.originals = originals;
    this.replays = replays;
    this.originalWords = originalWords;
    this.replayedWords = replayedWords;
    this.isPaired = new boolean[originals.size()];
    this.isUsed = new boolean[replays.size()];
  }

  /**
   * Returns the pairs, without those messages that have no partner.
   *
   * @param originalWords the words of recorded messages
   * @param replayedWords the words of messages of the replay
   * @throws IOException if a text cannot be read
   */
  static List<AlignedMessages> of(
      List<LaneMessage> originals,
      List<LaneMessage> replays,
      Words.Source originalWords,
      Words.Source replayedWords)
      throws IOException {
    LaneAlignment alignment = new LaneAlignment(originals, replays, originalWords, replayedWords);
    alignment.align();
    return alignment.pairs;
  }

  private void align() throws IOException {
    int[] equal = Alignment.of(originals, replays, LaneMessage::content);
    for (int i = 0; i < equal.length; i++) {
      if (equal[i] >= 0) {
        pair(i, equal[i], Kind.TEXT);
      }
    }
    pairMoved();
    int nextOriginal = 0;
    int nextReplay = 0;
    for (int i = 0; i <= equal.length; i++) {
      if (i == equal.length || equal[i] >= 0) {
        int end = i == equal.length ? replays.size() : equal[i];
        gap(free(isPaired, nextOriginal, i), free(isUsed, nextReplay, end));
        nextOriginal = i + 1;
        nextReplay = end + 1;
      }
    }
  }

  private void pair(int original, int replay, Kind kind) {
    isPaired[original] = true;
    isUsed[replay] = true;
    pairs.add(new AlignedMessages(originals.get(original), replays.get(replay), kind));
  }

  /** Pairs messages of equal type and text outside of the common subsequence. */
  private void pairMoved() {
    Map<Object, Deque<Integer>> free = new HashMap<>();
    for (int j : free(isUsed, 0, replays.size())) {
      free.computeIfAbsent(replays.get(j).content(), key -> new ArrayDeque<>(1)).add(j);
    }
    for (int i : free(isPaired, 0, originals.size())) {
      Deque<Integer> equal = free.get(originals.get(i).content());
      if (equal != null && !equal.isEmpty()) {
        pair(i, equal.remove(), Kind.ORDER);
      }
    }
  }

  private static List<Integer> free(boolean[] isTaken, int from, int to) {
    List<Integer> free = new ArrayList<>();
    for (int i = from; i < to; i++) {
      if (!isTaken[i]) {
        free.add(i);
      }
    }
    return free;
  }

  private void gap(List<Integer> lefts, List<Integer> rights) throws IOException {
    if (lefts.isEmpty() || rights.isEmpty()) {
      return;
    }
    if ((long) lefts.size() * rights.size() > MAX_CELLS) {
      for (int k = 0; k < Math.min(lefts.size(), rights.size()); k++) {
        pairDifferent(lefts.get(k), rights.get(k));
      }
      return;
    }
    double[][] score = scores(lefts, rights);
    double[][] best = new double[lefts.size() + 1][rights.size() + 1];
    for (int i = lefts.size() - 1; i >= 0; i--) {
      for (int j = rights.size() - 1; j >= 0; j--) {
        best[i][j] =
            Math.max(score[i][j] + best[i + 1][j + 1], Math.max(best[i + 1][j], best[i][j + 1]));
      }
    }
    int i = 0;
    int j = 0;
    while (i < lefts.size() && j < rights.size()) {
      if (best[i][j] == score[i][j] + best[i + 1][j + 1]) {
        pairDifferent(lefts.get(i++), rights.get(j++));
      } else if (best[i][j] == best[i + 1][j]) {
        i++;
      } else {
        j++;
      }
    }
  }

  private double[][] scores(List<Integer> lefts, List<Integer> rights) throws IOException {
    List<Words> leftWords = new ArrayList<>();
    for (int left : lefts) {
      leftWords.add(originalWords.words(originals.get(left)));
    }
    List<Words> rightWords = new ArrayList<>();
    for (int right : rights) {
      rightWords.add(replayedWords.words(replays.get(right)));
    }
    double[][] score = new double[lefts.size()][rights.size()];
    for (int i = 0; i < lefts.size(); i++) {
      for (int j = 0; j < rights.size(); j++) {
        boolean isSameType =
            originals.get(lefts.get(i)).type() == replays.get(rights.get(j)).type();
        score[i][j] = (isSameType ? SAME_TYPE : OTHER_TYPE)
            + (isSameType ? SAME_TYPE : OTHER_TYPE) * leftWords.get(i).common(rightWords.get(j));
      }
    }
    return score;
  }

  private void pairDifferent(int original, int replay) {
    boolean isSameType = originals.get(original).type() == replays.get(replay).type();
    pair(original, replay, isSameType ? Kind.TEXT : Kind.TYPE);
  }
}
