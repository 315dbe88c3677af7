package dev.agentreplay.lint.code;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;

/** The bootstrap methods of the instruction invokedynamic. */
final class Lambdas {

  private Lambdas() {}

  static boolean isLambda(Handle bootstrap) {
    return bootstrap.getOwner().equals("java/lang/invoke/LambdaMetafactory");
  }

  static boolean isConcatenation(Handle bootstrap) {
    return bootstrap.getOwner().equals("java/lang/invoke/StringConcatFactory");
  }

  /** Whether the instruction implements a generated method of a record. */
  static boolean isOfRecord(Handle bootstrap) {
    return bootstrap.getOwner().equals("java/lang/runtime/ObjectMethods");
  }

  /** The instruction that calls the method of a handle. */
  static int opcode(Handle handle) {
    return switch (handle.getTag()) {
      case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
      case Opcodes.H_INVOKESPECIAL, Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
      case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
      default -> Opcodes.INVOKEVIRTUAL;
    };
  }

  /** Whether the method of a handle is the one that the class of the receiver has. */
  static boolean isVirtual(Handle handle) {
    return handle.getTag() == Opcodes.H_INVOKEVIRTUAL
        || handle.getTag() == Opcodes.H_INVOKEINTERFACE;
  }

  /** Whether the first captured value, or argument, is the receiver of the method of a handle. */
  static boolean hasReceiver(Handle handle) {
    return isVirtual(handle) || handle.getTag() == Opcodes.H_INVOKESPECIAL;
  }
}
