package dev.agentreplay.lint.code;

import dev.agentreplay.lint.pattern.Directive;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * The order of what collectors make of a stream, and the functions whose result does not depend on
 * the order of their calls. Functions are known by method references: lambdas are not looked into.
 */
final class CollectorOrder {

  private static final String COLLECTOR = "java/util/stream/Collector";
  private static final String FUNCTION = "java/util/function/Function";
  private static final String SUPPLIER = "java/util/function/Supplier";
  private static final String BINARY_OPERATOR = "java/util/function/BinaryOperator";
  private static final String BINARY_FUNCTION = "java/util/function/BiFunction";

  private final OrderRules rules;
  private final Map<Integer, Creation> creations;

  CollectorOrder(OrderRules rules, Map<Integer, Creation> creations) {
    this.rules = rules;
    this.creations = creations;
  }

  /** Whether a method returns a collector. */
  static boolean returnsCollector(MethodRef method) {
    return isOf(Type.getReturnType(method.descriptor()), COLLECTOR);
  }

  /** Whether the first function of two arguments, the accumulator, commutes. */
  boolean accumulatorCommutes(MethodRef method, List<Value> arguments) {
    Type[] types = Type.getArgumentTypes(method.descriptor());
    for (int i = 0; i < types.length; i++) {
      if (isOf(types[i], BINARY_OPERATOR) || isOf(types[i], BINARY_FUNCTION)) {
        return commutes(arguments.get(i));
      }
    }
    return false;
  }

  /** The order of the result of a method that returns a collector. */
  Set<Origin> of(MethodRef method, @Nullable Directive flow, List<Value> arguments) {
    if (flow == null || flow == Directive.COMMUTES) {
      return flow == null ? Set.of() : Set.of(Origin.Treatment.COMMUTES);
    }
    Type[] types = Type.getArgumentTypes(method.descriptor());
    Origin ofSupplier = null;
    Set<Origin> downstream = null;
    Set<Origin> passed = new LinkedHashSet<>();
    boolean depends = false;
    for (int i = 0; i < types.length; i++) {
      Value argument = arguments.get(i);
      if (isOf(types[i], BINARY_OPERATOR)) {
        depends |= !commutes(argument);
        passed.add(Origin.Treatment.COMMUTES);
      } else if (isOf(types[i], SUPPLIER)) {
        ofSupplier = created(argument);
      } else if (isOf(types[i], COLLECTOR)) {
        downstream = ElementOrder.of(argument);
        passed.addAll(downstream);
      } else if (isOf(types[i], FUNCTION) && downstream != null) {
        passed = finished(downstream, argument);
      }
    }
    // the elements of groups have the order of the stream, as in groupingBy(Function)
    boolean isGrouped = downstream != null || (types.length == 1 && isOf(types[0], FUNCTION));
    Set<Origin> order = new LinkedHashSet<>();
    if (flow == Directive.PASSES) {
      order.addAll(passed);
    } else {
      depends |= isGrouped && (downstream == null || !isIndependent(downstream));
      order.addAll(
          flow == Directive.KEEPS
              ? Set.of(ofSupplier == null ? Origin.Treatment.KEEPS : ofSupplier)
              : ElementOrder.result(flow, method, Set.of()));
    }
    if (depends) {
      order.add(Origin.Treatment.DEPENDS);
    }
    return order;
  }

  /** Whether what a collector makes depends on the order of the stream, and does not keep it. */
  static boolean depends(Set<Origin> collector) {
    return (!collector.contains(Origin.Treatment.KEEPS) && !isIndependent(collector))
        || collector.contains(Origin.Treatment.DEPENDS);
  }

  /** The order of what a collector makes of a stream. */
  static Set<Origin> collected(Set<Origin> collector, Set<Origin> ofStream) {
    Set<Origin> order = new LinkedHashSet<>(collector);
    order.removeIf(Origin.Treatment.class::isInstance);
    if (collector.contains(Origin.Treatment.KEEPS)) {
      order.addAll(ofStream);
    }
    return order;
  }

  /** Whether what a collector makes does not depend on the order, but for its own. */
  private static boolean isIndependent(Set<Origin> collector) {
    return !collector.contains(Origin.Treatment.DEPENDS)
        && !collector.contains(Origin.Treatment.KEEPS)
        && collector.stream()
            .anyMatch(origin -> origin == Origin.Treatment.COMMUTES || ElementOrder.isOwn(origin));
  }

  /** The order of what a function makes of the result of a collector. */
  private Set<Origin> finished(Set<Origin> collector, Value function) {
    if (collector.equals(Set.of(Origin.Treatment.COMMUTES))
        || collector.equals(Set.of(new Origin.Ordered(true)))) {
      return Set.of(Origin.Treatment.COMMUTES);
    }
    MethodRef body = reference(function);
    Directive flow = body == null ? null : rules.flow(body);
    Origin created = created(function);
    if (created != null) {
      return Set.of(created);
    }
    if (body == null || flow == null) {
      return Set.of(Origin.Treatment.DEPENDS);
    }
    return switch (flow) {
      case PASSES, FILLS -> collector;
      case COMMUTES -> Set.of(Origin.Treatment.COMMUTES);
      case SOURCE -> ElementOrder.result(flow, body, Set.of());
      default -> Set.of(Origin.Treatment.DEPENDS);
    };
  }

  private boolean commutes(Value function) {
    MethodRef body = reference(function);
    return body != null && rules.flow(body) == Directive.COMMUTES;
  }

  /** The order of the collection that a reference to a constructor creates; null for others. */
  private @Nullable Origin created(Value function) {
    MethodRef body = reference(function);
    Origin order =
        body != null && body.name().equals(MethodRef.INIT) ? rules.ofType(body.owner()) : null;
    return ElementOrder.isOwn(order) ? order : null;
  }

  /** The method that implements a function; null if it is not known. */
  private @Nullable MethodRef reference(Value function) {
    if (function.origins().size() == 1
        && function.origins().iterator().next() instanceof Origin.Created created) {
      Creation creation = creations.get(created.position());
      CallSite body = creation == null ? null : creation.body();
      return body == null ? null : body.method();
    }
    return null;
  }

  private static boolean isOf(Type type, String name) {
    return type.getSort() == Type.OBJECT && type.getInternalName().equals(name);
  }
}
