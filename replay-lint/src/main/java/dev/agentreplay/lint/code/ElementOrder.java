package dev.agentreplay.lint.code;

import dev.agentreplay.lint.pattern.Directive;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The order of the elements of collections and streams, and how calls pass it on. */
final class ElementOrder {

  private ElementOrder() {}

  /** The origins of a value that say something of its order. */
  static Set<Origin> of(Value value) {
    Set<Origin> order = new LinkedHashSet<>();
    for (Origin origin : value.origins()) {
      if (origin.isOfOrder()) {
        order.add(origin);
      }
    }
    return order;
  }

  /** The order of a map that is an element of an array. */
  static Set<Origin> ofMap(Set<Origin> order) {
    Set<Origin> ofMap = new LinkedHashSet<>();
    for (Origin origin : order) {
      ofMap.add(origin instanceof Origin.OfMap ? origin : new Origin.OfMap(origin));
    }
    return ofMap;
  }

  /** Whether a collection has an order that is not the one in which it is filled. */
  static boolean isOwn(@Nullable Origin ofType) {
    return ofType instanceof Origin.Unordered || new Origin.Ordered(true).equals(ofType);
  }

  /** The order of a value that is converted to a sorted type; the value itself for others. */
  static Value cast(Value value, String type, @Nullable Origin ofType) {
    Value cast = value.withType(type);
    if (!new Origin.Ordered(true).equals(ofType)) {
      return cast;
    }
    Set<Origin> origins = new LinkedHashSet<>(value.origins());
    origins.removeIf(Origin::isOfOrder);
    origins.add(ofType);
    return Value.of(origins, type);
  }

  /** The order of receiver and arguments, as far as it is known. */
  static Set<Origin> operands(
      @Nullable Origin ofOwner, @Nullable Value receiver, List<Value> arguments) {
    Set<Origin> operands = new LinkedHashSet<>();
    if (receiver != null) {
      operands.addAll(of(receiver));
      if (operands.isEmpty() && ofOwner != null) {
        operands.add(ofOwner);
      }
    }
    arguments.forEach(argument -> operands.addAll(of(argument)));
    return operands;
  }

  /** The order of the result of a call. */
  static Set<Origin> result(@Nullable Directive flow, MethodRef method, Set<Origin> operands) {
    if (flow == null) {
      return Set.of();
    }
    return switch (flow) {
      case SOURCE ->
        Set.of(new Origin.Unordered(
            method.owner().replace('/', '.').replace('$', '.') + "." + method.name()));
      case PASSES -> operands;
      case ORDERED, SORTS -> Set.of(new Origin.Ordered(false));
      default -> Set.of();
    };
  }

  /**
   * Gives a receiver, and all copies of it in a frame, the order of elements, unless it is sorted.
   */
  static void fill(Value receiver, @Nullable Origin ofType, Set<Origin> elements, Frame frame) {
    Origin sorted = new Origin.Ordered(true);
    if (sorted.equals(ofType) || receiver.origins().contains(sorted)) {
      return;
    }
    Set<Origin> order = new LinkedHashSet<>(elements);
    order.removeIf(
        origin -> origin instanceof Origin.Ordered || origin instanceof Origin.Treatment);
    if (!order.isEmpty()) {
      Set<Origin> same = receiver.identity();
      Set<Origin> added = filled(of(receiver), order);
      frame.change(
          identity -> !Collections.disjoint(identity, same), origins -> union(origins, added));
    }
  }

  /** The order of elements that are added to a value, which may be that of a field. */
  private static Set<Origin> filled(Set<Origin> receiver, Set<Origin> order) {
    if (receiver.isEmpty() || !receiver.stream().allMatch(ElementOrder::isOfField)) {
      return order;
    }
    Set<Origin> filled = new LinkedHashSet<>();
    for (Origin target : receiver) {
      if (target instanceof Origin.FieldValue field) {
        for (Origin origin : order) {
          filled.add(filled(field, origin));
        }
      }
    }
    return filled;
  }

  private static Origin filled(Origin.FieldValue field, Origin order) {
    if (order instanceof Origin.Copied) {
      return order;
    }
    return new Origin.Filled(field, order instanceof Origin.Filled other ? other.order() : order);
  }

  private static boolean isOfField(Origin origin) {
    return origin instanceof Origin.FieldValue
        || origin instanceof Origin.Filled
        || origin instanceof Origin.Copied;
  }

  /**
   * Gives a value, and all copies of it in a frame, an order. Values that are only equal in their
   * order, such as the set of which it is a copy, keep theirs.
   */
  static void sort(Value sorted, Frame frame) {
    Set<Origin> same = sorted.identity();
    frame.change(identity -> !same.isEmpty() && identity.equals(same), origins -> {
      Set<Origin> ordered = new LinkedHashSet<>(origins);
      ordered.removeIf(Origin::isOfOrder);
      ordered.add(new Origin.Ordered(false));
      return ordered;
    });
  }

  static Set<Origin> union(Set<Origin> some, Set<Origin> others) {
    Set<Origin> all = new LinkedHashSet<>(some);
    all.addAll(others);
    return all;
  }
}
