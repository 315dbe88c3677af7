package dev.agentreplay.benchmarks;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.replay.SessionReplay;
import dev.agentreplay.records.replay.SessionReplayResult;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Measures the comparison of two session records, relative to hashing the texts of both: all
 * messages the same, one in ten reworded, and all different. Messages have about 1,500 characters.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.RecordReplayCost
 * </pre>
 */
public final class RecordReplayCost {

  private static final int WARM_UP_ROUNDS = 5;
  private static final int ROUNDS = 15;
  private static final int MESSAGES = 1_000;
  private static final int PER_ROUND = 20;
  private static final int WORDS = 250;
  private static final RecordTime TIME = RecordTime.parse("2026-01-01T10:00:00Z");
  private static final List<AgentRosterEntry> ROSTER = List.of(
      AgentRosterEntry.of("Blue", Role.HYPOTHESIS_GENERATOR, "program", "model"),
      AgentRosterEntry.of("Green", Role.TEST_DESIGNER, "program", "model"),
      AgentRosterEntry.of("Red", Role.ADVERSARIAL_CRITIC, "program", "model"));

  private RecordReplayCost() {}

  /** Measures and prints medians. */
  public static void main(String[] args) throws IOException {
    List<String> texts = texts(new Random(1), 0);
    List<String> reworded = new ArrayList<>(texts);
    for (int i = 0; i < MESSAGES; i += 10) {
      reworded.set(i, texts.get(i).replace("w1", "x7"));
    }
    List<List<String>> others = List.of(texts, reworded, texts(new Random(2), 5_000));
    long[] hash = new long[ROUNDS];
    long[][] compare = new long[others.size()][ROUNDS];
    for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      int at = Math.max(round, 0);
      hash[at] = Rounds.time(() -> hash(texts)) + Rounds.time(() -> hash(reworded));
      for (int i = 0; i < others.size(); i++) {
        List<String> other = others.get(i);
        SessionRecord left = record(texts);
        SessionRecord right = record(other);
        RecordTexts leftTexts = RecordTexts.of(texts);
        RecordTexts rightTexts = RecordTexts.of(other);
        compare[i][at] = Rounds.time(() -> compare(left, leftTexts, right, rightTexts));
      }
    }
    System.out.printf(
        "%,d messages, %d characters each%n", MESSAGES, texts.get(0).length());
    print("hash the texts of both", hash, hash);
    print("compare: the same", compare[0], hash);
    print("compare: one in ten reworded", compare[1], hash);
    print("compare: all different", compare[2], hash);
  }

  private static void print(String what, long[] nanos, long[] unit) {
    System.out.printf(
        "  %-30s %8.1f ms  %6.1f x%n",
        what, Rounds.median(nanos) / 1e6, (double) Rounds.median(nanos) / Rounds.median(unit));
  }

  private static void hash(List<String> texts) {
    texts.forEach(RecordHash::ofContent);
  }

  private static void compare(
      SessionRecord left, RecordTexts leftTexts, SessionRecord right, RecordTexts rightTexts)
      throws IOException {
    try {
      SessionReplayResult result =
          SessionReplay.of(left).texts(leftTexts).against(right, rightTexts).run();
      if (result.alignment().isEmpty()) {
        throw new IllegalStateException("nothing was compared");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static List<String> texts(Random random, int first) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      StringBuilder text = new StringBuilder("message " + (first + i));
      for (int word = 0; word < WORDS; word++) {
        text.append(" w").append(random.nextInt(2_000));
      }
      texts.add(text.toString());
    }
    return texts;
  }

  private static SessionRecord record(List<String> texts) {
    SessionRecord empty = SessionRecord.createEmpty("benchmark", TIME);
    List<SessionTrace.Round> rounds = new ArrayList<>();
    for (int from = 0; from < texts.size(); from += PER_ROUND) {
      List<TraceMessage> messages = new ArrayList<>();
      for (int i = from; i < from + PER_ROUND; i++) {
        String agent = ROSTER.get(i % ROSTER.size()).agentName();
        messages.add(TraceMessage.of(TIME, agent, TraceMessage.Type.DELTA, texts.get(i)));
      }
      rounds.add(SessionTrace.Round.of(rounds.size(), TIME, messages).withEndedAt(TIME));
    }
    return empty
        .withInputs(empty.inputs().withAgentRoster(ROSTER))
        .withTrace(empty.trace().withRounds(rounds).withEndedAt(TIME))
        .withOutputs(empty.outputs().withFinalArtifactHash(RecordHash.ofContent("artifact")));
  }
}
