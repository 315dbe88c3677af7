package dev.agentreplay.engine.diff;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import org.jspecify.annotations.Nullable;

/** What events other than calls and results are as steps. */
final class EventNames {

  private EventNames() {}

  /** The step that an event is; null when it is not compared. */
  static @Nullable StepKind kind(ReplayEvent event, boolean strict) {
    // clocks and random numbers say something else in each run
    boolean isOtherAnyway = event.kind() == EventKind.RECORDED_VALUE && !strict;
    return isOtherAnyway ? null : StepKind.of(event.kind());
  }

  static String name(ReplayEvent event) {
    String name = event.kind() == EventKind.STEP_COMPLETE ? null : event.name(); // ids differ
    if (name == null) {
      return event.kind() == EventKind.UNKNOWN
          ? "event without a type"
          : event.kind().id();
    }
    return name;
  }

  /** What there is to say of it in a few words; null when that is nothing. */
  static @Nullable Object summary(ReplayEvent event) {
    if (event instanceof SessionStart start) {
      return start.task().text();
    } else if (event instanceof SessionEnd end) {
      return end.status().spelling();
    } else if (event instanceof StepComplete step && step.status() != null) {
      return step.status().spelling();
    } else if (event instanceof Verification verification) {
      return verification.commands().isEmpty()
          ? verification.ciStatus()
          : verification.commands().get(0).command();
    } else if (event instanceof FileState file) {
      return file.after() == null ? "deleted" : file.before() == null ? "created" : "changed";
    } else if (event instanceof PlanStart plan && plan.stepCount() != null) {
      return plan.stepCount() + " steps";
    } else if (event instanceof Payment payment && payment.amountMsats() != null) {
      return payment.amountMsats() + " msats";
    } else if (event instanceof Settings settings) {
      return settings.values();
    } else if (event instanceof RecordingGap gap) {
      return gap.events() + " events not recorded";
    }
    return event instanceof UnknownEvent ? event.meta().extra() : null;
  }
}
