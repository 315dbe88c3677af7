package dev.agentreplay.lint.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.lint.DeterminismFinding;
import dev.agentreplay.lint.DeterminismReport;
import dev.agentreplay.lint.DeterminismScan;
import dev.agentreplay.lint.pattern.Directive.Question;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** The patterns of the library against the classes of the running JDK. */
class JdkPatternsTest {

  /** The patterns of methods that JDK 21 has, and JDK 17 has not. */
  private static final List<String> NEWER = List.of(
      "java.util.Objects.toIdentityString",
      "java.lang.Thread.ofPlatform",
      "java.lang.Thread.ofVirtual",
      "java.lang.Thread.startVirtualThread",
      "java.lang.Thread.threadId",
      "java.util.List.getFirst",
      "java.util.List.getLast");

  /** A method, constructor or static field of the JDK. */
  private record Member(int opcode, String owner, String name, String descriptor) {

    /** Writes a static method without parameters that uses the member, to be read only. */
    void use(ClassWriter writer, String method) {
      MethodVisitor code = writer.visitMethod(Opcodes.ACC_STATIC, method, "()V", null, null);
      code.visitCode();
      if (opcode == Opcodes.GETSTATIC) {
        code.visitFieldInsn(opcode, owner, name, descriptor);
        pop(code, Type.getType(descriptor));
      } else {
        if (opcode == Opcodes.INVOKESPECIAL) {
          code.visitTypeInsn(Opcodes.NEW, owner);
        } else if (opcode != Opcodes.INVOKESTATIC) {
          code.visitInsn(Opcodes.ACONST_NULL);
        }
        for (Type type : Type.getArgumentTypes(descriptor)) {
          code.visitInsn(zero(type));
        }
        boolean isInterface = opcode == Opcodes.INVOKEINTERFACE;
        code.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        pop(code, Type.getReturnType(descriptor));
      }
      code.visitInsn(Opcodes.RETURN);
      code.visitMaxs(0, 0);
      code.visitEnd();
    }

    private static int zero(Type type) {
      return switch (type.getSort()) {
        case Type.OBJECT, Type.ARRAY -> Opcodes.ACONST_NULL;
        case Type.LONG -> Opcodes.LCONST_0;
        case Type.FLOAT -> Opcodes.FCONST_0;
        case Type.DOUBLE -> Opcodes.DCONST_0;
        default -> Opcodes.ICONST_0;
      };
    }

    private static void pop(MethodVisitor code, Type type) {
      if (type.getSize() > 0) {
        code.visitInsn(type.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
      }
    }
  }

  private static List<LintRule> rules() {
    return LintPatterns.defaults().rules().stream()
        .filter(rule -> rule.pattern().toString().startsWith("java"))
        .filter(rule -> rule.pattern().form().compareTo(MemberPattern.Form.CLASS) >= 0)
        .toList();
  }

  private static @Nullable Class<?> type(LintRule rule) {
    try {
      String name = rule.pattern().internalName().replace('/', '.');
      return Class.forName(name, false, ClassLoader.getPlatformClassLoader());
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** The members of a class that other classes see, and that a pattern matches. */
  private static Set<Member> members(Class<?> type, MemberPattern pattern) {
    Set<Member> all = new LinkedHashSet<>();
    String owner = Type.getInternalName(type);
    List<Method> methods = new ArrayList<>(List.of(type.getMethods()));
    methods.addAll(List.of(type.getDeclaredMethods()));
    for (Method method : methods) {
      if (isSeen(method.getModifiers())) {
        int opcode = Modifier.isStatic(method.getModifiers())
            ? Opcodes.INVOKESTATIC
            : type.isInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
        all.add(new Member(opcode, owner, method.getName(), Type.getMethodDescriptor(method)));
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isSeen(constructor.getModifiers())) {
        String descriptor = Type.getConstructorDescriptor(constructor);
        all.add(new Member(Opcodes.INVOKESPECIAL, owner, "<init>", descriptor));
      }
    }
    if (!pattern.isOfType()) {
      for (Field field : type.getFields()) {
        if (Modifier.isStatic(field.getModifiers())) {
          String descriptor = Type.getDescriptor(field.getType());
          all.add(new Member(Opcodes.GETSTATIC, owner, field.getName(), descriptor));
        }
      }
    }
    all.removeIf(member -> !pattern.matches(owner, member.name(), member.descriptor()));
    return all;
  }

  private static boolean isSeen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  @Test
  void each_pattern_names_a_class_method_or_field_that_exists() {
    List<String> missing = new ArrayList<>();
    for (LintRule rule : rules()) {
      Class<?> type = type(rule);
      if (type == null
          || (!rule.pattern().isOfType() && members(type, rule.pattern()).isEmpty())) {
        missing.add(rule.pattern().toString());
      }
    }
    if (Runtime.version().feature() < 21) {
      missing.removeAll(NEWER);
    }
    assertThat(missing).isEmpty();
    assertThat(rules()).extracting(rule -> rule.pattern().toString()).containsAll(NEWER);
  }

  @Test
  void each_reported_method_is_found(@TempDir Path directory) throws IOException {
    Map<String, Member> members = new TreeMap<>();
    Map<String, LintRule> reported = new TreeMap<>();
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "a/Agent", null, "java/lang/Object", null);
    for (LintRule rule : rules()) {
      Class<?> type = type(rule);
      if (rule.directive() == Directive.REPORT && rule.qualifier() == null && type != null) {
        for (Member member : members(type, rule.pattern())) {
          if (rule.equals(LintPatterns.defaults()
              .find(Question.VERDICT, member.owner(), member.name(), member.descriptor()))) {
            String name = "m%04d".formatted(members.size());
            members.put(name, member);
            reported.put(name, rule);
            member.use(writer, name);
          }
        }
      }
    }
    writer.visitEnd();
    Files.write(directory.resolve("Agent.class"), writer.toByteArray());
    DeterminismReport report =
        DeterminismScan.of(directory).withEntries("a.Agent").check();

    Map<String, Category> found = new TreeMap<>();
    for (DeterminismFinding finding : report.findings()) {
      found.put(finding.location().methodName(), finding.category());
    }
    assertThat(members).hasSizeGreaterThan(300);
    assertThat(reported).allSatisfy((name, rule) -> assertThat(found.get(name))
        .as("%s by %s", members.get(name), rule)
        .isEqualTo(rule.category()));
    assertThat(report.problems()).isEmpty();
  }
}
