package dev.agentreplay.lint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.agents.OrderKept;
import com.example.agents.Orders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/** Jars and class files that are broken, of other versions, or not made by a compiler. */
class UnusualInputsTest {

  private static final byte[] MILLIS =
      ClassFiles.calling("java/lang/System", "currentTimeMillis", "()J");
  private static final byte[] NANOS = ClassFiles.calling("java/lang/System", "nanoTime", "()J");

  private static final byte[] FINE = ClassFiles.calling("java/lang/Math", "abs", "()J");

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
  void method_with_many_jumps_and_variables_is_a_problem() throws IOException {
    byte[] large = ClassFiles.agent(Opcodes.V1_4, code -> {
      code.visitInsn(Opcodes.ICONST_0);
      code.visitVarInsn(Opcodes.ISTORE, 65_000);
      for (int i = 0; i < 5_000; i++) {
        Label next = new Label();
        code.visitInsn(Opcodes.ICONST_0);
        code.visitJumpInsn(Opcodes.IFEQ, next);
        code.visitInsn(Opcodes.NOP);
        code.visitLabel(next);
      }
    });
    Files.write(directory.resolve("Agent.class"), large);

    assertThat(check(directory).problems())
        .extracting(ScanProblem::toString)
        .containsExactly(directory.resolve("Agent.class")
            + ": not a valid class file: a method has too many variables, jumps or handlers to be"
            + " followed");
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
}
