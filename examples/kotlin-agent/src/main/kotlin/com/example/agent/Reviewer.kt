package com.example.agent

import dev.agentreplay.engine.replay.AgentScope
import dev.agentreplay.engine.replay.execution.Executors
import dev.agentreplay.io.recording.SessionRecorder
import dev.agentreplay.model.Status
import dev.agentreplay.model.json.JsonObject
import java.nio.file.Files
import java.nio.file.Path

/** Reviews a file: asks the model, and reads the files that it requests, until it has answered. */
fun AgentScope.review(file: String): String {
  val messages = mutableListOf(mapOf("role" to "user", "content" to "Review $file."))
  while (true) {
    val answer = ask("scripted", messages).answer().value() ?: error("the model said nothing")
    val request = answer as? JsonObject ?: return answer.asString()
    val path = request["read"]?.asString() ?: error("the model requests nothing: $request")
    val text = run("read_file", mapOf("path" to path)) { Files.readString(Path.of(path)) }
    messages += mapOf("role" to "assistant", "content" to request.toString())
    messages += mapOf("role" to "tool", "content" to text.asString())
  }
}

/** Reviews a file, and records the review as a session in a directory. */
fun recordReview(directory: Path, file: String, executors: Executors = liveExecutors()): String =
  SessionRecorder.start(directory, "review").use { session ->
    val answer = AgentScope.recording(session, executors).review(file)
    session.end(Status.SUCCESS, 0.9)
    answer
  }
