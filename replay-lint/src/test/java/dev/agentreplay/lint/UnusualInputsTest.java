package dev.agentreplay.lint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.agents.OrderKept;
import com.example.agents.Orders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Jars and class files that are broken, of other versions, or not made by a compiler. */
class UnusualInputsTest {

  private static final byte[] MILLIS =
      ClassFiles.calling("java/lang/System", "currentTimeMillis", "()J");
  private static final byte[] NANOS = ClassFiles.calling("java/lang/System", "nanoTime", "()J");

  private static final byte[] FINE = ClassFiles.calling("java/lang/Math", "abs", "()J");

  private static final Handle LAMBDA = new Handle(
      Opcodes.H_INVOKESTATIC,
      "java/lang/invoke/LambdaMetafactory",
      "metafactory",
      "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
          + "Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;"
          + "Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;",
      false);

  @TempDir
  Path directory;

  private static DeterminismReport check(Path... inputs) throws IOException {
    return DeterminismScan.of(inputs).withEntries("**").check();
  }

  private static List<String> apis(DeterminismReport report) {
    return report.findings().stream().map(DeterminismFinding::api).toList();
  }

  private static List<String> kinds(DeterminismReport report) {
    return report.problems().stream().map(ScanProblem::kind).toList();
  }

  @Test
  void missing_files_and_files_other_than_jars_are_problems() throws IOException {
    Path text = Files.writeString(directory.resolve("a.jar"), "not a jar");
    DeterminismReport report = check(directory.resolve("none"), text);

    assertThat(report.problems())
        .extracting(ScanProblem::toString)
        .containsExactly(
            text + ": ZipException: zip END header not found",
            directory.resolve("none") + ": not found");
    assertThat(report.problems()).allMatch(ScanProblem::isUnreadable);
    assertThat(report.isDeterministic()).isFalse();
  }

  @Test
  void newer_class_file_is_unsupported_and_the_others_are_scanned() throws IOException {
    byte[] newer = MILLIS.clone();
    newer[7] = 99;
    Path jar = ClassFiles.jar(
        directory.resolve("a.jar"),
        new TreeMap<>(Map.of("a/Newer.class", newer, "b.class", NANOS)));
    DeterminismReport report = check(jar);

    assertThat(report.problems())
        .extracting(ScanProblem::toString)
        .containsExactly(jar + "!/a/Newer.class: Unsupported class file major version 99");
    assertThat(kinds(report)).containsExactly("unsupported_version");
    assertThat(apis(report)).containsExactly("java.lang.System.nanoTime()");
    assertThat(report.isDeterministic()).isFalse();
  }

  @Test
  void each_truncated_class_file_is_a_problem() throws IOException {
    Path file = directory.resolve("Agent.class");
    for (int length = 0; length < MILLIS.length; length++) {
      Files.write(file, Arrays.copyOf(MILLIS, length));
      assertThat(kinds(check(directory))).as("%d bytes", length).containsExactly("broken_class");
    }
  }

  @Test
  @Tag("slow")
  void no_flipped_byte_crashes_a_scan() throws IOException {
    byte[] whole;
    try (InputStream in = Orders.class.getResourceAsStream("Orders.class")) {
      whole = in.readAllBytes();
    }
    Path file = directory.resolve("Orders.class");
    Random random = new Random(7);
    int broken = 0;
    for (int i = 0; i < 400; i++) {
      byte[] changed = whole.clone();
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, changed);
      DeterminismReport report = check(directory);
      broken += report.problems().isEmpty() ? 0 : 1;
      assertThat(report.toJson()).isNotNull();
    }
    assertThat(broken).isGreaterThan(40);
  }

  @Test
  void one_sorted_array_does_not_hide_others_if_line_numbers_are_missing() throws IOException {
    ClassWriter writer = new ClassWriter(0);
    try (InputStream in = OrderKept.class.getResourceAsStream("OrderKept.class")) {
      new ClassReader(in).accept(writer, ClassReader.SKIP_DEBUG);
    }
    Files.write(directory.resolve("OrderKept.class"), writer.toByteArray());
    DeterminismReport report = check(directory);

    assertThat(report.findings())
        .filteredOn(finding -> finding.api().startsWith("java.util.Set.toArray("))
        .extracting(finding -> finding.location().methodName())
        .containsExactly("arrays");
  }

  @Test
  void jar_in_a_jar_is_code_that_was_not_scanned() throws IOException {
    Path jar = ClassFiles.jar(
        directory.resolve("boot.jar"),
        Map.of("BOOT-INF/classes/a/Agent.class", FINE, "BOOT-INF/lib/b.jar", "x".getBytes(UTF_8)));
    DeterminismReport report = check(jar);

    assertThat(report.findings()).isEmpty();
    assertThat(report.problems())
        .extracting(ScanProblem::toString)
        .containsExactly(jar + "!/BOOT-INF/lib/b.jar: not scanned: unpack the outer jar");
    assertThat(report.problems()).allMatch(ScanProblem::isUnreadable);
    assertThat(report.isDeterministic()).isFalse();
    assertThat(report.toString()).startsWith("no nondeterministic calls in what could be scanned");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BOOT-INF/lib/b.jar",
        "WEB-INF/lib/b.jar",
        "WEB-INF/lib-provided/b.jar",
        "lib/b.jar",
        "rsrc/b.jar",
        "osgi/b.jar",
        "b.jar"
      })
  void jar_from_which_classes_are_loaded_fails_the_check(String name) throws IOException {
    DeterminismReport report = checkNested(name);

    assertThat(kinds(report)).containsExactly("nested_jar");
    assertThat(report.isDeterministic()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"META-INF/agent.jar", "a/lib/b.jar", "test/fixture.jar", "BOOT-INF/classes/b.jar"})
  void jar_that_is_a_resource_is_listed(String name) throws IOException {
    DeterminismReport report = checkNested(name);

    assertThat(kinds(report)).containsExactly("resource_jar");
    assertThat(report.problems()).noneMatch(ScanProblem::isUnreadable);
    assertThat(report.problems().get(0).toString()).contains("!/" + name + ": not scanned: ");
    assertThat(report.isDeterministic()).isTrue();
    assertThat(report.toString()).startsWith("no nondeterministic calls\n").contains(name);
  }

  private DeterminismReport checkNested(String name) throws IOException {
    String manifest = "Manifest-Version: 1.0\nClass-Path: c.jar b.jar\n"
        + "Bundle-ClassPath: .,osgi/b.jar\nRsrc-Class-Path: ./ ./rsrc/b.jar\n\n";
    return check(ClassFiles.jar(
        directory.resolve("outer.jar"),
        new TreeMap<>(Map.of(
            "META-INF/MANIFEST.MF",
            manifest.getBytes(UTF_8),
            "a/Agent.class",
            FINE,
            name,
            "x".getBytes(UTF_8)))));
  }

  @ParameterizedTest
  @CsvSource({
    "app,     WEB-INF/classes, WEB-INF/lib/b.jar,     nested_jar",
    "app,     BOOT-INF/classes, BOOT-INF/lib/b.jar,   nested_jar",
    "app,     classes,         lib/b.jar,             nested_jar",
    "apps,    one/classes,     one/WEB-INF/lib/b.jar, nested_jar",
    "lib,     classes,         b.jar,                 nested_jar",
    "app,     classes,         rsrc/b.jar,            nested_jar",
    "classes, a,               a/fixture.jar,         resource_jar",
    "classes, a,               META-INF/agent.jar,    resource_jar",
    "classes, a,               a/mylib/b.jar,         resource_jar"
  })
  void jar_in_a_directory_is_as_one_in_a_jar(String input, String classes, String jar, String kind)
      throws IOException {
    Path folder = directory.resolve(input);
    write(folder.resolve(classes).resolve("Agent.class"), FINE);
    write(folder.resolve(jar), "x".getBytes(UTF_8));
    write(
        folder.resolve("META-INF/MANIFEST.MF"),
        "Manifest-Version: 1.0\nRsrc-Class-Path: ./ ./rsrc/b.jar\n\n".getBytes(UTF_8));
    DeterminismReport report = check(folder);

    assertThat(kinds(report)).containsExactly(kind);
    assertThat(report.problems().get(0).toString())
        .startsWith(folder.resolve(jar) + ": not scanned: ")
        .endsWith("name it as an input");
    assertThat(report.isDeterministic()).isEqualTo(kind.equals("resource_jar"));
    assertThat(report.classes()).isEqualTo(1);
  }

  private static void write(Path file, byte[] bytes) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  @Test
  void jar_in_a_directory_that_is_an_input_itself_is_scanned_once() throws IOException {
    write(directory.resolve("app/classes/a/Agent.class"), FINE);
    Files.createDirectories(directory.resolve("app/lib"));
    Path jar = ClassFiles.jar(
        directory.resolve("app/lib/b.jar"),
        Map.of("a/Other.class", ClassFiles.named("a/Other", MILLIS)));

    DeterminismReport scanned = check(directory.resolve("app"), jar);
    assertThat(scanned.problems()).isEmpty();
    assertThat(apis(scanned)).containsExactly("java.lang.System.currentTimeMillis()");
    assertThat(DeterminismScan.of(directory.resolve("app"))
            .withClassPath(List.of(jar))
            .withEntries("**")
            .check()
            .problems())
        .isEmpty();
  }

  @Test
  void link_to_a_directory_is_followed() throws IOException {
    write(directory.resolve("app/a/Agent.class"), MILLIS);
    write(directory.resolve("app/lib/b.jar"), "x".getBytes(UTF_8));
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("app"));
    DeterminismReport report = check(link);

    assertThat(apis(report)).containsExactly("java.lang.System.currentTimeMillis()");
    assertThat(report.problems())
        .extracting(ScanProblem::toString)
        .containsExactly(link + "/lib/b.jar: not scanned: name it as an input");
  }

  @Test
  void jar_of_several_releases_is_read_as_the_running_jdk_does() throws IOException {
    byte[] manifest = "Manifest-Version: 1.0\nMulti-Release: true\n\n".getBytes(UTF_8);
    Map<String, byte[]> entries = new TreeMap<>(Map.of(
        "META-INF/MANIFEST.MF", manifest,
        "META-INF/versions/11/a/Agent.class", NANOS,
        "META-INF/versions/99/a/Agent.class", new byte[] {1},
        "a/Agent.class", MILLIS));
    DeterminismReport report = check(ClassFiles.jar(directory.resolve("many.jar"), entries));
    assertThat(apis(report)).containsExactly("java.lang.System.nanoTime()");
    assertThat(report.problems()).isEmpty();

    entries.remove("META-INF/MANIFEST.MF");
    report = check(ClassFiles.jar(directory.resolve("plain.jar"), entries));
    assertThat(apis(report)).containsExactly("java.lang.System.currentTimeMillis()");
  }

  @Test
  void second_class_with_the_same_name_is_named() throws IOException {
    Path first = ClassFiles.jar(directory.resolve("1.jar"), Map.of("a/Agent.class", NANOS));
    Path second = ClassFiles.jar(directory.resolve("2.jar"), Map.of("a/Agent.class", MILLIS));
    DeterminismReport report = check(first, second);

    assertThat(apis(report)).containsExactly("java.lang.System.nanoTime()");
    assertThat(report.problems())
        .extracting(ScanProblem::toString)
        .containsExactly(second + "!/a/Agent.class: skipped: the class is in an earlier file, too");
  }

  @Test
  void code_of_old_compilers_with_subroutines_is_scanned() throws IOException {
    byte[] old = ClassFiles.agent(Opcodes.V1_4, code -> {
      Label routine = new Label();
      Label end = new Label();
      code.visitJumpInsn(Opcodes.JSR, routine);
      code.visitJumpInsn(Opcodes.GOTO, end);
      code.visitLabel(routine);
      code.visitVarInsn(Opcodes.ASTORE, 0);
      code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", "nanoTime", "()J", false);
      code.visitInsn(Opcodes.POP2);
      code.visitVarInsn(Opcodes.RET, 0);
      code.visitLabel(end);
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC, "java/lang/System", "currentTimeMillis", "()J", false);
      code.visitInsn(Opcodes.POP2);
    });
    Files.write(directory.resolve("Agent.class"), old);
    DeterminismReport report = check(directory);

    assertThat(apis(report))
        .containsExactly("java.lang.System.currentTimeMillis()", "java.lang.System.nanoTime()");
    assertThat(report.problems()).isEmpty();
  }

  @Test
  void code_that_takes_more_than_the_stack_has_is_broken() throws IOException {
    byte[] wrong = ClassFiles.agent(Opcodes.V1_4, code -> code.visitInsn(Opcodes.POP));
    Files.write(directory.resolve("Agent.class"), wrong);

    assertThat(check(directory).problems())
        .extracting(ScanProblem::toString)
        .containsExactly(directory.resolve("Agent.class")
            + ": not a valid class file: an instruction needs more values than the stack has");
  }

  @Test
  void deeply_nested_annotations_are_a_problem() throws IOException {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "a/Agent", null, "java/lang/Object", null);
    AnnotationVisitor nested = writer.visitAnnotation("La/A;", true);
    for (int i = 0; i < 200_000; i++) {
      AnnotationVisitor inner = nested.visitAnnotation("a", "La/A;");
      nested.visitEnd();
      nested = inner;
    }
    nested.visitEnd();
    writer.visitEnd();
    Files.write(directory.resolve("Agent.class"), writer.toByteArray());

    assertThat(check(directory).problems())
        .extracting(ScanProblem::toString)
        .containsExactly(directory.resolve("Agent.class") + ": nested too deeply to be read");
  }

  @Test
  void method_with_many_jumps_and_variables_is_too_large() throws IOException {
    assertTooLarge(code -> {
      code.visitInsn(Opcodes.ICONST_0);
      code.visitVarInsn(Opcodes.ISTORE, 65_000);
      jumps(code, 5_000);
    });
  }

  @Test
  void method_with_many_jumps_handlers_and_variables_is_too_large() throws IOException {
    assertTooLarge(code -> {
      code.visitInsn(Opcodes.ICONST_0);
      code.visitVarInsn(Opcodes.ISTORE, 5_000);
      handle(code, 100, () -> jumps(code, 2_000));
    });
  }

  @Test
  @Tag("slow")
  void method_with_many_jumps_and_a_deep_stack_is_too_large() throws IOException {
    assertTooLarge(code -> {
      for (int i = 0; i < 20_000; i++) {
        code.visitInsn(Opcodes.ICONST_0);
      }
      jumps(code, 1_500);
      for (int i = 0; i < 20_000; i++) {
        code.visitInsn(Opcodes.POP);
      }
    });
  }

  @Test
  @Tag("slow")
  void method_that_sorts_collections_with_a_deep_stack_is_too_large() throws IOException {
    assertTooLarge(code -> {
      for (int i = 0; i < 15_000; i++) {
        code.visitInsn(Opcodes.ACONST_NULL);
      }
      code.visitTypeInsn(Opcodes.NEW, "java/util/ArrayList");
      for (int i = 0; i < 8_000; i++) {
        code.visitInsn(Opcodes.DUP);
        code.visitMethodInsn(
            Opcodes.INVOKESTATIC, "java/util/Collections", "sort", "(Ljava/util/List;)V", false);
      }
      for (int i = 0; i <= 15_000; i++) {
        code.visitInsn(Opcodes.POP);
      }
    });
  }

  @Test
  void method_with_many_handlers_stores_and_variables_is_followed() throws IOException {
    byte[] large = ClassFiles.agent(Opcodes.V1_4, code -> {
      handle(code, 100, () -> {
        for (int i = 0; i < 1_000; i++) {
          code.visitInsn(Opcodes.ACONST_NULL);
          code.visitVarInsn(Opcodes.ASTORE, 20 * i);
        }
        millis(code);
      });
    });
    Files.write(directory.resolve("Agent.class"), large);
    DeterminismReport report = check(directory);

    assertThat(report.problems()).isEmpty();
    assertThat(apis(report)).containsExactly("java.lang.System.currentTimeMillis()");
  }

  @Test
  void lambda_in_a_method_that_is_too_large_counts_as_called() throws IOException {
    Handle nanos = new Handle(Opcodes.H_INVOKESTATIC, "java/lang/System", "nanoTime", "()J", false);
    Type type = Type.getMethodType("()V");
    assertTooLarge(
        code -> {
          code.visitInsn(Opcodes.ICONST_0);
          code.visitVarInsn(Opcodes.ISTORE, 65_000);
          jumps(code, 5_000);
          code.visitInvokeDynamicInsn("run", "()Ljava/lang/Runnable;", LAMBDA, type, nanos, type);
          code.visitVarInsn(Opcodes.ASTORE, 1);
        },
        "java.lang.System.nanoTime()");
  }

  @Test
  void chain_of_many_lambdas_is_scanned() throws IOException {
    Type type = Type.getMethodType("()V");
    Type captures = Type.getMethodType("(Ljava/lang/Runnable;)V");
    Handle last = new Handle(Opcodes.H_INVOKESTATIC, "java/lang/System", "gc", "()V", false);
    byte[] chain = ClassFiles.agent(Opcodes.V1_8, code -> {
      Handle next =
          new Handle(Opcodes.H_INVOKESTATIC, "a/Other", "next", captures.getDescriptor(), false);
      code.visitInvokeDynamicInsn("run", "()Ljava/lang/Runnable;", LAMBDA, type, last, type);
      for (int i = 0; i < 10_000; i++) {
        code.visitInvokeDynamicInsn(
            "run", "(Ljava/lang/Runnable;)Ljava/lang/Runnable;", LAMBDA, type, next, type);
      }
      code.visitInsn(Opcodes.POP);
      millis(code);
    });
    Files.write(directory.resolve("Agent.class"), chain);

    assertThat(apis(check(directory))).containsExactly("java.lang.System.currentTimeMillis()");
  }

  /** Writes jumps, each to the next instruction but one. */
  private static void jumps(MethodVisitor code, int count) {
    for (int i = 0; i < count; i++) {
      Label next = new Label();
      code.visitInsn(Opcodes.ICONST_0);
      code.visitJumpInsn(Opcodes.IFEQ, next);
      code.visitInsn(Opcodes.NOP);
      code.visitLabel(next);
    }
  }

  private static void handle(MethodVisitor code, int count, Runnable body) {
    Label start = new Label();
    Label end = new Label();
    Label after = new Label();
    code.visitLabel(start);
    body.run();
    code.visitLabel(end);
    code.visitJumpInsn(Opcodes.GOTO, after);
    for (int i = 0; i < count; i++) {
      Label handler = new Label();
      code.visitTryCatchBlock(start, end, handler, null);
      code.visitLabel(handler);
      code.visitInsn(Opcodes.POP);
      code.visitJumpInsn(Opcodes.GOTO, after);
    }
    code.visitLabel(after);
  }

  private static void millis(MethodVisitor code) {
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC, "java/lang/System", "currentTimeMillis", "()J", false);
    code.visitInsn(Opcodes.POP2);
  }

  /** Asserts that only a method of a class is too large, and that its calls are found. */
  private void assertTooLarge(ClassFiles.Body body, String... others) throws IOException {
    int version = others.length == 0 ? Opcodes.V1_4 : Opcodes.V1_8;
    byte[] large = ClassFiles.agent(version, code -> {
      body.write(code);
      millis(code);
    });
    Path file = Files.write(directory.resolve("Agent.class"), ClassFiles.withRandom(large));
    DeterminismReport report = check(directory);

    assertThat(kinds(report)).containsExactly("method_too_large");
    assertThat(report.problems().get(0))
        .hasToString(file + ": run() has too many variables, jumps or handlers: the order of"
            + " elements in it is not checked");
    assertThat(report.isDeterministic()).isFalse();
    List<String> found = new ArrayList<>(List.of(others));
    found.addAll(List.of("java.lang.System.currentTimeMillis()", "java.lang.Math.random()"));
    assertThat(apis(report)).containsExactlyInAnyOrderElementsOf(found);
  }

  @Test
  void missing_supertypes_and_called_classes_are_named() throws IOException {
    Path jar = ClassFiles.jar(
        directory.resolve("a.jar"),
        Map.of("a/Agent.class", ClassFiles.calling("org/example/Clock", "now", "()J")));
    assertThat(check(jar).unresolved()).containsExactly("org.example.Clock");

    Path classPath =
        ClassFiles.jar(directory.resolve("b.jar"), Map.of("org/example/Clock.class", NANOS));
    DeterminismReport resolved = DeterminismScan.of(jar)
        .withEntries("**")
        .withClassPath(List.of(classPath))
        .check();
    assertThat(resolved.unresolved()).isEmpty();
    assertThat(resolved.findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../secret/Clock", "/secret/Clock", "a/../../secret/Clock", "a\0b"})
  void class_is_not_looked_for_outside_of_the_class_path(String name) throws IOException {
    write(directory.resolve("secret/Clock.class"), ClassFiles.named(name, NANOS));
    write(directory.resolve("in/a/Agent.class"), ClassFiles.calling(name, "now", "()J"));
    DeterminismReport report = DeterminismScan.of(directory.resolve("in"))
        .withEntries("**")
        .withClassPath(List.of(Files.createDirectories(directory.resolve("libraries"))))
        .check();

    assertThat(report.unresolved()).containsExactly(name.replace('/', '.'));
    assertThat(report.problems()).isEmpty();
  }
}
