package dev.agentreplay.lint.code;

import dev.agentreplay.lint.code.Creation.Use;
import dev.agentreplay.lint.pattern.Directive;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Applies calls to a frame, and notes them with the orders that they depend on. */
final class CallEffects {

  private static final String OBJECT = "java/lang/Object";

  /** The methods that convert an argument to text, besides concatenation. */
  private static final Set<MethodRef> TO_TEXT = Set.of(
      new MethodRef("java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;"),
      new MethodRef(
          "java/lang/StringBuilder", "append", "(Ljava/lang/Object;)Ljava/lang/StringBuilder;"));

  private final OrderRules rules;
  private final MethodSummary summary;
  private final KeptCopies copies;
  private final CollectorOrder collectors;

  /**
   * A call with its values.
   *
   * @param flow the directive of the patterns for the method; null if they have none
   * @param receiver the receiver; null if it has none
   */
  private record Call(
      MethodRef method, @Nullable Directive flow, @Nullable Value receiver, List<Value> arguments) {

    boolean isCollected() {
      return flow == Directive.COLLECTS && receiver != null && !arguments.isEmpty();
    }

    Type result() {
      return Type.getReturnType(method.descriptor());
    }
  }

  CallEffects(OrderRules rules, MethodSummary summary, KeptCopies copies) {
    this.rules = rules;
    this.summary = summary;
    this.copies = copies;
    collectors = new CollectorOrder(rules, summary.creations());
  }

  void apply(Insn.Call insn, int index, int line, Frame frame) {
    Call call = pop(insn, frame);
    Set<Origin> collector =
        call.isCollected() ? ElementOrder.of(call.arguments().get(0)) : Set.of();
    Set<Origin> operands = operands(call);
    boolean iterates = iterates(call, collector);
    boolean isArray = call.result().getSort() == Type.ARRAY && iterates;
    CallSite plain =
        new CallSite(insn.opcode(), ofObject(call.method(), call.receiver()), line, Set.of());
    CallSite site = iterates && !isArray
        ? new CallSite(plain.opcode(), plain.method(), line, Set.copyOf(operands))
        : plain;
    summary.call(site);
    use(call, site);
    Set<Origin> order = isArray ? operands : order(call, collector, operands);
    change(call, index, plain, frame);
    if (isArray || isCopy(call, collector)) {
      order = copies.copy(index, plain, order);
    }
    push(call, isArray, order, index, frame);
  }

  private Call pop(Insn.Call insn, Frame frame) {
    MethodRef method = insn.method();
    int count = Type.getArgumentCount(method.descriptor());
    List<Value> arguments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      arguments.add(0, frame.pop());
    }
    Value receiver = insn.opcode() == Opcodes.INVOKESTATIC ? null : frame.pop();
    return new Call(method, rules.flow(method), receiver, arguments);
  }

  /** The order of the values on which the result depends. */
  private Set<Origin> operands(Call call) {
    return call.flow() == Directive.CONVERTS
        ? converted(call.arguments())
        : ElementOrder.operands(
            rules.ofType(call.method().owner()),
            call.receiver(),
            call.isCollected() ? List.of() : call.arguments());
  }

  /** The order of arguments that are written as JSON, whose objects have none. */
  private Set<Origin> converted(List<Value> arguments) {
    List<Value> others = new ArrayList<>(arguments);
    others.removeIf(rules::isMap);
    Set<Origin> order = ElementOrder.operands(null, null, others);
    order.removeIf(Origin.OfMap.class::isInstance);
    return order;
  }

  private boolean iterates(Call call, Set<Origin> collector) {
    return call.isCollected()
        ? CollectorOrder.depends(collector)
        : call.flow() == Directive.CONVERTS
            || (call.flow() == Directive.ITERATES
                && !collectors.accumulatorCommutes(call.method(), call.arguments()));
  }

  /**
   * The method of the receiver's class instead of that of Object, which compilers name in any case
   * (JLS 13.1).
   */
  private static MethodRef ofObject(MethodRef method, @Nullable Value receiver) {
    return receiver != null
            && receiver.type() != null
            && method.owner().equals(OBJECT)
            && !method.name().equals(MethodRef.INIT)
        ? new MethodRef(receiver.type(), method.name(), method.descriptor())
        : method;
  }

  private void use(Call call, CallSite site) {
    List<Value> arguments = call.arguments();
    if (TO_TEXT.contains(call.method())) {
      text(arguments.get(0), site.line());
    } else {
      copies.pass(call.method(), call.flow(), call.receiver(), arguments);
    }
    for (int i = 0; i < arguments.size(); i++) {
      summary.use(arguments.get(i), new Use.Passed(site, i));
    }
    if (call.receiver() != null && !call.method().name().equals(MethodRef.INIT)) {
      summary.use(call.receiver(), new Use.Called(site));
    }
  }

  /** The order of the result. */
  private Set<Origin> order(Call call, Set<Origin> collector, Set<Origin> operands) {
    if (call.isCollected()) {
      return CollectorOrder.collected(collector, operands);
    }
    return CollectorOrder.returnsCollector(call.method())
        ? collectors.of(call.method(), call.flow(), call.arguments())
        : ElementOrder.result(call.flow(), call.method(), operands);
  }

  /** Fills or sorts a collection. */
  private void change(Call call, int index, CallSite site, Frame frame) {
    Value receiver = call.receiver();
    List<Value> arguments = call.arguments();
    if (call.flow() == Directive.FILLS && receiver != null) {
      Set<Origin> elements = ElementOrder.operands(null, null, arguments);
      ElementOrder.fill(
          receiver,
          rules.ofType(call.method().owner()),
          KeptCopies.isFilled(receiver) ? copies.copy(index, site, elements) : elements,
          frame);
    } else if (call.flow() == Directive.SORTS && (receiver != null || !arguments.isEmpty())) {
      ElementOrder.sort(receiver == null ? arguments.get(0) : receiver, frame);
    }
  }

  private static boolean isCopy(Call call, Set<Origin> collector) {
    return call.result().getSort() == Type.OBJECT
        && KeptCopies.isCopy(call.flow(), collector, call.result());
  }

  private static void push(Call call, boolean isArray, Set<Origin> order, int index, Frame frame) {
    Type result = call.result();
    if (isArray || result.getSort() == Type.OBJECT) {
      Set<Origin> origins =
          call.flow() == null ? order : ElementOrder.union(Set.of(new Origin.Result(index)), order);
      frame.push(Value.of(origins, result.getInternalName()));
    } else if (result.getSort() != Type.VOID) {
      frame.push(ofType(result));
    }
  }

  static Value ofType(Type type) {
    return switch (type.getSort()) {
      case Type.LONG, Type.DOUBLE -> Value.WIDE;
      case Type.OBJECT, Type.ARRAY -> Value.of(Set.of(), type.getInternalName());
      default -> Value.UNKNOWN;
    };
  }

  /** A conversion to text calls {@code toString()}, which iterates collections. */
  void text(Value value, int line) {
    String type = value.type() == null ? OBJECT : value.type();
    Set<Origin> order = ElementOrder.of(value);
    Origin ofType = rules.ofType(type);
    if (order.isEmpty() && ofType != null) {
      order.add(ofType);
    }
    if (!order.isEmpty() || !(type.equals("java/lang/String") || type.equals(OBJECT))) {
      MethodRef method = new MethodRef(type, "toString", "()Ljava/lang/String;");
      summary.call(new CallSite(Opcodes.INVOKEVIRTUAL, method, line, Set.copyOf(order)));
    }
  }
}
