package dev.agentreplay.records.internal;

import org.jspecify.annotations.Nullable;

/** The abort of a replay by another thread. Safe for use by several threads. */
public final class ReplayAbort {

  /** Guarded by this, as is the action. */
  private @Nullable String reason;

  private @Nullable Runnable action;

  /** Aborts the replay, unless it was aborted before. */
  public void abort(String newReason) {
    Runnable run;
    synchronized (this) {
      if (reason != null) {
        return;
      }
      reason = newReason;
      run = action;
    }
    if (run != null) {
      run.run();
    }
  }

  /** The reason of the abort; null if the replay was not aborted. */
  public synchronized @Nullable String reason() {
    return reason;
  }

  /** Sets what an abort does; it is run at once if the replay was aborted before. */
  void onAbort(Runnable newAction) {
    synchronized (this) {
      action = newAction;
      if (reason == null) {
        return;
      }
    }
    newAction.run();
  }
}
