package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.sandbox.internal.ShellVariables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The environment of a program in a container. The client of the engine passes the values on, so
 * that they are not on a command line that others can read, but under names that have no meaning: a
 * recorded {@code LD_PRELOAD} would be loaded into the client, outside. The shell in the container
 * gives them their names.
 *
 * @param options the options of the client
 * @param values the variables of the client
 * @param script the commands of the shell, each with a semicolon and a space after it
 */
record ContainerVariables(List<String> options, Map<String, String> values, String script) {

  static ContainerVariables of(Map<String, String> variables) {
    String prefix = "REPLAY_VALUE_";
    while (isUsed(prefix, variables)) {
      prefix += "_";
    }
    List<String> options = new ArrayList<>();
    Map<String, String> values = new HashMap<>();
    StringBuilder script = new StringBuilder();
    for (Map.Entry<String, String> variable : new TreeMap<>(variables).entrySet()) {
      String name = variable.getKey();
      if (ShellVariables.canSet(name)) {
        String passed = prefix + values.size();
        options.add("--env=" + passed);
        values.put(passed, variable.getValue());
        script.append("export %s=\"$%s\"; unset %s; ".formatted(name, passed, passed));
      } else {
        options.add("--env=" + name + "=" + variable.getValue());
      }
    }
    return new ContainerVariables(List.copyOf(options), Map.copyOf(values), script.toString());
  }

  private static boolean isUsed(String prefix, Map<String, String> variables) {
    return variables.keySet().stream().anyMatch(name -> name.startsWith(prefix));
  }
}
