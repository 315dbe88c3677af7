package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.fingerprint.EntryFact;
import dev.agentreplay.engine.replay.LedgerEntry.Result;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.StreamedText;
import dev.agentreplay.model.json.LenientJson;
import java.io.IOException;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The results of requests: enters them into the ledger, and records them. Safe for use by several
 * threads.
 */
final class RequestResults {

  /** The names of the failures that are recorded for requests without an answer. */
  private static final String MISS = "ReplayMiss";

  private static final String REFUSED = "ReplayRefused";

  private static final String NOT_EXECUTED = "NotExecuted";

  private final RecordedExchanges recorded;
  private final ReplayRecording recording;
  private final ReplayState state;

  RequestResults(RecordedExchanges recorded, ReplayRecording recording, ReplayState state) {
    this.recorded = recorded;
    this.recording = recording;
    this.state = state;
  }

  /** Enters and records the result of a request. */
  void answer(Request request, ReplayEvent result, Result how) {
    enter(request, how, request.miss(), null);
    record(request, result, how);
  }

  /** Enters and records a miss. Returns the exception for the agent. */
  RuntimeException missed(Request request, @Nullable ReplayMiss miss) {
    ReplayMiss report = Objects.requireNonNull(miss, "a request without a match has a report");
    ReplayEvent result = failure(request, Outcome.failed(MISS, report.message()), report.message());
    enter(request, Result.MISSED, report, null);
    if (report.kind() != MissKind.UNDECIDED) {
      record(request, result, Result.MISSED);
    }
    LedgerEntry entry = entry(request, Result.MISSED, report, null);
    state.divergence(entry, report.message());
    if (request.stopsIfMissed()) {
      state.stop(new Stop(
          report.kind() == MissKind.UNDECIDED ? Stop.Cause.DIVERGENCE : Stop.Cause.MISS,
          report.message(),
          entry));
    }
    return state.missed(report);
  }

  /** Enters and records a refusal. Returns the exception for the agent. */
  RuntimeException refused(Request request, String message) {
    ReplayEvent result = failure(request, Outcome.failed(REFUSED, message), message);
    enter(request, Result.REFUSED, null, message);
    record(request, result, Result.REFUSED);
    state.divergence(entry(request, Result.REFUSED, null, message), message);
    return new ExchangeRefusedException(message);
  }

  /**
   * Enters and records a refusal by a check that is also the recorded result: the exchange counts
   * as executed. Returns the exception for the agent.
   */
  RuntimeException refusedAgain(Request request, String message) {
    answer(request, failure(request, ParameterChecks.refused(message), message), Result.EXECUTED);
    return new ExchangeRefusedException(message);
  }

  /** Enters a request that the recorder does not take. Returns the exception for the agent. */
  RuntimeException notRecorded(Request request, IllegalArgumentException reason) {
    String message = "%s is refused, because it cannot be recorded: %s"
        .formatted(Requests.kindAndName(request.call()), reason.getMessage());
    LedgerEntry entry = entry(request, Result.REFUSED, null, message);
    state.enterNotRecorded(entry, request.start());
    state.divergence(entry, message);
    return reason;
  }

  /** Enters a request that has no result, because the replay was stopped. */
  ReplayStoppedException cancelled(Request request, String reason) {
    enter(request, Result.CANCELLED, null, "cancelled: " + reason);
    return new ReplayStoppedException("the replay was stopped: " + reason);
  }

  /** Enters a request that has no result, because the agent was interrupted during a pause. */
  void interrupted(Request request) {
    enter(request, Result.CANCELLED, null, "the agent was interrupted during a pause");
  }

  /**
   * Enters and records that a request was not answered in time.
   *
   * @param pieces the pieces that the agent got before
   */
  void timedOut(Request request, String message, LivePieces pieces) {
    ReplayEvent result = failure(request, Outcome.timedOut(message), message, pieces.text());
    enter(request, Result.TIMED_OUT, null, message);
    record(request, result, Result.TIMED_OUT);
    state.divergence(entry(request, Result.TIMED_OUT, null, message), message);
  }

  /** Enters and records that a request was not executed, or not to its end. */
  void notExecuted(Request request, NotExecutedException reason) {
    String message = Failure.message(reason);
    LedgerEntry entry =
        entry(request, Result.NOT_EXECUTED, request.miss(), message, reason.reason());
    enter(request, entry);
    Outcome outcome = Outcome.failed(NOT_EXECUTED, message).withKnown(false);
    record(request, failure(request, outcome, message), Result.NOT_EXECUTED);
    state.divergence(entry, message);
  }

  /**
   * The result of a request that failed, with the time since it was made.
   *
   * @param pieces the pieces that the agent got before
   */
  ReplayEvent failure(Request request, Throwable thrown, LivePieces pieces) {
    return failure(request, Outcome.failed(thrown), Failure.message(thrown), pieces.text());
  }

  private ReplayEvent failure(Request request, Outcome outcome, String message) {
    return failure(request, outcome, message, new StreamedText());
  }

  private ReplayEvent failure(
      Request request, Outcome outcome, String message, StreamedText stream) {
    long millis = (state.time().micros() - request.start().micros()) / 1_000;
    return Requests.failed(request.call(), request.id(), outcome, message, millis, stream);
  }

  /**
   * The result of a request whose stream the agent has cut: the part that it got, and its
   * exception; the recorded result if the recorded stream ended there, because of this exception.
   */
  ReplayEvent cut(Request request, ReplayEvent served, Throwable thrown, LivePieces pieces) {
    ReplayEvent part = failure(request, thrown, pieces);
    if (served instanceof ModelResult recorded && part instanceof ModelResult cut) {
      Failure error = recorded.finish().error();
      boolean endedThere = recorded.answer().equals(cut.answer());
      return error != null && endedThere && isOf(error, thrown) ? served : part;
    }
    return part;
  }

  /** Whether an exception, or one of its causes, was this one. */
  private static boolean isOf(Failure error, Throwable thrown) {
    Failure failure = Failure.of(thrown);
    return Stream.concat(Stream.of(error), error.causes().stream())
        .anyMatch(each -> Objects.equals(each.name(), failure.name())
            && Objects.equals(each.message(), failure.message()));
  }

  /**
   * Records the result of an execution.
   *
   * @throws IllegalArgumentException if a recorder does not take it
   */
  void executed(Request request, ReplayEvent result) {
    Provenance provenance = request.provenance(Result.EXECUTED);
    try {
      state.written(recording.result(request.lane(), result, provenance));
    } catch (IOException e) {
      throw state.fail(e);
    }
  }

  private void record(Request request, ReplayEvent result, Result how) {
    Provenance provenance = request.provenance(how);
    try {
      state.written(
          how == Result.SERVED || how == Result.CHANGED || how == Result.ANSWERED
              ? recording.served(request.lane(), result, provenance)
              : recording.result(request.lane(), result, provenance));
    } catch (IOException e) {
      throw state.fail(e);
    } catch (RuntimeException refused) { // what the agent got must be in the recording
      throw state.fail(new IOException(
          "the result of %s cannot be recorded: %s"
              .formatted(Requests.name(request.call()), refused.getMessage()),
          refused));
    }
  }

  void enter(Request request, Result how, @Nullable ReplayMiss miss, @Nullable String message) {
    enter(request, entry(request, how, miss, message));
  }

  private void enter(Request request, LedgerEntry entry) {
    state.enter(entry, fact(request, entry), request.matched(), request.start());
  }

  /** The facts that identify a request that was missed or refused; null if it was neither. */
  private @Nullable EntryFact fact(Request request, LedgerEntry entry) {
    ReplayMiss miss = entry.miss();
    return (miss == null && entry.message() == null)
            || entry.result() == Result.CANCELLED
            || DivergenceData.isNoDifference(entry)
        ? null
        : EntryFact.ofRequest(
            miss == null ? null : miss.kind().id(),
            miss == null ? entry.message() : null,
            recorded.requestHash(request.call()));
  }

  LedgerEntry entry(
      Request request, Result how, @Nullable ReplayMiss miss, @Nullable String message) {
    return entry(request, how, miss, message, null);
  }

  private LedgerEntry entry(
      Request request,
      Result how,
      @Nullable ReplayMiss miss,
      @Nullable String message,
      NotExecutedException.@Nullable Reason notExecuted) {
    long now = state.time().micros();
    boolean isMatched = request.matched() != null && how != Result.MISSED;
    return new LedgerEntry(
        request.number(),
        ExchangeKind.ofCall(request.call()),
        text(request.lane().agent()),
        Objects.requireNonNull(text(Requests.name(request.call()))),
        how,
        isMatched ? request.rung() : null,
        request.line(),
        now,
        now - request.start().micros(),
        miss,
        text(message),
        notExecuted);
  }

  /** A text in which each lone surrogate, which the ledger cannot have, is replaced by U+FFFD. */
  private static @Nullable String text(@Nullable String text) {
    return text == null ? null : LenientJson.of(text, "").value().asString();
  }
}
