package dev.agentreplay.lint.code;

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

  @Override
  public int compareTo(MethodRef other) {
    int byOwner = owner.compareTo(other.owner);
    int byName = byOwner != 0 ? byOwner : name.compareTo(other.name);
    return byName != 0 ? byName : descriptor.compareTo(other.descriptor);
  }
}
