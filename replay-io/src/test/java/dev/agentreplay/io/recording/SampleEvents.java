package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.Timestamp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Events with the lines that a writer with a fixed clock must write for them. */
public final class SampleEvents {

  public static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-13T10:00:00Z"), ZoneOffset.UTC);

  public static final Sample<ReplayHeader> HEADER = sample(ReplayHeader.of("p@1"));

  /** The end of a session without calls. */
  public static final Sample<SessionEnd> END = new Sample<>(
      SessionEnd.of(Status.SUCCESS),
      line(SessionEnd.of(Status.SUCCESS).withTotals(0, 0).withConfidence(1.0)));

  /** An event that no log should have. */
  public static final Sample<StepComplete> NEVER =
      sample(StepComplete.of("never", Status.FAILED, 0));

  private static final Map<String, Sample<StepComplete>> STEPS = new ConcurrentHashMap<>();

  private SampleEvents() {}

  /** An event, and its line without the line feed. */
  record Sample<E extends ReplayEvent>(E event, String line) {}

  /** The n-th event, about so many bytes longer than it has to be. */
  static Sample<StepComplete> step(int number, int padding) {
    return STEPS.computeIfAbsent(
        number + "-" + "x".repeat(padding),
        id -> sample(StepComplete.of(id, Status.SUCCESS, number)));
  }

  private static <E extends ReplayEvent> Sample<E> sample(E event) {
    return new Sample<>(event, line(event));
  }

  private static String line(ReplayEvent event) {
    LineEncoder encoder = LineEncoder.of(Dialect.EVENT);
    encoder.encode(event, Timestamp.of(CLOCK.instant()));
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try {
      encoder.writeTo(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }
}
