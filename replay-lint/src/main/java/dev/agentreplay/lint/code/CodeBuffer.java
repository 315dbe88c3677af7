package dev.agentreplay.lint.code;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** The instructions of one method. */
final class CodeBuffer extends MethodVisitor {

  private final List<Insn> insns = new ArrayList<>();
  private final List<Integer> lines = new ArrayList<>();
  private final Map<Label, Integer> labels = new HashMap<>();
  private final List<Insn.Handler> handlers = new ArrayList<>();
  private int line = CallSite.NO_LINE;
  private int maxLocals;

  CodeBuffer() {
    super(Opcodes.ASM9);
  }

  int size() {
    return insns.size();
  }

  Insn insn(int index) {
    return insns.get(index);
  }

  int line(int index) {
    return lines.get(index);
  }

  int index(Label label) {
    Integer index = labels.get(label);
    return index == null ? insns.size() : index;
  }

  List<Insn.Handler> handlers() {
    return handlers;
  }

  int maxLocals() {
    return maxLocals;
  }

  private void add(Insn insn) {
    insns.add(insn);
    lines.add(line);
  }

  @Override
  public void visitLineNumber(int number, Label start) {
    line = number;
  }

  @Override
  public void visitLabel(Label label) {
    labels.put(label, insns.size());
  }

  @Override
  public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
    handlers.add(new Insn.Handler(start, end, handler));
  }

  @Override
  public void visitMaxs(int maxStack, int locals) {
    maxLocals = locals;
  }

  @Override
  public void visitInsn(int opcode) {
    add(new Insn.Plain(opcode));
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    add(
        opcode == Opcodes.NEWARRAY
            ? new Insn.Dimensions(opcode, 1)
            : new Insn.Constant(opcode, false));
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    add(new Insn.Local(opcode, variable));
  }

  @Override
  public void visitIincInsn(int variable, int increment) {
    // changes a number
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    add(new Insn.OfType(opcode, type));
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    add(new Insn.Field(opcode, owner, name, descriptor));
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String descriptor, boolean isInterface) {
    add(new Insn.Call(opcode, new MethodRef(owner, name, descriptor)));
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String descriptor, Handle bootstrap, Object... arguments) {
    add(new Insn.Dynamic(Opcodes.INVOKEDYNAMIC, name, descriptor, bootstrap, List.of(arguments)));
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    add(new Insn.Jump(opcode, List.of(label)));
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label other, Label... targets) {
    addSwitch(Opcodes.TABLESWITCH, other, targets);
  }

  @Override
  public void visitLookupSwitchInsn(Label other, int[] keys, Label[] targets) {
    addSwitch(Opcodes.LOOKUPSWITCH, other, targets);
  }

  private void addSwitch(int opcode, Label other, Label[] targets) {
    List<Label> all = new ArrayList<>(List.of(targets));
    all.add(other);
    add(new Insn.Jump(opcode, all));
  }

  @Override
  public void visitLdcInsn(Object value) {
    boolean wide = value instanceof Long
        || value instanceof Double
        || (value instanceof org.objectweb.asm.ConstantDynamic dynamic && dynamic.getSize() == 2);
    add(new Insn.Constant(Opcodes.LDC, wide));
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    add(new Insn.Dimensions(Opcodes.MULTIANEWARRAY, dimensions));
  }

  /** The local variables of the parameters, with this. */
  static int[] variables(Type[] parameters, boolean isStatic) {
    int[] variables = new int[parameters.length];
    int next = isStatic ? 0 : 1;
    for (int i = 0; i < parameters.length; i++) {
      variables[i] = next;
      next += parameters[i].getSize();
    }
    return variables;
  }
}
