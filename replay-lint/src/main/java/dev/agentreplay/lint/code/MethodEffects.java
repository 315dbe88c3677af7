package dev.agentreplay.lint.code;

import dev.agentreplay.lint.code.Creation.Use;
import dev.agentreplay.lint.pattern.Directive;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Applies instructions to a frame, and notes the calls and what they do with created values. */
final class MethodEffects {

  private static final String OBJECT = "java/lang/Object";

  /** The methods that convert an argument to text, besides concatenation. */
  private static final Set<MethodRef> TO_TEXT = Set.of(
      new MethodRef("java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;"),
      new MethodRef(
          "java/lang/StringBuilder", "append", "(Ljava/lang/Object;)Ljava/lang/StringBuilder;"));

  private final OrderRules rules;
  private final MethodSummary summary = new MethodSummary();
  private final CollectorOrder collectors;
  private final KeptCopies copies;

  MethodEffects(OrderRules rules) {
    this.rules = rules;
    collectors = new CollectorOrder(rules, summary.creations());
    copies = new KeptCopies(rules, summary);
  }

  MethodSummary summary() {
    return summary;
  }

  void apply(Insn insn, int index, int line, Frame frame) {
    if (insn instanceof Insn.Plain plain) {
      plain(plain.opcode(), frame);
    } else if (insn instanceof Insn.Local local) {
      local(local, frame);
    } else if (insn instanceof Insn.OfType ofType) {
      type(ofType, index, line, frame);
    } else if (insn instanceof Insn.Field field) {
      field(field, index, line, frame);
    } else if (insn instanceof Insn.Call call) {
      call(call, index, line, frame);
    } else if (insn instanceof Insn.Dynamic dynamic) {
      dynamic(dynamic, index, line, frame);
    } else if (insn instanceof Insn.Jump jump) {
      jump(jump.opcode(), frame);
    } else if (insn instanceof Insn.Constant constant) {
      frame.push(constant.wide() ? Value.WIDE : Value.UNKNOWN);
    } else if (insn instanceof Insn.Dimensions array) {
      frame.pop(array.count());
      frame.push(Value.of(Set.of(), "[Ljava/lang/Object;"));
    }
  }

  private void plain(int opcode, Frame frame) {
    if (opcode == Opcodes.AASTORE) {
      store(frame);
      return;
    }
    if (opcode == Opcodes.ARETURN) {
      Value value = frame.pop();
      use(value, Use.Direct.STORED);
      copies.leave(value);
      frame.push(value);
    } else if (opcode == Opcodes.AALOAD) {
      Value position = frame.pop();
      Value array = frame.pop();
      copies.leave(array);
      frame.push(array);
      frame.push(position);
    }
    StackEffect.apply(opcode, frame);
  }

  /** An array gets the order of its elements: it may be one of arguments. */
  private void store(Frame frame) {
    Value value = frame.pop();
    frame.pop();
    Value array = frame.pop();
    use(value, Use.Direct.STORED);
    Set<Origin> order = ElementOrder.of(value);
    Origin ofType = value.type() == null ? null : rules.ofType(value.type());
    if (order.isEmpty() && ofType != null) {
      order.add(ofType);
    }
    if (array.identity().isEmpty()) {
      copies.leave(value);
    }
    if (isMap(value)) {
      order = ElementOrder.ofMap(order);
    }
    ElementOrder.fill(array, null, order, frame);
  }

  private static void local(Insn.Local local, Frame frame) {
    int opcode = local.opcode();
    if (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE) {
      frame.store(local.variable(), frame.pop());
    } else if (opcode == Opcodes.LLOAD || opcode == Opcodes.DLOAD) {
      frame.push(Value.WIDE);
    } else if (opcode == Opcodes.ALOAD) {
      frame.push(frame.local(local.variable()));
    } else if (opcode != Opcodes.RET) {
      frame.push(Value.UNKNOWN);
    }
  }

  private void type(Insn.OfType insn, int index, int line, Frame frame) {
    switch (insn.opcode()) {
      case Opcodes.NEW -> {
        Set<Origin> origins = new LinkedHashSet<>();
        origins.add(new Origin.Created(index));
        Origin order = rules.ofType(insn.type());
        if (order != null) {
          origins.add(order);
        }
        if (!insn.type().startsWith("java/")) {
          summary
              .creations()
              .computeIfAbsent(index, key -> new Creation(insn.type(), null, null, line));
        }
        frame.push(Value.of(origins, insn.type()));
      }
      case Opcodes.CHECKCAST ->
        frame.push(ElementOrder.cast(frame.pop(), insn.type(), rules.ofType(insn.type())));
      case Opcodes.ANEWARRAY -> {
        frame.pop();
        frame.push(Value.of(Set.of(new Origin.Created(index)), "[Ljava/lang/Object;"));
      }
      default -> {
        frame.pop();
        frame.push(Value.UNKNOWN);
      }
    }
  }

  private void field(Insn.Field field, int index, int line, Frame frame) {
    boolean isStatic = field.opcode() == Opcodes.GETSTATIC || field.opcode() == Opcodes.PUTSTATIC;
    boolean isStore = field.opcode() == Opcodes.PUTFIELD || field.opcode() == Opcodes.PUTSTATIC;
    if (isStatic) {
      summary.initialize(field.owner(), line);
      MethodRef ref = new MethodRef(field.owner(), field.name(), field.descriptor());
      if (rules.isReported(ref)) {
        summary.call(new CallSite(field.opcode(), ref, line, Set.of()));
      }
    }
    if (isStore) {
      Value value = frame.pop();
      use(value, Use.Direct.STORED);
      copies.leave(value);
      Set<Origin> order = ElementOrder.of(value);
      order.removeIf(Origin.Copied.class::isInstance);
      summary.store(field.owner() + "." + field.name(), order);
    }
    if (!isStatic) {
      frame.pop();
    }
    if (!isStore) {
      Type type = Type.getType(field.descriptor());
      frame.push(
          type.getSort() == Type.OBJECT
              ? Value.of(
                  Set.of(
                      new Origin.Result(index), new Origin.FieldValue(field.owner(), field.name())),
                  type.getInternalName())
              : ofType(type));
    }
  }

  private static Value ofType(Type type) {
    return switch (type.getSort()) {
      case Type.LONG, Type.DOUBLE -> Value.WIDE;
      case Type.OBJECT, Type.ARRAY -> Value.of(Set.of(), type.getInternalName());
      default -> Value.UNKNOWN;
    };
  }

  private void call(Insn.Call insn, int index, int line, Frame frame) {
    MethodRef method = insn.method();
    int count = Type.getArgumentCount(method.descriptor());
    List<Value> arguments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      arguments.add(0, frame.pop());
    }
    Value receiver = insn.opcode() == Opcodes.INVOKESTATIC ? null : frame.pop();
    Set<Origin> operands = ElementOrder.operands(rules.ofType(method.owner()), receiver, arguments);
    Directive flow = rules.flow(method);
    boolean isCollected = flow == Directive.COLLECTS && receiver != null && count > 0;
    Set<Origin> collector = isCollected ? ElementOrder.of(arguments.get(0)) : Set.of();
    if (isCollected) {
      operands = ElementOrder.operands(rules.ofType(method.owner()), receiver, List.of());
    }
    if (flow == Directive.CONVERTS) {
      operands = converted(arguments);
    }
    boolean iterates = isCollected
        ? CollectorOrder.depends(collector)
        : flow == Directive.CONVERTS
            || (flow == Directive.ITERATES && !collectors.accumulatorCommutes(method, arguments));
    Type result = Type.getReturnType(method.descriptor());
    boolean isArray = result.getSort() == Type.ARRAY && iterates;
    CallSite plain = new CallSite(insn.opcode(), ofObject(method, receiver), line, Set.of());
    CallSite call = iterates && !isArray
        ? new CallSite(plain.opcode(), plain.method(), line, Set.copyOf(operands))
        : plain;
    summary.call(call);
    if (TO_TEXT.contains(method)) {
      text(arguments.get(0), line);
    } else {
      copies.pass(method, flow, receiver, arguments);
    }
    for (int i = 0; i < count; i++) {
      use(arguments.get(i), new Use.Passed(call, i));
    }
    if (receiver != null && !method.name().equals(MethodRef.INIT)) {
      use(receiver, new Use.Called(call));
    }
    Set<Origin> ofResult = isCollected
        ? CollectorOrder.collected(collector, operands)
        : CollectorOrder.returnsCollector(method)
            ? collectors.of(method, flow, arguments)
            : ElementOrder.result(flow, method, operands);
    if (flow == Directive.FILLS && receiver != null) {
      Set<Origin> elements = ElementOrder.operands(null, null, arguments);
      ElementOrder.fill(
          receiver,
          rules.ofType(method.owner()),
          KeptCopies.isFilled(receiver) ? copies.copy(index, plain, elements) : elements,
          frame);
    } else if (flow == Directive.SORTS && (receiver != null || count > 0)) {
      ElementOrder.sort(receiver == null ? arguments.get(0) : receiver, frame);
    }
    if (isArray) {
      ofResult = copies.copy(index, plain, operands);
    } else if (result.getSort() == Type.OBJECT && KeptCopies.isCopy(flow, collector, result)) {
      ofResult = copies.copy(index, plain, ofResult);
    }
    if (isArray || result.getSort() == Type.OBJECT) {
      Set<Origin> origins =
          flow == null ? ofResult : ElementOrder.union(Set.of(new Origin.Result(index)), ofResult);
      frame.push(Value.of(origins, result.getInternalName()));
    } else if (result.getSort() != Type.VOID) {
      frame.push(ofType(result));
    }
  }

  private boolean isMap(Value value) {
    return value.type() != null && rules.isMap(value.type());
  }

  /** The order of arguments that are written as JSON, whose objects have none. */
  private Set<Origin> converted(List<Value> arguments) {
    List<Value> others = new ArrayList<>(arguments);
    others.removeIf(this::isMap);
    Set<Origin> order = ElementOrder.operands(null, null, others);
    order.removeIf(Origin.OfMap.class::isInstance);
    return order;
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

  private void dynamic(Insn.Dynamic insn, int index, int line, Frame frame) {
    Type[] parameters = Type.getArgumentTypes(insn.descriptor());
    List<Value> captured = new ArrayList<>();
    for (int i = 0; i < parameters.length; i++) {
      captured.add(0, frame.pop());
    }
    Type type = Type.getReturnType(insn.descriptor());
    if (Lambdas.isLambda(insn.bootstrap())
        && insn.arguments().size() >= 2
        && insn.arguments().get(1) instanceof Handle body) {
      CallSite call = new CallSite(
          Lambdas.opcode(body),
          new MethodRef(body.getOwner(), body.getName(), body.getDesc()),
          line,
          Set.of());
      summary
          .creations()
          .computeIfAbsent(
              index, key -> new Creation(type.getInternalName(), insn.name(), call, line));
      for (int i = 0; i < captured.size(); i++) {
        use(captured.get(i), new Use.Captured(index, i));
      }
      copies.capture(call.method(), captured);
      frame.push(Value.of(Set.of(new Origin.Created(index)), type.getInternalName()));
      return;
    }
    if (Lambdas.isConcatenation(insn.bootstrap())) {
      concatenate(parameters, captured, line);
    } else if (Lambdas.isOfRecord(insn.bootstrap())) {
      ofRecord(insn, line);
    }
    if (type.getSort() != Type.VOID) {
      frame.push(ofType(type));
    }
  }

  /** The generated methods of a record call those of its components. */
  private void ofRecord(Insn.Dynamic insn, int line) {
    for (Object argument : insn.arguments()) {
      if (argument instanceof Handle component) {
        Type type = Type.getType(component.getDesc());
        boolean isReference = type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
        if (isReference && insn.name().equals("toString")) {
          text(Value.of(Set.of(), type.getInternalName()), line);
        } else if (isReference && insn.name().equals("hashCode")) {
          MethodRef method = new MethodRef(type.getInternalName(), "hashCode", "()I");
          summary.call(new CallSite(Opcodes.INVOKEVIRTUAL, method, line, Set.of()));
        }
      }
    }
  }

  /** A concatenation converts its objects to text. */
  private void concatenate(Type[] parameters, List<Value> values, int line) {
    for (int i = 0; i < parameters.length; i++) {
      Type type = parameters[i];
      if (type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY) {
        Value value = values.get(i);
        text(value.type() == null ? value.withType(type.getInternalName()) : value, line);
      }
    }
  }

  /** A conversion to text calls {@code toString()}, which iterates collections. */
  private void text(Value value, int line) {
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

  private static void jump(int opcode, Frame frame) {
    switch (opcode) {
      case Opcodes.GOTO -> {}
      case Opcodes.JSR -> frame.push(Value.UNKNOWN);
      case Opcodes.IF_ICMPEQ,
          Opcodes.IF_ICMPNE,
          Opcodes.IF_ICMPLT,
          Opcodes.IF_ICMPGE,
          Opcodes.IF_ICMPGT,
          Opcodes.IF_ICMPLE,
          Opcodes.IF_ACMPEQ,
          Opcodes.IF_ACMPNE -> frame.pop(2);
      default -> frame.pop();
    }
  }

  private void use(Value value, Use use) {
    value.origins().forEach(origin -> summary.use(origin, use));
  }
}
