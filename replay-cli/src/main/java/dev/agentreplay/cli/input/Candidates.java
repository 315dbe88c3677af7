package dev.agentreplay.cli.input;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.cli.text.RunLog;
import dev.agentreplay.convert.trace.TraceImporter;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts.OnTimeout;
import dev.agentreplay.engine.replay.policy.StreamPace;
import dev.agentreplay.publish.PublishOptions.Hashes;
import dev.agentreplay.records.agents.Feed;
import dev.agentreplay.records.agents.OnInterventions;
import dev.agentreplay.records.replay.OnInputs;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The values of options whose types are enums of the library, in the spelling of the command line:
 * for help texts and shell completion.
 */
public final class Candidates {

  private Candidates() {}

  /** The values of {@code --canonicalization}. */
  public static final class Profiles implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(Canonicalization.values()).map(Canonicalization::id).iterator();
    }
  }

  /** The values of {@code --from}: the formats of traces that can be imported. */
  public static final class TraceFormats implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return TraceImporter.formats().stream().map(TraceFormat::id).iterator();
    }
  }

  /** The values of {@code --hashes}. */
  public static final class HashForms implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(Hashes.values()).map(Candidates::spelling).iterator();
    }
  }

  /** The values of {@code --mode}. */
  public static final class Modes implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(ReplayMode.values()).map(ReplayMode::id).iterator();
    }
  }

  /** The values of {@code --on-unmatched}. */
  public static final class Unmatched implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(OnUnmatched.values()).map(OnUnmatched::id).iterator();
    }
  }

  /** The values of {@code --on-timeout}. */
  public static final class Timeouts implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(OnTimeout.values()).map(Candidates::spelling).iterator();
    }
  }

  /** The values of {@code --stream-pace}. */
  public static final class Paces implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(StreamPace.values()).map(Candidates::spelling).iterator();
    }
  }

  /** The values of {@code --log-format}. */
  public static final class LogForms implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(RunLog.Form.values()).map(Candidates::spelling).iterator();
    }
  }

  /** The values of {@code --inputs}. */
  public static final class InputActions implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(OnInputs.values()).map(OnInputs::id).iterator();
    }
  }

  /** The values of {@code --interventions}. */
  public static final class InterventionActions implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(OnInterventions.values()).map(OnInterventions::id).iterator();
    }
  }

  /** The values of the {@code --mode} of a session record's replay. */
  public static final class RecordModes implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("verify", "compare", "trace").iterator();
    }
  }

  /** The values of {@code --feed}. */
  public static final class Feeds implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(Feed.values()).map(Feed::id).iterator();
    }
  }

  /** The text of a constant; its name in lower case, with hyphens, if it has no other text. */
  public static String spelling(Enum<?> constant) {
    String text = constant.toString();
    return text.equals(constant.name()) ? text.toLowerCase(Locale.ROOT).replace('_', '-') : text;
  }

  /** The values of {@code --fail-on}: every severity that can fail a comparison. */
  public static final class Severities implements Iterable<String> {
    /** The severities. */
    public static final List<DivergenceSeverity> VALUES = Stream.of(DivergenceSeverity.values())
        .filter(severity -> severity != DivergenceSeverity.NONE)
        .toList();

    @Override
    public Iterator<String> iterator() {
      return VALUES.stream().map(DivergenceSeverity::id).iterator();
    }
  }
}
