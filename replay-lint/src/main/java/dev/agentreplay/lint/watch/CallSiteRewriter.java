package dev.agentreplay.lint.watch;

import dev.agentreplay.lint.code.CallSite;
import dev.agentreplay.lint.code.ClassIndex;
import dev.agentreplay.lint.code.Hierarchy;
import dev.agentreplay.lint.code.MethodRef;
import dev.agentreplay.lint.code.Verdicts;
import dev.agentreplay.lint.pattern.LintPatterns;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Adds a call of {@link WatchHook} before each call that is reported. */
final class CallSiteRewriter implements Closeable {

  private static final String HOOK = "dev/agentreplay/lint/watch/WatchHook";

  private final ClassIndex index;
  private final Verdicts verdicts;

  CallSiteRewriter(LintPatterns patterns, List<Path> classPath) {
    index = ClassIndex.read(List.of(), classPath, patterns);
    verdicts = new Verdicts(patterns, index, new Hierarchy(index));
  }

  /**
   * Returns a class file with announcements, which change neither the stack nor the local
   * variables.
   *
   * @param register returns the number of a call in the watch
   */
  synchronized byte[] rewrite(byte[] bytes, int watch, ToIntFunction<WatchedCall> register) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    String className = reader.getClassName().replace('/', '.');
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public @Nullable MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            MethodVisitor code = super.visitMethod(access, name, descriptor, signature, exceptions);
            return new Announcing(code, watch, register, className, name);
          }
        },
        0);
    return writer.toByteArray();
  }

  private final class Announcing extends MethodVisitor {

    private final int watch;
    private final ToIntFunction<WatchedCall> register;
    private final String className;
    private final String methodName;
    private @Nullable Integer line;

    Announcing(
        MethodVisitor code,
        int watch,
        ToIntFunction<WatchedCall> register,
        String className,
        String methodName) {
      super(Opcodes.ASM9, code);
      this.watch = watch;
      this.register = register;
      this.className = className;
      this.methodName = methodName;
    }

    @Override
    public void visitLineNumber(int number, Label start) {
      line = number;
      super.visitLineNumber(number, start);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      announce(opcode, new MethodRef(owner, name, descriptor));
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      if (opcode == Opcodes.GETSTATIC) {
        announce(opcode, new MethodRef(owner, name, descriptor));
      }
      super.visitFieldInsn(opcode, owner, name, descriptor);
    }

    private void announce(int opcode, MethodRef method) {
      Verdicts.Verdict verdict = verdicts.of(new CallSite(opcode, method, 0, Set.of()));
      if (verdict == null || !verdict.isReport() || verdict.rule().qualifier() != null) {
        return;
      }
      int site = register.applyAsInt(new WatchedCall(
          Objects.requireNonNull(verdict.rule().category(), "category"),
          verdict.api().text(),
          className,
          methodName,
          line,
          verdict.rule().remedy()));
      super.visitLdcInsn(watch);
      super.visitLdcInsn(site);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, "called", "(II)V", false);
    }
  }

  @Override
  public void close() throws IOException {
    index.close();
  }
}
