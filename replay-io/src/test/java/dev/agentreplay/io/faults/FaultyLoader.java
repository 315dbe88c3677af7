package dev.agentreplay.io.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Loads the library once more, with a point of {@link FaultPoints} at the entry of each of its
 * methods and before everything it allocates, and without its waits for the disk.
 */
final class FaultyLoader extends ClassLoader {

  private static final String LIBRARY = "dev.agentreplay.";
  private static final String HERE = FaultyLoader.class.getPackageName() + ".";
  private static final String POINTS = Type.getInternalName(FaultPoints.class);

  private final List<String> sites = new ArrayList<>();

  FaultyLoader() {
    super(FaultyLoader.class.getClassLoader());
  }

  /** The method that a point is in. */
  String site(int number) {
    return sites.get(number);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean isScenario = name.startsWith(RecordingScenario.class.getName());
    if (!name.startsWith(LIBRARY) || name.startsWith(HERE) && !isScenario) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] bytes = bytes(name);
        byte[] faulty = isScenario ? bytes : withPoints(name, bytes);
        loaded = defineClass(name, faulty, 0, faulty.length);
      }
      return loaded;
    }
  }

  private byte[] bytes(String name) {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = getParent().getResourceAsStream(file)) {
      return Objects.requireNonNull(in, file).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] withPoints(String className, byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] thrown) {
            MethodVisitor out = super.visitMethod(access, name, descriptor, signature, thrown);
            String method = className.substring(LIBRARY.length()) + "." + name;
            return name.equals("<clinit>") ? new Initializer(out) : new WithPoints(method, out);
          }
        },
        0);
    return writer.toByteArray();
  }

  /** A method with points. */
  private final class WithPoints extends MethodVisitor {
    private final String method;
    private int line;

    WithPoints(String method, MethodVisitor out) {
      super(Opcodes.ASM9, out);
      this.method = method;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      meet("entry");
    }

    @Override
    public void visitLineNumber(int number, net.bytebuddy.jar.asm.Label start) {
      super.visitLineNumber(number, start);
      line = number;
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      super.visitTypeInsn(opcode, type); // first: frames name an object by where it is allocated
      if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
        meet("new " + type);
      }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      if (opcode == Opcodes.NEWARRAY) {
        meet("new array");
      }
      super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      meet("lambda or text");
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (owner.equals("java/io/FileDescriptor") && name.equals("sync")) {
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC, POINTS, "sync", "(Ljava/io/FileDescriptor;)V", false);
      } else if (name.equals("force") && owner.equals("java/nio/channels/FileChannel")) {
        super.visitInsn(Opcodes.POP2); // of a directory; the channel and whether with its length
      } else {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }

    private void meet(String what) {
      super.visitLdcInsn(sites.size());
      super.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "meet", "(I)V", false);
      sites.add(method + ":" + line + " " + what);
    }
  }

  /** An initializer of a class, in which nothing is thrown. */
  private static final class Initializer extends MethodVisitor {

    Initializer(MethodVisitor out) {
      super(Opcodes.ASM9, out);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      super.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "beginInitializer", "()V", false);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "endInitializer", "()V", false);
      }
      super.visitInsn(opcode);
    }
  }
}
