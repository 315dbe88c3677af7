package dev.agentreplay.lint.code;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The supertypes of classes, and the methods that they inherit. */
public final class Hierarchy {

  private static final String OBJECT = "java/lang/Object";

  private final ClassIndex index;
  private final Map<String, List<String>> supertypes = new HashMap<>();
  private final Set<String> unresolved = new TreeSet<>();

  /** Creates a hierarchy of the classes of an index. */
  public Hierarchy(ClassIndex index) {
    this.index = index;
  }

  /**
   * A method with the class that declares it.
   *
   * @param type the class
   * @param method the method
   */
  public record Resolved(ClassInfo type, ClassInfo.Method method) {

    /** The method by its name. */
    public MethodRef ref() {
      return new MethodRef(type.name(), method.name(), method.descriptor());
    }
  }

  /** The classes that were looked for and found nowhere, sorted. */
  public Set<String> unresolved() {
    return unresolved;
  }

  /**
   * Returns a class and its supertypes in the order in which methods are looked for: the class, its
   * superclasses, then their interfaces.
   */
  public List<String> supertypes(String name) {
    List<String> known = supertypes.get(name);
    if (known == null) {
      known = List.copyOf(find(name));
      supertypes.put(name, known);
    }
    return known;
  }

  private Set<String> find(String name) {
    Set<String> classes = new LinkedHashSet<>();
    Deque<String> interfaces = new ArrayDeque<>();
    for (String next = name; next != null && classes.add(next); ) {
      ClassInfo type = require(next);
      if (type == null) {
        break;
      }
      interfaces.addAll(type.interfaces());
      next = next.startsWith("[") ? OBJECT : type.superName();
      if (type.isInterface()) {
        next = null;
      }
    }
    boolean hasObject = classes.remove(OBJECT);
    Set<String> all = new LinkedHashSet<>(classes);
    while (!interfaces.isEmpty()) {
      String next = interfaces.remove();
      if (all.add(next)) {
        ClassInfo type = require(next);
        if (type != null) {
          interfaces.addAll(type.interfaces());
        }
      }
    }
    ClassInfo type = index.find(name);
    if (hasObject || (type != null && type.isInterface())) {
      all.add(OBJECT);
    }
    return all;
  }

  private @Nullable ClassInfo require(String name) {
    ClassInfo type = index.find(name);
    if (type == null) {
      unresolved.add(name);
    }
    return type;
  }

  /**
   * Returns the method that a class has or inherits, one with code if there is one; null if none is
   * found.
   */
  public @Nullable Resolved resolve(String owner, String name, String descriptor) {
    Resolved first = null;
    for (String supertype : supertypes(owner)) {
      ClassInfo type = index.find(supertype);
      ClassInfo.Method method = type == null ? null : type.method(name, descriptor);
      if (type != null && method != null) {
        Resolved resolved = new Resolved(type, method);
        if (!method.isAbstract()) {
          return resolved;
        }
        first = first == null ? resolved : first;
      }
    }
    return first;
  }
}
