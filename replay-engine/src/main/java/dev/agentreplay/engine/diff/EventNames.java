package dev.agentreplay.engine.diff;

import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
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
    if (event instanceof RecordedValue) {
      // what a clock or a source of random numbers said is another in each run
      return strict ? StepKind.RECORDED_VALUE : null;
    }
    return switch (event.kind()) {
      case SESSION_START -> StepKind.START;
      case SETTINGS -> StepKind.SETTINGS;
      case PLAN_START -> StepKind.PLAN;
      case FILE_STATE -> StepKind.FILE_STATE;
      case VERIFICATION -> StepKind.VERIFICATION;
      case STEP_COMPLETE -> StepKind.STEP;
      case PAYMENT -> StepKind.PAYMENT;
      case RUNTIME_EVENT -> StepKind.RUNTIME_EVENT;
      case SESSION_END -> StepKind.END;
      case RECORDING_GAP, UNKNOWN -> StepKind.OTHER;
      default -> null;
    };
  }

  static String name(ReplayEvent event) {
    if (event instanceof FileState file) {
      return file.path();
    } else if (event instanceof RuntimeEvent runtime && runtime.type() != null) {
      return runtime.type();
    } else if (event instanceof UnknownEvent unknown) {
      return unknown.type().isEmpty() ? "event without a type" : unknown.type();
    } else if (event instanceof RecordedValue recorded) {
      return recorded.source();
    }
    return event.kind().id();
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
