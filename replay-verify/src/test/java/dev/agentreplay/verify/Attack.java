package dev.agentreplay.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * An attack on a session, at each possible place.
 *
 * @param name the name in the documentation
 * @param act performs the attack
 */
record Attack(String name, Act act) {

  /** Performs an attack on a session. */
  @FunctionalInterface
  interface Act {
    List<Target> on(Exhibit exhibit) throws IOException;
  }

  /**
   * The result of an attack at one place.
   *
   * @param label the name of the place in the documentation
   * @param exhibit the attacked session
   * @param lines the lines that differ; for a removed line, the one in its place
   * @param id the id of the attacked call; null when the attack is not on a call
   */
  record Target(String label, Exhibit exhibit, Set<Integer> lines, String id) {}

  /** Performs an attack on one line. */
  @FunctionalInterface
  interface LineAct {
    Exhibit on(Exhibit exhibit, int number);
  }

  /**
   * Returns an attack on each line, labelled with the event type of the line.
   *
   * @param touched the number of lines, from the attacked one, that then differ
   */
  static Attack onEachLine(String name, int touched, LineAct act) {
    return new Attack(name, exhibit -> {
      List<Target> targets = new ArrayList<>();
      for (int number = 1; number <= exhibit.size(); number++) {
        targets.add(new Target(
            label(exhibit, number),
            act.on(exhibit, number),
            touched == 1 ? Set.of(number) : Set.of(number, number + 1),
            callId(exhibit, number)));
      }
      return targets;
    });
  }

  /** The event type of a line. The last checkpoint differs from the others: no line follows it. */
  static String label(Exhibit exhibit, int number) {
    String kind = exhibit.kind(number);
    return number == exhibit.size() && kind.equals("Checkpoint") ? "the last " + kind : kind;
  }

  /** Returns the result of an attack on the whole session. */
  static Target whole(String label, Exhibit exhibit) {
    return new Target(label, exhibit, Set.of(), null);
  }

  /** The id of the call that a line is about. */
  static String callId(Exhibit exhibit, int number) {
    return exhibit.kind(number).startsWith("Tool")
        ? exhibit.json(number).at("/id").asString()
        : null;
  }
}
