package dev.agentreplay.lint.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The local variables and the stack at an instruction. */
final class Frame {

  private final Value[] locals;
  private final List<Value> stack;
  private final boolean lenient;

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
    if (stack.size() != other.stack.size()) {
      throw new IllegalArgumentException(
          "two ways to an instruction have stacks of %d and %d values"
              .formatted(stack.size(), other.stack.size()));
    }
    boolean changed = false;
    for (int i = 0; i < locals.length; i++) {
      Value merged = locals[i].merge(other.locals[i]);
      changed |= !merged.equals(locals[i]);
      locals[i] = merged;
    }
    for (int i = 0; i < stack.size(); i++) {
      Value merged = stack.get(i).merge(other.stack.get(i));
      changed |= !merged.equals(stack.get(i));
      stack.set(i, merged);
    }
    return changed;
  }

  /** Changes all values with one of some identities. */
  void change(Predicate<Set<Origin>> changes, UnaryOperator<Set<Origin>> change) {
    for (int i = 0; i < locals.length; i++) {
      locals[i] = locals[i].changeIf(changes, change);
    }
    stack.replaceAll(value -> value.changeIf(changes, change));
  }
}
