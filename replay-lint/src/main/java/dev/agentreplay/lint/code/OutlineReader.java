package dev.agentreplay.lint.code;

import dev.agentreplay.lint.code.ClassInfo.Allowance;
import dev.agentreplay.lint.code.ClassInfo.LambdaInfo;
import dev.agentreplay.lint.code.ClassInfo.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Reads the outline of a class file; its code only if it has lambdas. */
final class OutlineReader {

  private static final String ALLOWED = "Ldev/agentreplay/io/context/AllowedNondeterminism;";
  private static final int INVOKE_DYNAMIC = 18;

  private final Map<String, String> names = new HashMap<>();
  private final Predicate<String> ofInterest;
  private final Predicate<String> isTrusted;

  /**
   * Creates a reader.
   *
   * @param ofInterest whether lambdas of an interface in {@code java.*} are of interest, by the
   *     descriptor of their method
   * @param isTrusted whether the methods of a class are judged by patterns alone, by its name
   */
  OutlineReader(Predicate<String> ofInterest, Predicate<String> isTrusted) {
    this.ofInterest = ofInterest;
    this.isTrusted = isTrusted;
  }

  /**
   * Reads an outline, with lambdas and annotations if the methods are followed.
   *
   * @param place the place of a scanned class; null for one of the JDK or the class path
   * @throws RuntimeException of any class, if the class file is broken
   */
  ClassInfo read(byte[] bytes, @Nullable ClassPlace place, String file) {
    ClassReader reader = new ClassReader(bytes);
    boolean descended = place != null && !isTrusted.test(reader.getClassName());
    int flags = ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES;
    Outline outline = new Outline(descended);
    reader.accept(outline, descended && hasLambdas(reader) ? flags : flags | ClassReader.SKIP_CODE);
    return new ClassInfo(
        name(reader.getClassName()),
        reader.getSuperName() == null ? null : name(reader.getSuperName()),
        outline.interfaces,
        outline.access,
        List.copyOf(outline.methods),
        List.copyOf(outline.lambdas),
        List.copyOf(outline.allowances),
        place,
        file,
        descended);
  }

  private static boolean hasLambdas(ClassReader reader) {
    for (int i = 1; i < reader.getItemCount(); i++) {
      int offset = reader.getItem(i);
      if (offset > 0 && reader.readByte(offset - 1) == INVOKE_DYNAMIC) {
        return true;
      }
    }
    return false;
  }

  /** Returns the one copy of a name, which many classes have. */
  private String name(String name) {
    String known = names.putIfAbsent(name, name);
    return known == null ? name : known;
  }

  private final class Outline extends ClassVisitor {

    private final boolean descended;
    private final List<Method> methods = new ArrayList<>();
    private final List<LambdaInfo> lambdas = new ArrayList<>();
    private final List<Allowance> allowances = new ArrayList<>();
    private List<String> interfaces = List.of();
    private int access;

    Outline(boolean descended) {
      super(Opcodes.ASM9);
      this.descended = descended;
    }

    @Override
    public void visit(
        int version,
        int flags,
        String className,
        @Nullable String signature,
        @Nullable String superName,
        String @Nullable [] implemented) {
      access = flags;
      List<String> all = new ArrayList<>();
      for (String type : implemented == null ? new String[0] : implemented) {
        all.add(name(type));
      }
      interfaces = List.copyOf(all);
    }

    @Override
    public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      return descended && descriptor.equals(ALLOWED) ? new Allowed(null) : null;
    }

    @Override
    public MethodVisitor visitMethod(
        int flags,
        String methodName,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      Method method = new Method(name(methodName), name(descriptor), flags);
      methods.add(method);
      return new Body(method);
    }

    private final class Body extends MethodVisitor {

      private final Method method;

      Body(Method method) {
        super(Opcodes.ASM9);
        this.method = method;
      }

      @Override
      public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
        return descended && descriptor.equals(ALLOWED) ? new Allowed(method) : null;
      }

      @Override
      public void visitInvokeDynamicInsn(
          String name, String descriptor, Handle bootstrap, Object... arguments) {
        Type type = Type.getReturnType(descriptor);
        if (Lambdas.isLambda(bootstrap)
            && arguments.length >= 3
            && arguments[1] instanceof Handle body
            && arguments[2] instanceof Type instantiated
            && type.getSort() == Type.OBJECT
            && (!type.getInternalName().startsWith("java/")
                || ofInterest.test(instantiated.getDescriptor()))) {
          lambdas.add(new LambdaInfo(
              name(type.getInternalName()),
              name(name),
              name(instantiated.getDescriptor()),
              new MethodRef(name(body.getOwner()), name(body.getName()), name(body.getDesc())),
              Lambdas.isVirtual(body),
              Type.getArgumentCount(descriptor) - (Lambdas.hasReceiver(body) ? 1 : 0)));
        }
      }
    }

    /** Reads the annotation {@code AllowedNondeterminism}. */
    private final class Allowed extends AnnotationVisitor {

      private final @Nullable Method method;
      private final List<String> of = new ArrayList<>();
      private String reason = "";

      Allowed(@Nullable Method method) {
        super(Opcodes.ASM9);
        this.method = method;
      }

      @Override
      public void visit(@Nullable String name, Object value) {
        if ("reason".equals(name)) {
          reason = value.toString();
        }
      }

      @Override
      public AnnotationVisitor visitArray(String name) {
        return new AnnotationVisitor(Opcodes.ASM9) {
          @Override
          public void visit(@Nullable String none, Object value) {
            of.add(value.toString());
          }
        };
      }

      @Override
      public void visitEnd() {
        allowances.add(new Allowance(method, reason, List.copyOf(of)));
      }
    }
  }
}
