package dev.agentreplay.engine.replay;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.ExchangeMatcher;
import dev.agentreplay.engine.exchange.ExchangeMatcher.NextValue;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.fingerprint.EntryFact;
import dev.agentreplay.engine.replay.LedgerEntry.Result;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.io.context.ContextValues;
import dev.agentreplay.io.context.ValueForm;
import dev.agentreplay.io.context.ValueRequest;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Serves the nondeterministic values of a recording. */
final class ReplayedValues implements ContextValues {

  private final Replay replay;
  private final ExchangeMatcher matcher;
  private final ReplayRecording recording;
  private final ReplayState state;
  private final @Nullable ForkRun fork;
  private final AtomicLong requests = new AtomicLong();

  ReplayedValues(
      Replay replay,
      ExchangeMatcher matcher,
      ReplayRecording recording,
      ReplayState state,
      @Nullable ForkRun fork) {
    this.replay = replay;
    this.matcher = matcher;
    this.recording = recording;
    this.state = state;
    this.fork = fork;
  }

  @Override
  public <T extends @Nullable Object> T value(ValueRequest request, ValueForm<T> form, Live<T> live)
      throws IOException {
    try {
      state.awaitTurn();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ReplayStoppedException("the agent was interrupted");
    }
    ExchangeStart start = ExchangeStart.now(state.time());
    return switch (replay.policy.values()) {
      case SERVE -> serve(request, form, live, start);
      case EXECUTE, EXECUTE_AND_COMPARE -> live(request, form, live, start, null, null);
      case REFUSE ->
        throw new ExchangeRefusedException(
            "the value of %s is refused by the policy of the replay".formatted(request.source()));
    };
  }

  private <T extends @Nullable Object> T serve(
      ValueRequest request, ValueForm<T> form, Live<T> live, ExchangeStart start)
      throws IOException {
    NextValue next = next(request);
    if (next == null) {
      ReplayMiss miss = matcher.unrecorded(request.lane(), request.source(), request.ordinal());
      JsonValue older = request.ifUnrecorded();
      if (older == null || miss.kind() != MissKind.NEVER_RECORDED) {
        EntryFact fact = EntryFact.ofMissing(miss.kind().id(), request.ordinal());
        return missed(request, form, live, start, miss, fact, null);
      }
      record(request, older, new Provenance("served", null, null));
      return form.fromJson(older);
    }
    JsonValue json = next.event().value();
    if (fork != null) {
      json = fork.changed(json, next.line());
    }
    T value;
    try {
      value = form.fromJson(json);
    } catch (IllegalArgumentException differs) {
      if (!json.equals(next.event().value())) {
        throw state.fail(new IOException(
            "the value of %s on line %d cannot be changed to %s: expected %s"
                .formatted(
                    request.source(), next.line(), Excerpt.of(json.toString()), form.expected()),
            differs));
      }
      String reason = "expected %s\n  - recorded  %s" // the log has only the first line
          .formatted(form.expected(), Excerpt.of(json.toString()));
      ReplayMiss miss = matcher.differs(request.lane(), request.source(), next.line(), reason);
      EntryFact fact =
          EntryFact.ofForm(miss.kind().id(), request.ordinal(), form.expected(), hash(json));
      return missed(request, form, live, start, miss, fact, next.line());
    }
    MatchRung rung = next.isInOrder() ? MatchRung.EXACT : MatchRung.OUT_OF_ORDER;
    boolean isChanged = !json.equals(next.event().value());
    Result how = isChanged ? Result.CHANGED : Result.SERVED;
    record(request, json, new Provenance(how.id(), rung.id(), next.line()));
    String drift = next.isInOrder()
        ? null
        : "the value of %s was recorded at a different place in the order of values"
            .formatted(request.source());
    LedgerEntry entry = entry(request, how, rung, next.line(), start, null, drift);
    EntryFact fact = drift == null
        ? null
        : EntryFact.ofOrder(request.ordinal(), next.place(), next.expected(), hash(json));
    state.enterValue(entry, fact, start);
    if (drift != null) {
      state.divergence(entry, drift);
    }
    return value;
  }

  private <T extends @Nullable Object> T missed(
      ValueRequest request,
      ValueForm<T> form,
      Live<T> live,
      ExchangeStart start,
      ReplayMiss miss,
      EntryFact fact,
      @Nullable Long line)
      throws IOException {
    boolean mayCompute = fork == null
        ? replay.onUnmatched == OnUnmatched.POSITION && miss.kind() != MissKind.DIVERGED
        : fork.isAfter(line);
    if (mayCompute && !ComputedValues.isOfMachine(request.source())) {
      return live(request, form, live, start, miss, fact);
    }
    LedgerEntry entry = enter(request, Result.MISSED, start, miss, fact);
    if (replay.onUnmatched == OnUnmatched.STOP || (fork != null && !mayCompute)) {
      state.stop(new Stop(Stop.Cause.MISS, miss.message(), entry));
    }
    throw state.missed(miss);
  }

  private <T extends @Nullable Object> T live(
      ValueRequest request,
      ValueForm<T> form,
      Live<T> live,
      ExchangeStart start,
      @Nullable ReplayMiss miss,
      @Nullable EntryFact fact)
      throws IOException {
    T value;
    JsonValue json;
    try {
      value = live.read();
      json = form.toJson(value);
    } catch (IOException | RuntimeException failed) {
      if (miss != null) {
        enter(request, Result.MISSED, start, miss, fact);
      }
      throw failed;
    }
    record(request, json, new Provenance("executed", null, null));
    enter(request, Result.EXECUTED, start, miss, fact);
    return value;
  }

  /** Enters a request that was not served. */
  private LedgerEntry enter(
      ValueRequest request,
      Result result,
      ExchangeStart start,
      @Nullable ReplayMiss miss,
      @Nullable EntryFact fact) {
    LedgerEntry entry = entry(request, result, null, null, start, miss, null);
    state.enterValue(entry, fact, start);
    if (miss != null) {
      state.divergence(entry, miss.message());
    }
    return entry;
  }

  private static ContentHash hash(JsonValue value) {
    return CanonicalJson.SERDE.hash(value);
  }

  private @Nullable NextValue next(ValueRequest request) {
    try {
      return matcher.value(request.lane(), request.source());
    } catch (IOException | RuntimeException e) {
      throw state.fail(e);
    }
  }

  private void record(ValueRequest request, JsonValue value, Provenance provenance) {
    RecordedValue event = RecordedValue.of(request.source(), request.ordinal(), value);
    try {
      state.written(recording.value(request.lane(), event, provenance));
    } catch (IOException | RuntimeException e) {
      throw state.fail(e);
    }
  }

  private LedgerEntry entry(
      ValueRequest request,
      Result result,
      @Nullable MatchRung rung,
      @Nullable Long line,
      ExchangeStart start,
      @Nullable ReplayMiss miss,
      @Nullable String message) {
    long now = state.time().micros();
    return new LedgerEntry(
        requests.incrementAndGet(),
        ExchangeKind.VALUE,
        request.lane(),
        request.source(),
        result,
        rung,
        line,
        now,
        now - start.micros(),
        miss,
        message,
        null);
  }
}
