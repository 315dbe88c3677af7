package dev.agentreplay.springai.boot;

import dev.agentreplay.springai.CallDestination;
import dev.agentreplay.springai.boot.ReplayProperties.Mode;
import java.nio.file.Path;
import org.springframework.beans.factory.DisposableBean;

/** The recording or the replay of an application, from its start to its end. */
sealed interface ReplayActivity extends DisposableBean, ScopeSource
    permits RecordingActivity, ReplayingActivity {

  /** Starts the activity that the properties state. */
  static ReplayActivity of(ReplayProperties properties) {
    return properties.effectiveMode().replay() == null
        ? new RecordingActivity(properties)
        : new ReplayingActivity(properties);
  }

  /** The mode. */
  Mode mode();

  /** The directory of the recordings, or of the recording that is replayed. */
  Path directory();

  /** The destination of a call that begins now. */
  CallDestination destination();

  /** The exit code of an application that ends now: 0 or that of the command {@code replay}. */
  int exitCode();
}
