package dev.agentreplay.lint.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The local variables and the stack at an instruction. */
final class Frame {

  /** The work of a comparison of an origin, compared with that of a copy of a value. */
  private static final int COMPARISON = 8;

  private final Value[] locals;
  private final List<Value> stack;
  private final boolean lenient;
  private int changes;
  private long work;

  private Frame(Value[] locals, List<Value> stack, boolean lenient) {
    this.locals = locals;
    this.stack = stack;
    this.lenient = lenient;
  }

  static Frame of(int variables) {
    Value[] locals = new Value[variables];
    Arrays.fill(locals, Value.UNKNOWN);
    return new Frame(locals, new ArrayList<>(), false);
  }

  /** Returns a frame for code that no way leads to, whose stack always has more unknown values. */
  Frame lenient() {
    return new Frame(locals.clone(), new ArrayList<>(), true);
  }

  Frame copy() {
    return new Frame(locals.clone(), new ArrayList<>(stack), lenient);
  }

  /** Returns the frame with which the handler of an exception begins. */
  Frame handler() {
    Frame frame = new Frame(locals.clone(), new ArrayList<>(), lenient);
    frame.push(Value.UNKNOWN);
    return frame;
  }

  /** The number of variables and values on the stack. */
  int size() {
    return locals.length + stack.size();
  }

  /** The number of values that were changed with all that have the same identity. */
  int changes() {
    return changes;
  }

  /** Returns the work of the merges and changes since the last call, in copied values. */
  long takeWork() {
    long taken = work;
    work = 0;
    return taken;
  }

  private void compare(Value value) {
    work += 1 + (long) COMPARISON * value.origins().size();
  }

  Value local(int variable) {
    return variable < locals.length ? locals[variable] : Value.UNKNOWN;
  }

  void store(int variable, Value value) {
    if (variable < locals.length) {
      locals[variable] = value;
    }
  }

  void push(Value value) {
    stack.add(value);
  }

  /**
   * Removes the top of the stack.
   *
   * @throws IllegalArgumentException if there is none, which the verifier of a JVM refuses
   */
  Value pop() {
    if (!stack.isEmpty()) {
      return stack.remove(stack.size() - 1);
    }
    if (lenient) {
      return Value.UNKNOWN;
    }
    throw new IllegalArgumentException("an instruction needs more values than the stack has");
  }

  void pop(int values) {
    for (int i = 0; i < values; i++) {
      pop();
    }
  }

  /**
   * Adds the values of a different way to the same instruction, and returns whether that changes
   * this frame.
   *
   * @throws IllegalArgumentException if the stacks have different sizes, which the verifier of a
   *     JVM refuses
   */
  boolean merge(Frame other) {
    requireStack(other.stack.size());
    boolean changed = mergeLocals(other);
    for (int i = 0; i < stack.size(); i++) {
      compare(other.stack.get(i));
      Value merged = stack.get(i).merge(other.stack.get(i));
      changed |= !merged.equals(stack.get(i));
      stack.set(i, merged);
    }
    return changed;
  }

  private void requireStack(int values) {
    if (stack.size() != values) {
      throw new IllegalArgumentException(
          "two ways to an instruction have stacks of %d and %d values"
              .formatted(stack.size(), values));
    }
  }

  private boolean mergeLocals(Frame other) {
    boolean changed = false;
    for (int i = 0; i < locals.length; i++) {
      changed |= mergeLocal(i, other.locals[i]);
    }
    return changed;
  }

  /** Adds a possible value of a variable, and returns whether that changes this frame. */
  @SuppressWarnings("ReferenceEquality") // the work of merging an equal value is counted
  boolean mergeLocal(int variable, Value value) {
    if (variable >= locals.length || locals[variable] == value) {
      return false;
    }
    compare(value);
    Value merged = locals[variable].merge(value);
    boolean changed = !merged.equals(locals[variable]);
    locals[variable] = merged;
    return changed;
  }

  /** Merges the variables of a frame in which an exception is thrown into one of a handler. */
  boolean mergeThrown(Frame other) {
    requireStack(1);
    boolean changed = mergeLocals(other);
    Value merged = stack.get(0).merge(Value.UNKNOWN);
    changed |= !merged.equals(stack.get(0));
    stack.set(0, merged);
    return changed;
  }

  /** Changes all values with one of some identities. */
  void change(Predicate<Set<Origin>> isChanged, UnaryOperator<Set<Origin>> change) {
    for (int i = 0; i < locals.length; i++) {
      locals[i] = change(locals[i], isChanged, change);
    }
    stack.replaceAll(value -> change(value, isChanged, change));
  }

  @SuppressWarnings("ReferenceEquality") // an unchanged value is the same object
  private Value change(
      Value value, Predicate<Set<Origin>> isChanged, UnaryOperator<Set<Origin>> change) {
    compare(value);
    Value changed = value.changeIf(isChanged, change);
    if (changed != value) {
      changes++;
    }
    return changed;
  }
}
