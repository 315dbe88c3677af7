package dev.agentreplay.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Runs a seccomp filter over a system call, as the kernel does. */
final class BpfInterpreter {

  private final ByteBuffer program;

  BpfInterpreter(byte[] program) {
    this.program = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the action for a call, with up to six arguments. */
  int run(int architecture, int number, long... arguments) {
    ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    data.putInt(0, number).putInt(4, architecture);
    for (int i = 0; i < arguments.length; i++) {
      data.putLong(16 + 8 * i, arguments[i]);
    }
    int accumulator = 0;
    int at = 0;
    while (true) {
      int code = program.getShort(8 * at);
      int ifTrue = program.get(8 * at + 2) & 0xFF;
      int ifFalse = program.get(8 * at + 3) & 0xFF;
      int operand = program.getInt(8 * at + 4);
      at++;
      switch (code) {
        case 0x20 -> accumulator = data.getInt(operand);
        case 0x15 -> at += accumulator == operand ? ifTrue : ifFalse;
        case 0x35 -> at += Integer.compareUnsigned(accumulator, operand) >= 0 ? ifTrue : ifFalse;
        case 0x45 -> at += (accumulator & operand) != 0 ? ifTrue : ifFalse;
        case 0x06 -> {
          return operand;
        }
        default -> throw new IllegalStateException("instruction " + code);
      }
    }
  }
}
