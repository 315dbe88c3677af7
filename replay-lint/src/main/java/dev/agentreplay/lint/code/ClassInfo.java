package dev.agentreplay.lint.code;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * The outline of a class: its supertypes and methods without their code.
 *
 * @param name the internal name
 * @param superName the superclass; null for Object
 * @param interfaces the interfaces
 * @param access the access flags
 * @param methods the declared methods
 * @param lambdas the lambdas and method references of interfaces outside of {@code java.*}
 * @param allowances the annotations that suppress findings
 * @param place the place of the class file; null for a class of the JDK or the class path
 * @param file the name of the class file in its place
 * @param descended whether the methods are followed
 */
public record ClassInfo(
    String name,
    @Nullable String superName,
    List<String> interfaces,
    int access,
    List<Method> methods,
    List<LambdaInfo> lambdas,
    List<Allowance> allowances,
    @Nullable ClassPlace place,
    String file,
    boolean descended) {

  /**
   * A declared method.
   *
   * @param name the name
   * @param descriptor the descriptor
   * @param access the access flags
   */
  public record Method(String name, String descriptor, int access) {

    /** Whether the method has no code here. */
    public boolean isAbstract() {
      return (access & Opcodes.ACC_ABSTRACT) != 0;
    }

    /** Whether the method is static. */
    public boolean isStatic() {
      return (access & Opcodes.ACC_STATIC) != 0;
    }

    /** Whether the compiler generated the method. */
    public boolean isSynthetic() {
      return (access & Opcodes.ACC_SYNTHETIC) != 0;
    }

    /** Whether subclasses cannot override the method. */
    public boolean isPrivate() {
      return (access & Opcodes.ACC_PRIVATE) != 0;
    }
  }

  /**
   * A lambda, or method reference.
   *
   * @param type the functional interface
   * @param method the method of the interface
   * @param instantiated the descriptor of that method with the types of the lambda
   * @param body the method that implements it
   * @param isVirtual whether subclasses may override that method
   * @param shift the position in the body of the first argument; -1 for the receiver of an unbound
   *     reference
   */
  public record LambdaInfo(
      String type,
      String method,
      String instantiated,
      MethodRef body,
      boolean isVirtual,
      int shift) {}

  /**
   * An annotation {@code AllowedNondeterminism}.
   *
   * @param method the annotated method; null for the class
   * @param reason the reason
   * @param of the categories and APIs; empty for all
   */
  public record Allowance(@Nullable Method method, String reason, List<String> of) {}

  /** Whether the class is an interface. */
  public boolean isInterface() {
    return (access & Opcodes.ACC_INTERFACE) != 0;
  }

  /** Whether the class cannot have instances of its own. */
  public boolean isAbstract() {
    return (access & Opcodes.ACC_ABSTRACT) != 0;
  }

  /** The declared method with a name and descriptor; null if there is none. */
  public @Nullable Method method(String methodName, String descriptor) {
    for (Method method : methods) {
      if (method.name.equals(methodName) && method.descriptor.equals(descriptor)) {
        return method;
      }
    }
    return null;
  }
}
