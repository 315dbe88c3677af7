package dev.agentreplay.lint;

import dev.agentreplay.lint.code.CallSite;
import dev.agentreplay.lint.code.ClassIndex;
import dev.agentreplay.lint.code.ClassInfo;
import dev.agentreplay.lint.code.ClassInfo.LambdaInfo;
import dev.agentreplay.lint.code.Hierarchy;
import dev.agentreplay.lint.code.Hierarchy.Resolved;
import dev.agentreplay.lint.code.MethodRef;
import dev.agentreplay.lint.code.Verdicts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * The scanned methods that a call may run, by class hierarchy analysis: the method of the class,
 * and those that override it in scanned subtypes. Calls of the JDK's own types have none: an object
 * that an agent gives to the JDK is followed from where it is created.
 */
final class Dispatch {

  private static final String OBJECT = "java/lang/Object";

  private final ClassIndex index;
  private final Hierarchy hierarchy;
  private final Verdicts verdicts;
  private final Map<String, List<ClassInfo>> subtypes;
  private final Map<String, List<LambdaInfo>> lambdas = new HashMap<>();
  private final Map<MethodRef, List<Resolved>> overridden = new HashMap<>();
  private final Map<MethodRef, List<Resolved>> exact = new HashMap<>();
  private final Map<String, List<Resolved>> callbacks = new HashMap<>();

  Dispatch(ClassIndex index, Hierarchy hierarchy, Verdicts verdicts) {
    this.index = index;
    this.hierarchy = hierarchy;
    this.verdicts = verdicts;
    subtypes = index.subtypes(hierarchy);
    for (ClassInfo type : index.scanned()) {
      type.lambdas()
          .forEach(lambda ->
              lambdas.computeIfAbsent(lambda.type(), name -> new ArrayList<>()).add(lambda));
    }
  }

  /** The methods that a call may run, sorted. */
  List<Resolved> targets(CallSite call) {
    boolean isVirtual =
        call.opcode() == Opcodes.INVOKEVIRTUAL || call.opcode() == Opcodes.INVOKEINTERFACE;
    if (call.opcode() == Opcodes.GETSTATIC || call.opcode() == Opcodes.PUTSTATIC) {
      return List.of();
    }
    Map<MethodRef, List<Resolved>> known = isVirtual ? overridden : exact;
    List<Resolved> targets = known.get(call.method());
    if (targets == null) {
      targets = isVirtual ? virtual(call.method()) : exact(call.method());
      known.put(call.method(), targets);
    }
    return targets;
  }

  private List<Resolved> exact(MethodRef method) {
    Resolved resolved = hierarchy.resolve(method.owner(), method.name(), method.descriptor());
    return resolved != null && isFollowed(resolved) ? List.of(resolved) : List.of();
  }

  private static boolean isFollowed(Resolved resolved) {
    return resolved.type().descended() && !resolved.method().isAbstract();
  }

  private List<Resolved> virtual(MethodRef method) {
    ClassInfo owner = index.find(method.owner());
    boolean isForeign = owner == null || !owner.descended();
    if ((isForeign && isOfJdk(method.owner())) || verdicts.isOfBoundary(method)) {
      return List.of();
    }
    SortedMap<MethodRef, Resolved> targets = new TreeMap<>();
    Resolved inherited = hierarchy.resolve(method.owner(), method.name(), method.descriptor());
    add(inherited, targets);
    if (method.owner().equals(OBJECT)
        || (inherited != null && inherited.method().isPrivate())) {
      return List.copyOf(targets.values());
    }
    for (ClassInfo subtype : subtypes.getOrDefault(method.owner(), List.of())) {
      if (!subtype.isInterface() && !subtype.isAbstract()) {
        add(hierarchy.resolve(subtype.name(), method.name(), method.descriptor()), targets);
      }
      addLambdas(subtype.name(), method, targets);
    }
    if (owner == null || !owner.isInterface() || subtypes.get(method.owner()) == null) {
      addLambdas(method.owner(), method, targets);
    }
    return List.copyOf(targets.values());
  }

  static boolean isOfJdk(String name) {
    return name.startsWith("java/") || name.startsWith("javax/") || name.startsWith("jdk/");
  }

  private static void add(@Nullable Resolved resolved, Map<MethodRef, Resolved> targets) {
    if (resolved != null && isFollowed(resolved)) {
      targets.put(resolved.ref(), resolved);
    }
  }

  private void addLambdas(String type, MethodRef method, Map<MethodRef, Resolved> targets) {
    for (LambdaInfo lambda : lambdas.getOrDefault(type, List.of())) {
      if (lambda.method().equals(method.name())) {
        MethodRef body = lambda.body();
        add(hierarchy.resolve(body.owner(), body.name(), body.descriptor()), targets);
      }
    }
  }

  /**
   * The methods of a scanned class that code which is not scanned may call: those that override
   * methods of its types, except for Object and boundaries; all of its methods if a supertype is
   * missing.
   */
  List<Resolved> callbacks(String name) {
    List<Resolved> known = callbacks.get(name);
    if (known == null) {
      known = findCallbacks(name);
      callbacks.put(name, known);
    }
    return known;
  }

  private List<Resolved> findCallbacks(String name) {
    SortedMap<MethodRef, Resolved> found = new TreeMap<>();
    boolean isComplete = true;
    for (String supertype : hierarchy.supertypes(name)) {
      ClassInfo type = index.find(supertype);
      if (verdicts.isBoundary(supertype)) {
        continue;
      }
      if (type == null) {
        isComplete = false;
      } else if (!type.descended() && !supertype.equals(OBJECT)) {
        addOverriding(name, type, found);
      }
    }
    if (!isComplete) {
      addAll(name, found);
    }
    return List.copyOf(found.values());
  }

  /** Adds the methods of a class that override those of a supertype. */
  private void addOverriding(
      String name, ClassInfo supertype, SortedMap<MethodRef, Resolved> found) {
    for (ClassInfo.Method method : supertype.methods()) {
      if (isVirtual(method)) {
        add(hierarchy.resolve(name, method.name(), method.descriptor()), found);
      }
    }
  }

  /** Adds the methods of a class of which a supertype is missing, so that any may be overridden. */
  private void addAll(String name, SortedMap<MethodRef, Resolved> found) {
    for (String supertype : hierarchy.supertypes(name)) {
      ClassInfo type = index.find(supertype);
      if (type == null || !type.descended()) {
        continue;
      }
      for (ClassInfo.Method method : type.methods()) {
        MethodRef ref = new MethodRef(name, method.name(), method.descriptor());
        if (isVirtual(method) && !verdicts.isOfBoundary(ref) && !isDeclaredByObject(ref)) {
          add(hierarchy.resolve(name, method.name(), method.descriptor()), found);
        }
      }
    }
  }

  private static boolean isVirtual(ClassInfo.Method method) {
    return !method.isStatic() && !method.isPrivate() && !method.name().startsWith("<");
  }

  private boolean isDeclaredByObject(MethodRef method) {
    ClassInfo object = index.find(OBJECT);
    return object != null && object.method(method.name(), method.descriptor()) != null;
  }

  /** Whether a class has a method from Object, and does not override it. */
  boolean isOfObject(String name, MethodRef method) {
    Resolved resolved = hierarchy.resolve(name, method.name(), method.descriptor());
    return resolved != null && resolved.type().name().equals(OBJECT);
  }
}
