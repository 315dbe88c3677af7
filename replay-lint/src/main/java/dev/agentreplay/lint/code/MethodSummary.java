package dev.agentreplay.lint.code;

import dev.agentreplay.lint.code.Creation.Use;
import java.util.ArrayList;
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
  private final Map<Integer, Set<CallSite>> copies = new TreeMap<>();
  private final Set<Integer> sorted = new LinkedHashSet<>();

  MethodSummary() {}

  /** The calls, in the order of the code. */
  public List<CallSite> calls() {
    Set<CallSite> ofSorted = new LinkedHashSet<>();
    sorted.forEach(position -> ofSorted.addAll(copies.getOrDefault(position, Set.of())));
    List<CallSite> all = new ArrayList<>();
    for (CallSite call : calls) {
      all.add(
          ofSorted.contains(call)
              ? new CallSite(call.opcode(), call.method(), call.line(), Set.of())
              : call);
    }
    return all;
  }

  /** The lambdas and objects by the positions of their instructions. */
  public Map<Integer, Creation> creations() {
    return creations;
  }

  /** The uses of a parameter, by its position from 0. */
  public Set<Use> parameter(int position) {
    return parameters.getOrDefault(position, Set.of());
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

  /** Notes that a call copies elements to an array, whose order matters unless it is sorted. */
  void copy(int position, CallSite call) {
    copies.computeIfAbsent(position, key -> new LinkedHashSet<>()).add(call);
  }

  /** Notes that an array is sorted. */
  void sort(Origin.Copied array) {
    sorted.add(array.position());
  }

  void use(Origin origin, Use use) {
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
