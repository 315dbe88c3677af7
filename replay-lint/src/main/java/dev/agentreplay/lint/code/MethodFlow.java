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
 * argument of which call, and which collections have no order. A method that takes too much memory
 * or work is not followed: its calls are known, and the values in them are not.
 */
final class MethodFlow {

  /** The limit of the values that are kept at jumps, and of the handlers of all instructions. */
  private static final long MOST_KEPT = 20_000_000;

  /** The limit of the values that are copied and merged, and of the instructions. */
  private static final long MOST_WORK = 100_000_000;

  /** The size of the stack of a method that is not followed. */
  private static final int MOST_STACK = 100;

  private final CodeBuffer code;
  private final MethodEffects effects;
  private final Map<Integer, Frame> frames = new HashMap<>();
  private final Deque<Integer> pending = new ArrayDeque<>();
  private final boolean[] queued;
  private final boolean[] visited;
  private final boolean[] targets;
  private final boolean[] ranges;
  private final List<List<Integer>> handlers = new ArrayList<>();
  private long kept;
  private long work;

  /** The code has too many variables, jumps or handlers. */
  private static final class LimitException extends RuntimeException {

    private static final long serialVersionUID = 1;
  }

  private MethodFlow(CodeBuffer code, MethodEffects effects) {
    this.code = code;
    this.effects = effects;
    queued = new boolean[code.size()];
    visited = new boolean[code.size()];
    targets = new boolean[code.size() + 1];
    ranges = new boolean[code.size() + 1];
  }

  /** Follows the values of a method. */
  static MethodSummary follow(CodeBuffer code, ClassInfo.Method method, OrderRules rules) {
    MethodEffects effects = new MethodEffects(rules);
    try {
      new MethodFlow(code, effects).follow(method);
      return effects.summary();
    } catch (LimitException e) {
      return visit(code, new MethodEffects(rules));
    }
  }

  private void follow(ClassInfo.Method method) {
    findTargets();
    reach(0, start(code, method));
    while (!pending.isEmpty()) {
      int next = pending.remove();
      queued[next] = false;
      run(next);
    }
    visitRest();
  }

  /** Visits the code of a method that is not followed. */
  private static MethodSummary visit(CodeBuffer code, MethodEffects effects) {
    Frame unknown = Frame.of(0).lenient();
    for (int i = 0; i < code.size(); i++) {
      if (unknown.size() > MOST_STACK) {
        unknown = unknown.lenient();
      }
      effects.apply(code.insn(i), i, code.line(i), unknown);
    }
    effects.summary().markUnfollowed();
    return effects.summary();
  }

  private static Frame start(CodeBuffer code, ClassInfo.Method method) {
    Frame frame = Frame.of(code.maxLocals());
    Type[] parameters = Type.getArgumentTypes(method.descriptor());
    if (!method.isStatic()) {
      frame.store(0, Value.of(Set.of(Origin.Parameter.RECEIVER), null));
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
    for (Insn.Handler handler : code.handlers()) {
      Integer target = code.index(handler.handler());
      targets[target] = true;
      int end = Math.min(code.index(handler.end()), code.size());
      int start = code.index(handler.start());
      ranges[start] = true;
      ranges[end] = true;
      keep(Math.max(0, end - start));
      for (int i = start; i < end; i++) {
        handlers.get(i).add(target);
      }
    }
  }

  private void keep(long values) {
    kept += values;
    spend(values);
    if (kept > MOST_KEPT) {
      throw new LimitException();
    }
  }

  private void spend(long values) {
    work += values;
    if (work > MOST_WORK) {
      throw new LimitException();
    }
  }

  private void reach(int index, Frame frame) {
    if (index >= code.size()) {
      return;
    }
    Frame known = frames.get(index);
    if (known == null) {
      add(index, frame.copy());
    } else {
      spend(frame.size());
      if (known.merge(frame)) {
        queue(index);
      }
      spend(known.takeWork());
    }
  }

  private void add(int index, Frame frame) {
    keep(frame.size());
    frames.put(index, frame);
    queue(index);
  }

  private void queue(int index) {
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
    spend(frame.size());
    frame = frame.copy();
    for (int i = start; i < code.size(); i++) {
      if (i > start && targets[i]) {
        reach(i, frame);
        return;
      }
      spend(1);
      visited[i] = true;
      if (i == start || ranges[i]) {
        throwTo(handlers.get(i), frame);
      }
      Insn insn = code.insn(i);
      apply(i, frame);
      if (insn instanceof Insn.Local local && local.opcode() >= Opcodes.ISTORE) {
        throwTo(handlers.get(i), local.variable(), frame);
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

  private void apply(int index, Frame frame) {
    int before = frame.changes();
    effects.apply(code.insn(index), index, code.line(index), frame);
    spend(frame.takeWork());
    if (frame.changes() > before) {
      throwTo(handlers.get(index), frame);
    }
  }

  private void throwTo(List<Integer> targetsOfHandlers, Frame frame) {
    for (int target : targetsOfHandlers) {
      Frame known = target < code.size() ? frames.get(target) : null;
      if (known != null) {
        spend(code.maxLocals());
        if (known.mergeThrown(frame)) {
          queue(target);
        }
        spend(known.takeWork());
      } else if (target < code.size()) {
        add(target, frame.handler());
      }
    }
  }

  /** Adds the value of one variable to handlers that have those of the others. */
  private void throwTo(List<Integer> targetsOfHandlers, int variable, Frame frame) {
    spend(targetsOfHandlers.size());
    for (int target : targetsOfHandlers) {
      Frame known = frames.get(target);
      if (known != null) {
        if (known.mergeLocal(variable, frame.local(variable))) {
          queue(target);
        }
        spend(known.takeWork());
      }
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
        spend(1);
        effects.apply(code.insn(i), i, code.line(i), unknown);
        spend(unknown.takeWork());
      }
    }
  }
}
