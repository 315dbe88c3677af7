package dev.agentreplay.lint.code;

import org.objectweb.asm.Opcodes;

/** The effect of the instructions without operands on the stack (JVMS 6.5). */
final class StackEffect {

  private StackEffect() {}

  static void apply(int opcode, Frame frame) {
    if (opcode >= Opcodes.IADD && opcode <= Opcodes.DREM) {
      binary(frame, (opcode - Opcodes.IADD) % 2 == 1); // int, long, float, double
    } else if (opcode >= Opcodes.ISHL && opcode <= Opcodes.LXOR) {
      binary(frame, (opcode - Opcodes.ISHL) % 2 == 1); // int, long
    } else if (opcode >= Opcodes.LCMP && opcode <= Opcodes.DCMPG) {
      binary(frame, false);
    } else if (opcode >= Opcodes.INEG && opcode <= Opcodes.DNEG) {
      frame.push(frame.pop());
    } else if (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD) {
      binary(frame, opcode == Opcodes.LALOAD || opcode == Opcodes.DALOAD);
    } else if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
      frame.pop(3);
    } else if (opcode >= Opcodes.POP && opcode <= Opcodes.SWAP) {
      rearrange(opcode, frame);
    } else {
      other(opcode, frame);
    }
  }

  private static void binary(Frame frame, boolean wide) {
    frame.pop(2);
    frame.push(wide ? Value.WIDE : Value.UNKNOWN);
  }

  private static void other(int opcode, Frame frame) {
    switch (opcode) {
      case Opcodes.LCONST_0, Opcodes.LCONST_1, Opcodes.DCONST_0, Opcodes.DCONST_1 ->
        frame.push(Value.WIDE);
      case Opcodes.I2L, Opcodes.I2D, Opcodes.L2D, Opcodes.F2L, Opcodes.F2D, Opcodes.D2L -> {
        frame.pop();
        frame.push(Value.WIDE);
      }
      case Opcodes.I2F,
          Opcodes.L2I,
          Opcodes.L2F,
          Opcodes.F2I,
          Opcodes.D2I,
          Opcodes.D2F,
          Opcodes.I2B,
          Opcodes.I2C,
          Opcodes.I2S,
          Opcodes.ARRAYLENGTH -> {
        frame.pop();
        frame.push(Value.UNKNOWN);
      }
      case Opcodes.MONITORENTER,
          Opcodes.MONITOREXIT,
          Opcodes.ATHROW,
          Opcodes.IRETURN,
          Opcodes.LRETURN,
          Opcodes.FRETURN,
          Opcodes.DRETURN,
          Opcodes.ARETURN -> frame.pop();
      case Opcodes.NOP, Opcodes.RETURN -> {}
      default -> frame.push(Value.UNKNOWN); // constants
    }
  }

  private static void rearrange(int opcode, Frame frame) {
    Value first = frame.pop();
    switch (opcode) {
      case Opcodes.POP -> {}
      case Opcodes.POP2 -> {
        if (!first.wide()) {
          frame.pop();
        }
      }
      case Opcodes.DUP -> push(frame, first, first);
      case Opcodes.SWAP -> {
        Value second = frame.pop();
        push(frame, first, second);
      }
      case Opcodes.DUP_X1 -> {
        Value second = frame.pop();
        push(frame, first, second, first);
      }
      case Opcodes.DUP_X2 -> {
        Value[] below = pair(frame, frame.pop());
        push(frame, first);
        push(frame, below);
        push(frame, first);
      }
      default -> {
        Value[] top = pair(frame, first);
        Value[] below = opcode == Opcodes.DUP2
            ? new Value[0]
            : opcode == Opcodes.DUP2_X1 ? new Value[] {frame.pop()} : pair(frame, frame.pop());
        push(frame, top);
        push(frame, below);
        push(frame, top);
      }
    }
  }

  /** A value of two slots, or two values of one, the lower one first. */
  private static Value[] pair(Frame frame, Value first) {
    return first.wide() ? new Value[] {first} : new Value[] {frame.pop(), first};
  }

  private static void push(Frame frame, Value... values) {
    for (Value value : values) {
      frame.push(value);
    }
  }
}
