package dev.agentreplay.engine;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.CallIndex.Call;
import dev.agentreplay.io.Session;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How two sessions differ in their tool calls.
 *
 * @param calls how many calls there are, and how many of them are equal
 * @param first where the sessions part; null when all calls are equal
 * @param divergences the differences in order, at most as many as asked for
 */
public record SessionDiff(Calls calls, @Nullable First first, List<Divergence> divergences) {

  /** How many divergences are listed by default; all are counted. */
  public static final int DEFAULT_MAX_DIVERGENCES = 100;

  /**
   * Counts of tool calls.
   *
   * @param left calls of the left session
   * @param right calls of the right session
   * @param matched pairs that are equal
   * @param changed pairs that differ in tool, parameters or output
   * @param missing calls of the left session without a partner
   * @param added calls of the right session without a partner
   */
  public record Calls(int left, int right, int matched, int changed, int missing, int added) {

    /** The number of differences. */
    public int divergent() {
      return changed + missing + added;
    }
  }

  /**
   * Where two sessions part.
   *
   * @param call how many leading calls are equal: the number, from 0, of the first that is not
   * @param kind the kind of the first divergence
   */
  public record First(int call, DivergenceKind kind) {}

  /** Checks for null and copies. */
  public SessionDiff {
    Objects.requireNonNull(calls, "calls");
    divergences = List.copyOf(divergences);
  }

  /** Compares two sessions, and lists up to {@value #DEFAULT_MAX_DIVERGENCES} divergences. */
  public static SessionDiff between(Session left, Session right) throws IOException {
    return between(left, right, DEFAULT_MAX_DIVERGENCES);
  }

  /**
   * Compares two sessions.
   *
   * @param maxDivergences how many divergences are listed
   * @throws dev.agentreplay.io.ReplayFormatException if a line of one cannot be read
   */
  public static SessionDiff between(Session left, Session right, int maxDivergences)
      throws IOException {
    CanonicalJson canonical = CallIndex.common(left, right);
    List<Call> leftCalls = CallIndex.read(left, canonical);
    List<Call> rightCalls = CallIndex.read(right, canonical);
    CallAlignment alignment = CallAlignment.of(leftCalls, rightCalls);
    List<CallAlignment.Pair> pairs = alignment.divergent();
    int missing = count(pairs, DivergenceKind.MISSING);
    int added = count(pairs, DivergenceKind.ADDED);
    Calls calls = new Calls(
        leftCalls.size(),
        rightCalls.size(),
        alignment.matched(),
        pairs.size() - missing - added,
        missing,
        added);
    if (pairs.isEmpty()) {
      return new SessionDiff(calls, null, List.of());
    }
    First first = new First(
        CallAlignment.commonPrefix(leftCalls, rightCalls), pairs.get(0).kind());
    List<CallAlignment.Pair> listed = pairs.subList(0, Math.min(pairs.size(), maxDivergences));
    return new SessionDiff(calls, first, DivergenceReader.read(left, right, listed));
  }

  /** Whether all calls are equal. */
  public boolean isIdentical() {
    return first == null;
  }

  private static int count(List<CallAlignment.Pair> pairs, DivergenceKind kind) {
    return (int) pairs.stream().filter(pair -> pair.kind() == kind).count();
  }
}
