package dev.agentreplay.lint.code;

import dev.agentreplay.lint.code.Creation.Use;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Applies instructions to a frame, and notes the calls and what they do with created values. */
final class MethodEffects {

  private final OrderRules rules;
  private final MethodSummary summary = new MethodSummary();
  private final KeptCopies copies;
  private final CallEffects calls;

  MethodEffects(OrderRules rules) {
    this.rules = rules;
    copies = new KeptCopies(rules, summary);
    calls = new CallEffects(rules, summary, copies);
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
      calls.apply(call, index, line, frame);
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
      summary.use(value, Use.Direct.STORED);
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
    summary.use(value, Use.Direct.STORED);
    Set<Origin> order = ElementOrder.of(value);
    Origin ofType = value.type() == null ? null : rules.ofType(value.type());
    if (order.isEmpty() && ofType != null) {
      order.add(ofType);
    }
    if (array.identity().isEmpty()) {
      copies.leave(value);
    }
    if (rules.isMap(value)) {
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
          summary.creations().computeIfAbsent(index, key -> new Creation(insn.type(), null, line));
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
      summary.use(value, Use.Direct.STORED);
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
              : CallEffects.ofType(type));
    }
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
          .computeIfAbsent(index, key -> new Creation(type.getInternalName(), call, line));
      for (int i = 0; i < captured.size(); i++) {
        summary.use(captured.get(i), new Use.Captured(index, i));
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
      frame.push(CallEffects.ofType(type));
    }
  }

  /** The generated methods of a record call those of its components. */
  private void ofRecord(Insn.Dynamic insn, int line) {
    for (Object argument : insn.arguments()) {
      if (argument instanceof Handle component) {
        Type type = Type.getType(component.getDesc());
        boolean isReference = type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
        if (isReference && insn.name().equals("toString")) {
          calls.text(Value.of(Set.of(), type.getInternalName()), line);
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
        calls.text(value.type() == null ? value.withType(type.getInternalName()) : value, line);
      }
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
}
