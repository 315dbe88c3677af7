package dev.agentreplay.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Something that is done to a session, in each place where it can be done.
 *
 * @param name what the documentation calls it
 * @param act does it
 */
record Attack(String name, Act act) {

  /** Does something to a session. */
  @FunctionalInterface
  interface Act {
    List<Target> on(Exhibit exhibit) throws IOException;
  }

  /**
   * One place where it was done.
   *
   * @param label what place that is, in the words of the documentation
   * @param exhibit what came of it
   * @param lines the lines that are other than they were, and of one that was left out the one that
   *     is in its place
   * @param id of the call that it was done to; null when it is none
   */
  record Target(String label, Exhibit exhibit, Set<Integer> lines, String id) {}

  /** Does it to the first line, the second and so on. */
  @FunctionalInterface
  interface LineAct {
    Exhibit on(Exhibit exhibit, int number);
  }

  /**
   * Done to each line, and named after the event that it is.
   *
   * @param touched how many lines, from that one, are then other than they were
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

  /** What event a line is; nothing is behind the last one that would tell. */
  static String label(Exhibit exhibit, int number) {
    String kind = exhibit.kind(number);
    return number == exhibit.size() && kind.equals("Checkpoint") ? "the last " + kind : kind;
  }

  /** Done to the whole. */
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
