package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A session of two agents and an operator in two rounds, as an export of its messages. */
final class ResearchThread {

  static final String SESSION = "RS-cell-fate";

  static final String HYPOTHESIS = "H1: a gradient of a signal decides the fate of each cell.";
  static final String CRITIQUE = "H1 does not explain why the boundary between fates is sharp.";
  static final String TEST = "T1: move a source of the signal, and see whether fates follow it.";

  static final String ARTIFACT = "# Hypotheses\n\nH1: gradient\n\n# Tests\n\nT1: move the source\n";

  static final String ROSTER =
      """
      [{"agent_name":"Blue","role":"hypothesis_generator","program":"coder","model":"m-1"},
       {"agent_name":"Red","role":"adversarial_critic","program":"coder","model":"m-2"}]
      """;

  private ResearchThread() {}

  /** The messages of the export. */
  static List<JsonObject> messages() {
    return List.of(
        message(1, "Olga", "KICKOFF: cell fate", "Why do sister cells have different fates?"),
        message(2, "Blue", "DELTA: H1", HYPOTHESIS),
        message(3, "Red", "CRITIQUE: H1", CRITIQUE),
        message(4, "Olga", "COMPILE: round 0", "Compiled."),
        message(5, "Blue", "DELTA: T1", TEST),
        message(6, "Olga", "COMPILE: round 1", "Compiled."));
  }

  private static JsonObject message(int id, String from, String subject, String text) {
    return JsonObject.of(
        "id",
        id,
        "thread_id",
        SESSION,
        "ts",
        "2026-01-01T10:0%d:00Z".formatted(id),
        "from",
        from,
        "subject",
        subject,
        "body_md",
        text);
  }

  /** Writes the export, as an array. */
  static Path export(Path home) throws IOException {
    return Files.writeString(
        home.resolve("thread.json"), JsonArray.copyOf(messages()).toString());
  }

  /** Writes the roster of the agents. */
  static Path roster(Path home) throws IOException {
    return Files.writeString(home.resolve("roster.json"), ROSTER);
  }

  /** Writes the final artifact. */
  static Path artifact(Path home) throws IOException {
    return Files.writeString(home.resolve("artifact.md"), ARTIFACT);
  }

  /** Records the session into {@code record.json} of a new directory. */
  static Path record(Path home, String name) throws IOException {
    return record(home, name, HYPOTHESIS, HYPOTHESIS);
  }

  /** Records the session with a text in place of another into a new directory. */
  static Path record(Path home, String name, String text, String replacement) throws IOException {
    Path directory = Files.createDirectory(home.resolve(name));
    Path export = export(directory);
    String json = Files.readString(export);
    assertThat(json).contains(text);
    Files.writeString(export, json.replace(text, replacement));
    Path file = directory.resolve("record.json");
    Console console = Console.run(
        "session",
        "record",
        export.toString(),
        "--roster",
        roster(directory).toString(),
        "--artifact",
        artifact(directory).toString(),
        "--output",
        file.toString());
    assertThat(console.exit()).as(console.err()).isZero();
    return file;
  }

  /** A program that is the recorded agents, in the language of a shell. */
  static Path agents(Path home) throws IOException {
    return agents(home, HYPOTHESIS, CRITIQUE, TEST);
  }

  /** A program that is the agents, with their three texts. */
  static Path agents(Path home, String hypothesis, String critique, String test)
      throws IOException {
    return agents(
        home,
        round(0, message("Blue", "DELTA", hypothesis), message("Red", "CRITIQUE", critique)),
        round(1, message("Blue", "DELTA", test)).with("artifact", ARTIFACT));
  }

  static JsonObject message(String from, String type, String text) {
    return JsonObject.of("from", from, "type", type, "text", text);
  }

  static JsonObject round(int number, JsonObject... messages) {
    return JsonObject.of("type", "round", "round", number, "messages", List.of(messages));
  }

  /** A program that gives one answer for each round, and ends as the protocol requires. */
  static Path agents(Path home, JsonObject... rounds) throws IOException {
    List<String> answers = new ArrayList<>(List.of("{\"type\":\"ready\"}"));
    for (JsonObject round : rounds) {
      answers.add(round.toString());
    }
    StringBuilder script = new StringBuilder("#!/bin/sh\n");
    for (String answer : answers) {
      assertThat(answer).doesNotContain("'");
      script
          .append("read -r request || exit 1\nprintf '%s\\n' '")
          .append(answer)
          .append("'\n");
    }
    script.append("while read -r request; do :; done\n");
    return Files.writeString(home.resolve("agents.sh"), script);
  }
}
