package dev.agentreplay.engine.view;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.finding.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the events of a session, and pairs its calls with their results. */
final class ViewBuilder {

  private final LogCanonicalization canonicalization = new LogCanonicalization();
  final StatsAccumulator totals = new StatsAccumulator();
  final List<Recorded<ToolResult>> stray = new ArrayList<>();
  final List<Recorded<ModelResult>> strayAnswers = new ArrayList<>();
  final List<Recorded<RecordingGap>> gaps = new ArrayList<>();
  final List<Finding> findings = new ArrayList<>();
  long lines;
  boolean isBlank = true;

  @Nullable
  Recorded<ReplayHeader> header;

  @Nullable
  Recorded<SessionStart> start;

  @Nullable
  Recorded<SessionEnd> end;

  private final List<Recorded<ToolCall>> calls = new ArrayList<>();
  private final Map<Integer, Recorded<ToolResult>> results = new HashMap<>();
  private final CallPairing<Integer> pairing = new CallPairing<>(Integer.MAX_VALUE);
  private final List<Recorded<ModelCall>> asked = new ArrayList<>();
  private final Map<Integer, Recorded<ModelResult>> answers = new HashMap<>();
  private final CallPairing<Integer> askedPairing = new CallPairing<>(Integer.MAX_VALUE);

  void add(ReplayLine line) {
    lines = line.position().line();
    ReplayEvent event = line.event();
    totals.add(event);
    canonicalization.accept(event);
    findings.addAll(line.findings());
    isBlank &= event instanceof ReplayHeader || event instanceof SessionStart;
    if (event instanceof ReplayHeader first && header == null) {
      header = new Recorded<>(lines, first);
    } else if (event instanceof SessionStart first && start == null) {
      start = new Recorded<>(lines, first);
    } else if (event instanceof SessionEnd last) {
      end = new Recorded<>(lines, last);
    } else if (event instanceof RecordingGap gap) {
      gaps.add(new Recorded<>(lines, gap));
    } else {
      addCall(event);
    }
  }

  private void addCall(ReplayEvent event) {
    String agent = event.meta().agent();
    if (event instanceof ToolCall call) {
      pairing.call(call.id(), agent, calls.size());
      calls.add(new Recorded<>(lines, call));
    } else if (event instanceof ToolResult result) {
      Integer call = pairing.result(result.id(), agent);
      if (call == null) {
        stray.add(new Recorded<>(lines, result));
      } else {
        results.put(call, new Recorded<>(lines, result));
      }
    } else if (event instanceof ModelCall call) {
      askedPairing.call(call.id(), agent, asked.size());
      asked.add(new Recorded<>(lines, call));
    } else if (event instanceof ModelResult result) {
      Integer call = askedPairing.result(result.id(), agent);
      if (call == null) {
        strayAnswers.add(new Recorded<>(lines, result));
      } else {
        answers.put(call, new Recorded<>(lines, result));
      }
    }
  }

  CanonicalJson canonical() {
    CanonicalJson named = canonicalization.get();
    return named == null ? CanonicalJson.SERDE : named;
  }

  List<RecordedToolCall> toolCalls(Session session) {
    List<RecordedToolCall> all = new ArrayList<>(calls.size());
    for (Recorded<ToolCall> call : calls) {
      int index = all.size();
      all.add(new RecordedToolCall(session, canonical(), index, call, results.get(index)));
    }
    return List.copyOf(all);
  }

  List<RecordedModelCall> modelCalls(Session session) {
    List<RecordedModelCall> all = new ArrayList<>(asked.size());
    for (Recorded<ModelCall> call : asked) {
      all.add(new RecordedModelCall(session, all.size(), call, answers.get(all.size())));
    }
    return List.copyOf(all);
  }
}
