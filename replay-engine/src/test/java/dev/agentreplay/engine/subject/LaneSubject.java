package dev.agentreplay.engine.subject;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A program that is an agent: it starts sub-agents, whose requests it sends at the same time. */
final class LaneSubject {

  private static final List<String> AGENTS = List.of("one", "two", "three");

  private LaneSubject() {}

  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    out.println(JsonObject.of("id", 0, "type", "hello", "protocol", 1, "name", "lanes"));
    result(in, "0");
    out.println(JsonObject.of(
        "id", "r", "type", "tool", "name", "research", "call", "call-r", "local", true));
    String asked = in.readLine();
    if (!asked.contains("execute") && !asked.contains("result")) {
      throw new IOException(asked);
    }
    int agents = Integer.parseInt(arguments[0]);
    Set<String> waiting = new HashSet<>();
    for (int turn = 0; turn < 3; turn++) {
      for (String agent : AGENTS.subList(0, agents)) {
        String id = agent + turn;
        waiting.add('"' + id + '"');
        out.println(JsonObject.of(
            "id",
            id,
            "type",
            "tool",
            "agent",
            agent,
            "parent",
            "call-r",
            "name",
            "search",
            "params",
            JsonObject.of("turn", turn)));
      }
      while (!waiting.isEmpty()) {
        JsonObject answer = JsonText.parse(in.readLine()).asObject();
        if (!answer.get("type").asString().equals("result")) {
          throw new IOException(answer.toString());
        }
        waiting.remove(String.valueOf(answer.get("id")));
      }
    }
    if (asked.contains("execute")) {
      out.println(JsonObject.of("id", "r", "type", "output", "output", "found"));
      result(in, "\"r\"");
    }
    out.println(JsonObject.of("id", 9, "type", "end", "status", "Success", "confidence", 0.5));
    result(in, "9");
  }

  private static void result(BufferedReader in, String id) throws IOException {
    JsonObject answer = JsonText.parse(in.readLine()).asObject();
    if (!answer.get("type").asString().equals("result")
        || !String.valueOf(answer.get("id")).equals(id)) {
      throw new IOException(answer.toString());
    }
  }
}
