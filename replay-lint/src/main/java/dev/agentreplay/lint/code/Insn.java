package dev.agentreplay.lint.code;

import java.util.List;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;

/** An instruction of a method, with what the analysis uses of it. */
sealed interface Insn {

  /** The opcode. */
  int opcode();

  /** An instruction that only moves or computes values, or ends the method. */
  record Plain(int opcode) implements Insn {}

  /** A load or store of a local variable, or {@code ret}. */
  record Local(int opcode, int variable) implements Insn {}

  /** An instruction with a class. */
  record OfType(int opcode, String type) implements Insn {}

  /** An access to a field. */
  record Field(int opcode, String owner, String name, String descriptor) implements Insn {}

  /** A call. */
  record Call(int opcode, MethodRef method) implements Insn {}

  /** A call site that is linked at run time: a lambda, or a concatenation. */
  record Dynamic(
      int opcode, String name, String descriptor, Handle bootstrap, List<Object> arguments)
      implements Insn {}

  /** A jump, or a switch. */
  record Jump(int opcode, List<Label> targets) implements Insn {}

  /** A constant; whether it takes two slots. */
  record Constant(int opcode, boolean wide) implements Insn {}

  /** The creation of an array with several dimensions. */
  record Dimensions(int opcode, int count) implements Insn {}

  /** The handler of the exceptions of a part of the code. */
  record Handler(Label start, Label end, Label handler) {}
}
