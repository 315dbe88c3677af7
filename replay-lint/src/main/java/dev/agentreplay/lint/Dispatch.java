package dev.agentreplay.lint;

import dev.agentreplay.lint.code.CallSite;
import dev.agentreplay.lint.code.ClassIndex;
import dev.agentreplay.lint.code.ClassInfo;
import dev.agentreplay.lint.code.ClassInfo.LambdaInfo;
import dev.agentreplay.lint.code.Hierarchy;
import dev.agentreplay.lint.code.Hierarchy.Resolved;
import dev.agentreplay.lint.code.MethodRef;
import dev.agentreplay.lint.code.Verdicts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

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
  private final Map<MethodRef, Targets> overridden = new HashMap<>();
  private final Map<MethodRef, Targets> exact = new HashMap<>();
  private final Map<String, List<Resolved>> callbacks = new HashMap<>();

  /**
   * A scanned method that a call may run.
   *
   * @param method the method
   * @param shift the position in the method of the first argument of the call: the number of values
   *     that a lambda captures; -1 if it is the receiver
   */
  record Target(Resolved method, int shift) {}

  /**
   * The scanned methods that a call may run.
   *
   * @param methods the methods, sorted
   * @param takers the methods by the positions that they give to the arguments
   * @param isComplete whether no reference to a method that is not scanned may get the arguments
   */
  private record Targets(List<Resolved> methods, Set<Target> takers, boolean isComplete) {

    static final Targets NONE = new Targets(List.of(), Set.of(), true);
  }

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
    return find(call).methods();
  }

  /** The methods that may get the arguments of a call; null if others may get them, too. */
  @Nullable
  Set<Target> takers(CallSite call) {
    Targets targets = find(call);
    return targets.isComplete() ? targets.takers() : null;
  }

  private Targets find(CallSite call) {
    boolean isVirtual =
        call.opcode() == Opcodes.INVOKEVIRTUAL || call.opcode() == Opcodes.INVOKEINTERFACE;
    if (call.opcode() == Opcodes.GETSTATIC || call.opcode() == Opcodes.PUTSTATIC) {
      return Targets.NONE;
    }
    Map<MethodRef, Targets> known = isVirtual ? overridden : exact;
    Targets targets = known.get(call.method());
    if (targets == null) {
      Search search = new Search();
      if (isVirtual) {
        search.addAllVirtual(call.method());
      } else {
        search.addExact(call.method(), 0);
      }
      targets = search.targets();
      known.put(call.method(), targets);
    }
    return targets;
  }

  private static boolean isFollowed(Resolved resolved) {
    return resolved.type().descended() && !resolved.method().isAbstract();
  }

  /** The search of the targets of one call. */
  private final class Search {

    private final SortedMap<MethodRef, Resolved> methods = new TreeMap<>();
    private final Set<Target> takers = new LinkedHashSet<>();
    private final Deque<Reference> pending = new ArrayDeque<>();
    private final Set<Reference> seen = new HashSet<>();
    private boolean isComplete = true;

    /** A call through method references, which may refer to each other. */
    private record Reference(MethodRef method, int shift) {}

    Targets targets() {
      return new Targets(List.copyOf(methods.values()), takers, isComplete);
    }

    private void add(@Nullable Resolved resolved, int shift) {
      if (resolved != null && isFollowed(resolved)) {
        methods.put(resolved.ref(), resolved);
        takers.add(new Target(resolved, shift));
      }
    }

    void addExact(MethodRef method, int shift) {
      add(hierarchy.resolve(method.owner(), method.name(), method.descriptor()), shift);
    }

    void addAllVirtual(MethodRef method) {
      pending.add(new Reference(method, 0));
      while (!pending.isEmpty()) {
        Reference next = pending.remove();
        if (seen.add(next)) {
          addVirtual(next.method(), next.shift());
        }
      }
    }

    private void addVirtual(MethodRef method, int shift) {
      ClassInfo owner = index.find(method.owner());
      boolean isForeign = owner == null || !owner.descended();
      if ((isForeign && isOfJdk(method.owner())) || verdicts.isOfBoundary(method)) {
        return;
      }
      Resolved inherited = hierarchy.resolve(method.owner(), method.name(), method.descriptor());
      add(inherited, shift);
      if (method.owner().equals(OBJECT)
          || (inherited != null && inherited.method().isPrivate())) {
        return;
      }
      for (ClassInfo subtype : subtypes.getOrDefault(method.owner(), List.of())) {
        if (!subtype.isInterface() && !subtype.isAbstract()) {
          add(hierarchy.resolve(subtype.name(), method.name(), method.descriptor()), shift);
        }
        addLambdas(subtype.name(), method, shift);
      }
      if (owner == null || !owner.isInterface() || subtypes.get(method.owner()) == null) {
        addLambdas(method.owner(), method, shift);
      }
    }

    private void addLambdas(String type, MethodRef method, int shift) {
      for (LambdaInfo lambda : lambdas.getOrDefault(type, List.of())) {
        if (lambda.method().equals(method.name())
            && Type.getArgumentCount(lambda.instantiated())
                == Type.getArgumentCount(method.descriptor())) {
          MethodRef body = lambda.body();
          if (lambda.isVirtual()) {
            pending.add(new Reference(body, shift + lambda.shift()));
          } else {
            addExact(body, shift + lambda.shift());
          }
          isComplete &= isScanned(body) || verdicts.isOfBoundary(body);
        }
      }
    }

    private boolean isScanned(MethodRef method) {
      Resolved resolved = hierarchy.resolve(method.owner(), method.name(), method.descriptor());
      return resolved != null && resolved.type().descended();
    }
  }

  static boolean isOfJdk(String name) {
    return name.startsWith("java/") || name.startsWith("javax/") || name.startsWith("jdk/");
  }

  private static void add(@Nullable Resolved resolved, Map<MethodRef, Resolved> targets) {
    if (resolved != null && isFollowed(resolved)) {
      targets.put(resolved.ref(), resolved);
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

  /** The callbacks of the classes of which the object of a method may be. */
  List<Resolved> callbacksOfReceiver(Resolved method) {
    SortedMap<MethodRef, Resolved> found = new TreeMap<>();
    for (ClassInfo type : subtypes.getOrDefault(method.type().name(), List.of())) {
      if (!type.isInterface() && !type.isAbstract()) {
        callbacks(type.name()).forEach(callback -> found.put(callback.ref(), callback));
      }
    }
    return List.copyOf(found.values());
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
