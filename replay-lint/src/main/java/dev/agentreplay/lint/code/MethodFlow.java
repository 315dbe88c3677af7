package dev.agentreplay.lint.code;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Follows the values through the code of one method until nothing changes: which lambda is an
 * argument of which call, and which collections have no order.
 */
final class MethodFlow {

  /** A method with more values at all jumps, or handlers at all instructions, is not followed. */
  private static final long MOST_VALUES = 20_000_000;

  private final CodeBuffer code;
  private final MethodEffects effects;
  private final Map<Integer, Frame> frames = new HashMap<>();
  private final Deque<Integer> pending = new ArrayDeque<>();
  private final boolean[] queued;
  private final boolean[] visited;
  private final boolean[] targets;
  private final List<List<Integer>> handlers = new ArrayList<>();

  private MethodFlow(CodeBuffer code, MethodEffects effects) {
    this.code = code;
    this.effects = effects;
    queued = new boolean[code.size()];
    visited = new boolean[code.size()];
    targets = new boolean[code.size() + 1];
  }

  /** Follows the values of a method. */
  static MethodSummary follow(CodeBuffer code, ClassInfo.Method method, OrderRules rules) {
    MethodEffects effects = new MethodEffects(rules);
    MethodFlow flow = new MethodFlow(code, effects);
    flow.findTargets();
    flow.reach(0, start(code, method));
    while (!flow.pending.isEmpty()) {
      int next = flow.pending.remove();
      flow.queued[next] = false;
      flow.run(next);
    }
    flow.visitRest();
    return effects.summary();
  }

  private static Frame start(CodeBuffer code, ClassInfo.Method method) {
    Frame frame = Frame.of(code.maxLocals());
    Type[] parameters = Type.getArgumentTypes(method.descriptor());
    if (!method.isStatic()) {
      frame.store(0, Value.of(Set.of(Origin.RECEIVER), null));
    }
    int[] variables = CodeBuffer.variables(parameters, method.isStatic());
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].getSort() == Type.OBJECT) {
        Set<Origin> origins = Set.of(new Origin.Parameter(i));
        frame.store(variables[i], Value.of(origins, parameters[i].getInternalName()));
      }
    }
    return frame;
  }

  private void findTargets() {
    for (int i = 0; i < code.size(); i++) {
      handlers.add(new ArrayList<>(0));
      if (code.insn(i) instanceof Insn.Jump jump) {
        jump.targets().forEach(target -> targets[code.index(target)] = true);
      }
    }
    long all = 0;
    for (Insn.Handler handler : code.handlers()) {
      int target = code.index(handler.handler());
      targets[target] = true;
      int end = Math.min(code.index(handler.end()), code.size());
      int start = code.index(handler.start());
      all += Math.max(0, end - start);
      requireFew(all);
      for (int i = start; i < end; i++) {
        handlers.get(i).add(target);
      }
    }
  }

  private static void requireFew(long values) {
    if (values > MOST_VALUES) {
      throw new IllegalArgumentException(
          "a method has too many variables, jumps or handlers to be followed");
    }
  }

  private void reach(int index, Frame frame) {
    if (index >= code.size()) {
      return;
    }
    Frame known = frames.get(index);
    if (known == null) {
      frames.put(index, frame.copy());
      requireFew((long) frames.size() * code.maxLocals());
    } else if (!known.merge(frame)) {
      return;
    }
    if (!queued[index]) {
      queued[index] = true;
      pending.add(index);
    }
  }

  /** Follows the code from an instruction to the next one that others lead to. */
  private void run(int start) {
    Frame frame = frames.get(start);
    if (frame == null) {
      return;
    }
    frame = frame.copy();
    boolean begins = true;
    for (int i = start; i < code.size(); i++) {
      if (i > start && targets[i]) {
        reach(i, frame);
        return;
      }
      visited[i] = true;
      Insn insn = code.insn(i);
      boolean changes = begins || insn instanceof Insn.Local || insn instanceof Insn.Call;
      if (changes) {
        throwTo(handlers.get(i), frame);
      }
      begins = i > start && handlers.get(i).size() != handlers.get(i - 1).size();
      effects.apply(insn, i, code.line(i), frame);
      if (insn instanceof Insn.Local local && local.opcode() >= Opcodes.ISTORE) {
        throwTo(handlers.get(i), frame);
      }
      if (insn instanceof Insn.Jump jump) {
        for (Label target : jump.targets()) {
          reach(code.index(target), frame);
        }
      }
      if (ends(insn.opcode())) {
        return;
      }
    }
  }

  private void throwTo(List<Integer> targetsOfHandlers, Frame frame) {
    for (int target : targetsOfHandlers) {
      reach(target, frame.handler());
    }
  }

  private static boolean ends(int opcode) {
    return switch (opcode) {
      case Opcodes.GOTO, Opcodes.TABLESWITCH, Opcodes.LOOKUPSWITCH, Opcodes.ATHROW, Opcodes.RET ->
        true;
      default -> opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
    };
  }

  /** Visits the code that no way leads to, such as that after {@code jsr} of old compilers. */
  private void visitRest() {
    Frame unknown = Frame.of(code.maxLocals()).lenient();
    for (int i = 0; i < code.size(); i++) {
      if (!visited[i]) {
        effects.apply(code.insn(i), i, code.line(i), unknown);
      }
    }
  }
}
