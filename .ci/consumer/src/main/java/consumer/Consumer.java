package consumer;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;

public final class Consumer {
  private static final String EXPECTED =
      "sha256:d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772";

  private Consumer() {}

  public static void main(String[] args) throws Exception {
    String actual = CanonicalJson.SERDE.hash(JsonText.parse("{\"b\":1,\"a\":2}")).toString();
    if (!actual.equals(EXPECTED)) {
      throw new AssertionError("hash of {\"a\":2,\"b\":1}: " + actual + ", not " + EXPECTED);
    }
    Path directory = Files.createTempDirectory("consumer").resolve("session");
    try (SessionRecorder recorder = SessionRecorder.start(directory, "consumer")) {
      recorder.run("list", JsonObject.of("path", "."), () -> "empty");
      recorder.end(Status.SUCCESS, 1);
    }
    if (Session.open(directory).receipt() == null) {
      throw new AssertionError("no receipt in " + directory);
    }
    System.out.println("consumer: " + actual + ", a session in " + directory);
  }
}
