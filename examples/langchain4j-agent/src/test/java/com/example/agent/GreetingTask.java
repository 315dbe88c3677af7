package com.example.agent;

import static com.example.agent.ScriptedModel.call;
import static com.example.agent.ScriptedModel.say;

/** A program with a bug, and the answers of the model that fixes it. */
final class GreetingTask {

  static final String TASK = "The greeting is misspelt.";

  static final String BROKEN =
      """
      public class Greeting {
        public static void main(String[] args) {
          System.out.println("Helo, world!");
        }
      }
      """;

  static final String LIST = "{}";

  static final String READ = "{\"path\": \"Greeting.java\"}";

  static final String WRITE =
      """
      {"path": "Greeting.java", "content": "public class Greeting {\\n  public static void main(\
      String[] args) {\\n    System.out.println(\\"Hello, world!\\");\\n  }\\n}\\n"}""";

  static final String RUN = "{\"command\": [\"java\", \"Greeting.java\"]}";

  private GreetingTask() {}

  static ScriptedModel model() {
    return new ScriptedModel(
        call("tc_1", "list_files", LIST),
        call("tc_2", "read_file", READ),
        call("tc_3", "write_file", WRITE),
        call("tc_4", "run", RUN),
        say("The greeting is spelt right now."));
  }
}
