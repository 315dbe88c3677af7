package dev.agentreplay.lint.code;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The code of a class: what its methods call and create, and what its fields are assigned. */
public final class ClassCode {

  static final ClassCode NONE = new ClassCode();

  private final Map<String, MethodSummary> methods = new HashMap<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private final Map<String, Set<Origin>> fields = new LinkedHashMap<>();
  private @Nullable String sourceFile;

  private ClassCode() {}

  /** Reads the code of a class, and follows the values of each method. */
  static ClassCode read(ClassInfo type, byte[] bytes, OrderRules rules) {
    ClassCode code = new ClassCode();
    new ClassReader(bytes).accept(code.new Visitor(type, rules), ClassReader.SKIP_FRAMES);
    return code;
  }

  /** The summary of a declared method; null if it has no code. */
  public @Nullable MethodSummary method(String name, String descriptor) {
    return methods.get(name + descriptor);
  }

  /** The first line of a method; {@link CallSite#NO_LINE} if it is not known. */
  public int line(String name, String descriptor) {
    return lines.getOrDefault(name + descriptor, CallSite.NO_LINE);
  }

  /** The name of the source file; null if the class file does not have it. */
  public @Nullable String sourceFile() {
    return sourceFile;
  }

  /** The order of the values of a field that only this class assigns; empty for others. */
  public Set<Origin> field(String owner, String name) {
    return fields.getOrDefault(owner + "." + name, Set.of());
  }

  private final class Visitor extends ClassVisitor {

    private final ClassInfo type;
    private final OrderRules rules;
    private final Map<String, Boolean> ownFields = new HashMap<>();

    Visitor(ClassInfo type, OrderRules rules) {
      super(Opcodes.ASM9);
      this.type = type;
      this.rules = rules;
    }

    @Override
    public void visitSource(@Nullable String source, @Nullable String debug) {
      sourceFile = source;
    }

    @Override
    public @Nullable FieldVisitor visitField(
        int access, String name, String descriptor, @Nullable String signature, Object value) {
      boolean isOwn = (access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL)) != 0;
      ownFields.put(type.name() + "." + name, isOwn);
      return null;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      ClassInfo.Method method = type.method(name, descriptor);
      if (method == null || (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
        return null;
      }
      return new MethodVisitor(Opcodes.ASM9, new CodeBuffer()) {
        @Override
        public void visitEnd() {
          add(method, (CodeBuffer) mv);
        }
      };
    }

    private void add(ClassInfo.Method method, CodeBuffer code) {
      String key = method.name() + method.descriptor();
      if (code.size() > 0) {
        lines.put(key, code.line(0));
      }
      MethodSummary summary = MethodFlow.follow(code, method, rules);
      methods.put(key, summary);
      summary.stores().forEach((field, order) -> {
        if (ownFields.getOrDefault(field, false)) {
          fields.merge(field, order, ClassCode::union);
        }
      });
    }
  }

  private static Set<Origin> union(Set<Origin> some, Set<Origin> others) {
    Set<Origin> all = new LinkedHashSet<>(some);
    all.addAll(others);
    return all;
  }
}
