package dev.agentreplay.lint.code;

import java.util.Set;

/**
 * A call in the code of a method, or an access to a static field.
 *
 * @param opcode the instruction
 * @param method the called method, with the class of the instruction
 * @param line the line; {@link #NO_LINE} if the class file does not have it
 * @param order the origins that are known of the order of the elements that the call iterates;
 *     empty if it iterates none
 */
public record CallSite(int opcode, MethodRef method, int line, Set<Origin> order) {

  /** The line of code whose line is not known. */
  public static final int NO_LINE = -1;
}
