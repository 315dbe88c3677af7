package dev.agentreplay.lint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Class files and jars that compilers do not make. */
final class ClassFiles {

  private ClassFiles() {}

  /**
   * A class {@code a.Agent} whose method {@code run()} calls a static method without parameters.
   */
  static byte[] calling(String owner, String method, String descriptor) {
    return agent(Opcodes.V17, code -> {
      code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method, descriptor, false);
      code.visitInsn(descriptor.endsWith("J") ? Opcodes.POP2 : Opcodes.POP);
    });
  }

  /** Writes the code of a method without a result. */
  interface Body {
    void write(MethodVisitor code);
  }

  static byte[] agent(int version, Body body) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(version, Opcodes.ACC_PUBLIC, "a/Agent", null, "java/lang/Object", null);
    writer.visitSource("Agent.java", null);
    MethodVisitor code =
        writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run", "()V", null, null);
    code.visitCode();
    Label start = new Label();
    code.visitLabel(start);
    code.visitLineNumber(7, start);
    body.write(code);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** Returns a class with a further method, {@code random()}, that calls {@code Math.random()}. */
  static byte[] withRandom(byte[] type) {
    ClassReader reader = new ClassReader(type);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(writer, 0);
    MethodVisitor code =
        writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "random", "()D", null, null);
    code.visitCode();
    code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Math", "random", "()D", false);
    code.visitInsn(Opcodes.DRETURN);
    code.visitMaxs(2, 0);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** Returns a class under a different name. */
  static byte[] named(String name, byte[] type) {
    ClassReader reader = new ClassReader(type);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visit(
              int version,
              int access,
              String old,
              String signature,
              String superName,
              String[] interfaces) {
            super.visit(version, access, name, signature, superName, interfaces);
          }
        },
        0);
    return writer.toByteArray();
  }

  static Path jar(Path file, Map<String, byte[]> entries) throws IOException {
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        jar.putNextEntry(new JarEntry(entry.getKey()));
        jar.write(entry.getValue());
        jar.closeEntry();
      }
    }
    return file;
  }
}
