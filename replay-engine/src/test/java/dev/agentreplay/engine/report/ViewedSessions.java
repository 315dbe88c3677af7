package dev.agentreplay.engine.report;

import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Sessions to look at, and their pages. */
final class ViewedSessions {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-13T10:00:00Z"), ZoneOffset.UTC);

  /** Texts that a page must only show as text. */
  static final List<String> HOSTILE = List.of(
      "<script>window.pwned = 1</script>",
      "</script><script>window.pwned = 1</script>",
      "<!--<script>",
      "<img src=x onerror='window.pwned = 1'>",
      "\"><svg onload=\"window.pwned = 1\">",
      "javascript:window.pwned=1",
      "&lt;b&gt; &amp; \u2028 \u2029",
      "\u001b[31mred\u001b]0;title\u0007",
      "\u202egnp.exe \u2066\u200b\u00ad\ufeff",
      "{\"a\": \"\\ud800\", \"__proto__\": {\"polluted\": 1}}",
      "\udb40\udc41");

  private ViewedSessions() {}

  /** A call with its result. */
  static List<ReplayEvent> call(String id, String tool, Object params, Object output, boolean ok) {
    Outcome outcome = ok ? Outcome.OK : Outcome.failed("Error", "it failed");
    return List.of(
        ToolCall.of(id, tool, JsonValue.of(params)),
        new ToolResult(
            id,
            Content.of(JsonValue.of(output)),
            outcome,
            0.5,
            Timing.of(40L),
            List.of(),
            Meta.NONE));
  }

  /** So many calls of three tools; every tenth fails. */
  static List<ReplayEvent> calls(int count) {
    List<ReplayEvent> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      JsonObject params = JsonObject.of("path", "src/file" + i + ".rs", "limit", 20);
      events.addAll(call("c" + i, "tool" + i % 3, params, "output " + i, i % 10 != 9));
    }
    return events;
  }

  /** Calls of several agents, in turns, and of none. */
  static List<ReplayEvent> agents() {
    List<ReplayEvent> events = new ArrayList<>(call("root", "plan", "p", "o", true));
    for (int i = 0; i < 9; i++) {
      String agent = "agent <b>" + i % 3;
      for (ReplayEvent event : call("c" + i, "search", i, "output " + i, i != 4)) {
        events.add(event.withMeta(event.meta().withAgent(agent).withParent("root")));
      }
    }
    return events;
  }

  /** Hostile texts everywhere: in names of tools and members, in values, in the id. */
  static List<ReplayEvent> hostile() {
    List<ReplayEvent> events = new ArrayList<>();
    for (String text : HOSTILE) {
      JsonObject params = JsonObject.of(text, text, "__proto__", JsonObject.of("polluted", text));
      events.addAll(call(text, text, params, List.of(text, JsonObject.of(text, 1)), false));
    }
    return events;
  }

  /** A session with a start and an end, in a directory of its own. */
  static Session write(Path directory, List<ReplayEvent> events) throws IOException {
    Files.createDirectories(directory);
    Path log = directory.resolve(Session.LOG_NAME);
    WriterOptions options = WriterOptions.defaults().withClock(CLOCK);
    try (ReplayWriter writer = ReplayWriter.create(log, ReplayHeader.of("test@1"), options)) {
      writer.emit(SessionStart.of("viewed"));
      for (ReplayEvent event : events) {
        writer.emit(event);
      }
      writer.emit(SessionEnd.of(Status.SUCCESS));
    }
    return Session.open(directory);
  }

  /** Three model calls in lines 3, 5 and 7, each of which continues the prompt before it. */
  static Session withPrompts(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<JsonValue> messages = new ArrayList<>();
    try (SessionRecorder recorder = SessionRecorder.start(directory, "viewed")) {
      for (String word : List.of("first", "second", "third")) {
        messages.add(JsonObject.of("role", "user", "content", word + " question"));
        Prompt prompt = Prompt.of(JsonArray.copyOf(messages))
            .withSystem(word.equals("third") ? "be long" : "be short");
        recorder.modelCall("m", prompt).answer(word + " answer");
        messages.add(JsonObject.of("role", "assistant", "content", word + " answer"));
      }
    }
    return Session.open(directory);
  }

  /** A model call in line 3 that failed before anything was answered. */
  static Session withFailedModelCall(Path directory) throws IOException {
    Files.createDirectories(directory);
    try (SessionRecorder recorder = SessionRecorder.start(directory, "viewed")) {
      recorder.modelCall("m", "question").failed(new IOException("connection reset"));
    }
    return Session.open(directory);
  }

  /** Two calls whose results refer to one blob of this text. */
  static Session withSharedBlob(Path directory, String text) throws IOException {
    byte[] json = JsonValue.of(text).toString().getBytes(StandardCharsets.UTF_8);
    ContentHash hash = ContentHash.sha256(json);
    Content kept = new Content(null, hash, BlobRef.of(hash, json.length), null);
    List<ReplayEvent> events = new ArrayList<>();
    for (String id : List.of("1", "2")) {
      events.add(ToolCall.of(id, "read", JsonObject.of("path", id)));
      events.add(ToolResult.of(id, "").withOutput(kept).withLatencyMillis(1L));
    }
    Path blobs = Files.createDirectories(directory.resolve(Session.BLOBS_NAME));
    Files.write(blobs.resolve(hash.toString().replace(':', '-') + ".json"), json);
    return write(directory, events);
  }

  /** The page of a session, next to it. */
  static Path page(Session session) throws IOException {
    Path page = session.log().resolveSibling("page.html");
    try (OutputStream out = Files.newOutputStream(page)) {
      HtmlViewer.render(session, out);
    }
    return page;
  }
}
