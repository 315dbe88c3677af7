package dev.agentreplay.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Assembles a program of classic BPF for seccomp. Jumps go forward to labels; a condition that does
 * not hold continues with the next instruction.
 */
final class BpfAssembler {

  private static final int LOAD = 0x20;
  private static final int JUMP_IF_EQUAL = 0x15;
  private static final int JUMP_IF_AT_LEAST = 0x35;
  private static final int JUMP_IF_ANY_BIT = 0x45;
  private static final int RETURN = 0x06;

  private record Instruction(int code, int operand, @Nullable String target, boolean negated) {}

  private final List<Instruction> instructions = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();

  /** Loads the 32 bits at an offset of {@code struct seccomp_data}. */
  BpfAssembler load(int offset) {
    return add(LOAD, offset, null, false);
  }

  BpfAssembler ifEqual(int value, String label) {
    return add(JUMP_IF_EQUAL, value, label, false);
  }

  BpfAssembler ifNotEqual(int value, String label) {
    return add(JUMP_IF_EQUAL, value, label, true);
  }

  /** Compares without a sign. */
  BpfAssembler ifAtLeast(int value, String label) {
    return add(JUMP_IF_AT_LEAST, value, label, false);
  }

  BpfAssembler ifAnyBit(int mask, String label) {
    return add(JUMP_IF_ANY_BIT, mask, label, false);
  }

  BpfAssembler label(String label) {
    labels.put(label, instructions.size());
    return this;
  }

  BpfAssembler returns(int action) {
    return add(RETURN, action, null, false);
  }

  /** The program as an array of {@code struct sock_filter}, little-endian. */
  byte[] assemble() {
    ByteBuffer bytes = ByteBuffer.allocate(8 * instructions.size()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < instructions.size(); i++) {
      Instruction each = instructions.get(i);
      int distance = each.target == null ? 0 : distance(i, each.target);
      bytes
          .putShort((short) each.code)
          .put((byte) (each.negated ? 0 : distance))
          .put((byte) (each.negated ? distance : 0))
          .putInt(each.operand);
    }
    return bytes.array();
  }

  private int distance(int from, String label) {
    Integer to = labels.get(label);
    int distance = to == null ? -1 : to - from - 1;
    if (distance < 0 || distance > 255) {
      throw new IllegalStateException("cannot jump from " + from + " to " + label);
    }
    return distance;
  }

  private BpfAssembler add(int code, int operand, @Nullable String target, boolean negated) {
    instructions.add(new Instruction(code, operand, target, negated));
    return this;
  }
}
