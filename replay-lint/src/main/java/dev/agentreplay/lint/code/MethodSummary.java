package dev.agentreplay.lint.code;

import dev.agentreplay.lint.code.Creation.Use;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The calls of a method, and the values that it creates. Filled by {@link MethodFlow}, and not
 * changed after it.
 */
public final class MethodSummary {

  private final Set<CallSite> calls = new LinkedHashSet<>();
  private final Map<Integer, Creation> creations = new TreeMap<>();
  private final Map<Integer, Set<Use>> parameters = new TreeMap<>();
  private final Map<String, Integer> initialized = new LinkedHashMap<>();
  private final Map<String, Set<Origin>> stores = new LinkedHashMap<>();
  private final Map<Integer, CallSite> copies = new HashMap<>();
  private boolean followed = true;

  MethodSummary() {}

  /** The calls, in the order of the code. */
  public List<CallSite> calls() {
    return List.copyOf(calls);
  }

  /** The lambdas and objects by the positions of their instructions. */
  public Map<Integer, Creation> creations() {
    return creations;
  }

  /** The uses of a parameter, by its position from 0. */
  public Set<Use> parameter(int position) {
    return followed ? parameters.getOrDefault(position, Set.of()) : Set.of(Use.Direct.STORED);
  }

  /** The uses of the object of an instance method or constructor. */
  public Set<Use> receiver() {
    return parameter(Origin.Parameter.RECEIVER.position());
  }

  /**
   * Whether the values of the method were followed. If not, all that it creates and gets counts as
   * stored, and the order of elements is not known.
   */
  boolean isFollowed() {
    return followed;
  }

  void markUnfollowed() {
    followed = false;
    creations.values().forEach(creation -> creation.uses().add(Use.Direct.STORED));
  }

  /** The classes that are initialized by an access to a static field, with their first lines. */
  public Map<String, Integer> initialized() {
    return initialized;
  }

  /** The order of the values that are stored in each field of the class, as far as it is known. */
  Map<String, Set<Origin>> stores() {
    return stores;
  }

  void call(CallSite call) {
    calls.add(call);
  }

  /** Notes that a call makes a copy that keeps the order of its elements. */
  void copy(int position, CallSite call) {
    copies.put(position, call);
  }

  /** Notes that the order of a copy matters, which makes its call one that iterates. */
  void leave(Origin.Copied copy, Set<Origin> order) {
    CallSite call = copies.get(copy.position());
    if (call != null) {
      calls.add(new CallSite(call.opcode(), call.method(), call.line(), Set.copyOf(order)));
    }
  }

  void use(Value value, Use use) {
    value.origins().forEach(origin -> use(origin, use));
  }

  private void use(Origin origin, Use use) {
    if (origin instanceof Origin.Parameter parameter) {
      parameters
          .computeIfAbsent(parameter.position(), position -> new LinkedHashSet<>())
          .add(use);
    } else if (origin instanceof Origin.Created created) {
      Creation creation = creations.get(created.position());
      if (creation != null) {
        creation.uses().add(use);
      }
    }
  }

  void initialize(String type, int line) {
    initialized.putIfAbsent(type, line);
  }

  void store(String field, Set<Origin> order) {
    // a value of which nothing is known does not lead to a finding
    stores
        .computeIfAbsent(field, name -> new LinkedHashSet<>())
        .addAll(order.isEmpty() ? Set.of(new Origin.Ordered(false)) : order);
  }
}
