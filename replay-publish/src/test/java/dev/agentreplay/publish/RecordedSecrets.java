package dev.agentreplay.publish;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Sessions with values that a reader of a published copy would like to know. */
final class RecordedSecrets {

  static final String CALL = "call-2";

  private RecordedSecrets() {}

  /** Records a session whose second call has the given parameters and output. */
  static Session record(Path directory, JsonObject params, Object output, @Nullable Signer signer)
      throws IOException {
    RecorderOptions options = RecorderOptions.defaults()
        .withWriter(WriterOptions.defaults()
            .withEvidence(TamperEvidenceOptions.defaults().withSigner(signer)));
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("attacked"), options)) {
      recorder.call("read", JsonObject.of("path", "src/a.txt")).result("text");
      recorder.call("pay", params).result(output);
      recorder.modelCall("gpt-5", "Which file?").answer("The second.");
      recorder.call("read", JsonObject.of("path", "src/b.txt")).result("text");
      recorder.end(Status.SUCCESS, 0.9);
    }
    return Session.open(directory);
  }
}
