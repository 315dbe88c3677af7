package dev.agentreplay.lint.code;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.Type;

/**
 * A method, or its use.
 *
 * @param owner the internal name of the class, with slashes
 * @param name the name
 * @param descriptor the descriptor
 */
public record MethodRef(String owner, String name, String descriptor)
    implements Comparable<MethodRef> {

  /** The name of a static initializer. */
  public static final String CLINIT = "<clinit>";

  /** The name of a constructor. */
  public static final String INIT = "<init>";

  /** The method in the spelling of patterns, such as {@code java.lang.System.nanoTime()}. */
  public String text() {
    String member = owner.replace('/', '.').replace('$', '.') + "." + name;
    return descriptor.startsWith("(") ? member + parameters() : member;
  }

  /** The parameters in the spelling of patterns, with parentheses. */
  public String parameters() {
    return Stream.of(Type.getArgumentTypes(descriptor))
        .map(type -> type.getClassName().replace('$', '.'))
        .collect(Collectors.joining(", ", "(", ")"));
  }

  @Override
  public int compareTo(MethodRef other) {
    int byOwner = owner.compareTo(other.owner);
    int byName = byOwner != 0 ? byOwner : name.compareTo(other.name);
    return byName != 0 ? byName : descriptor.compareTo(other.descriptor);
  }
}
