package dev.agentreplay.convert.trace.export;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.recording.SessionWriter;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.testkit.TestData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Sessions that tests write from lines without hashes. */
final class MadeSession {

  private MadeSession() {}

  /** The session of the resources, which has each case that the exporters distinguish. */
  static Session write(Path directory) throws IOException {
    return write(directory, TestData.lines("/traces/export/session.jsonl"));
  }

  static Session write(Path directory, List<String> lines) throws IOException {
    ReplayHeader header =
        ReplayHeader.of("agent@1.2.3").withMeta(Meta.at(Timestamp.parse("2026-01-13T09:59:59Z")));
    try (SessionWriter writer = SessionWriter.create(directory, header)) {
      for (String line : lines) {
        writer.write(Dialect.EVENT.decode(JsonText.parse(line).asObject()).event());
      }
      writer.finish(receipt -> receipt);
    }
    return Session.open(directory);
  }
}
