package dev.agentreplay.lint.code;

import dev.agentreplay.lint.pattern.Directive;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Lists and arrays that keep the order of a collection without one. Their types promise an order,
 * so a copy that leaves the method before it is sorted is reported at the call that makes it: it is
 * returned, stored, captured, or passed to a method of which no pattern says what it does with the
 * order. Maps are not copies: the members of JSON objects have no order either.
 */
final class KeptCopies {

  private static final Set<String> ANY_ORDER =
      Set.of("java/util/Collection", "java/util/Set", "java/util/Map");

  private final OrderRules rules;
  private final MethodSummary summary;

  KeptCopies(OrderRules rules, MethodSummary summary) {
    this.rules = rules;
    this.summary = summary;
  }

  /** The order of a copy that a call makes of elements in an order. */
  Set<Origin> copy(int index, CallSite call, Set<Origin> order) {
    Set<Origin> copied = new LinkedHashSet<>(order);
    copied.removeIf(Origin.Copied.class::isInstance);
    if (copied.stream().anyMatch(KeptCopies::mayLackOrder)) {
      copied.add(new Origin.Copied(index));
      summary.copy(index, call);
    }
    return copied;
  }

  private static boolean mayLackOrder(Origin origin) {
    return origin instanceof Origin.Unordered
        || origin instanceof Origin.FieldValue
        || origin instanceof Origin.Filled;
  }

  /** Whether a call makes a copy of what it passes on. */
  static boolean isCopy(@Nullable Directive flow, Set<Origin> collector, Type result) {
    return flow == Directive.COLLECTS
        ? collector.contains(Origin.Treatment.KEEPS)
        : flow == Directive.PASSES && result.getInternalName().equals("java/util/List");
  }

  /** Whether a receiver that is filled keeps the order in which it is filled. */
  static boolean isFilled(Value receiver) {
    return receiver.origins().stream().anyMatch(Origin.Created.class::isInstance)
        && receiver.origins().stream().noneMatch(Origin.Unordered.class::isInstance);
  }

  /** Notes that a value leaves the method, or that its elements are read. */
  void leave(Value value) {
    Set<Origin> order = ElementOrder.of(value);
    order.removeIf(origin -> !mayLackOrder(origin));
    if (order.isEmpty() || rules.isMap(value)) {
      return;
    }
    for (Origin origin : value.origins()) {
      if (origin instanceof Origin.Copied copy) {
        summary.leave(copy, order);
      }
    }
  }

  /** Notes the copies among the arguments of a call that leave the method with it. */
  void pass(
      MethodRef method, @Nullable Directive flow, @Nullable Value receiver, List<Value> arguments) {
    if (receiver != null && method.owner().startsWith("[")) {
      leave(receiver);
    }
    Type[] types = Type.getArgumentTypes(method.descriptor());
    for (int i = 0; i < types.length; i++) {
      if (leaves(method, flow, receiver, types[i])) {
        leave(arguments.get(i));
      }
    }
  }

  private boolean leaves(
      MethodRef method, @Nullable Directive flow, @Nullable Value receiver, Type parameter) {
    Origin ofOwner = rules.ofType(method.owner());
    if (flow == null) {
      return !method.name().equals(MethodRef.INIT) || !ElementOrder.isOwn(ofOwner);
    }
    return switch (flow) {
      // an element of a collection, in contrast to a collection of which the elements are taken
      case SOURCE, ORDERED -> parameter.getDescriptor().equals("Ljava/lang/Object;");
      case FILLS ->
        receiver != null
            && receiver.origins().stream().noneMatch(Origin.Created.class::isInstance)
            && ofOwner == null
            && !ANY_ORDER.contains(method.owner());
      default -> false;
    };
  }

  /** Notes what a lambda captures. A reference to a method of a value only calls that method. */
  void capture(MethodRef body, List<Value> captured) {
    if (body.name().startsWith("lambda$") || rules.flow(body) == Directive.ITERATES) {
      captured.forEach(this::leave);
    }
  }
}
