package dev.agentreplay.lint.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.watched.AgentAndTool;
import com.example.watched.Traveller;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.model.Status;
import dev.langchain4j.model.chat.ChatModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Announcements of calls while an agent runs. */
class ContextWatchTest {

  private static final String TRAVELLER = Traveller.class.getName();

  @TempDir
  Path directory;

  private final List<WatchedCall> calls = new ArrayList<>();

  private void run(ReplayAgent agent, String name) throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(directory.resolve(name), name)) {
      agent.run(AgentScope.recording(recorder, Executors.none()));
      recorder.end(Status.SUCCESS);
    }
  }

  private static ReplayAgent agent(ClassLoader loader) throws ReflectiveOperationException {
    return agent(loader, TRAVELLER);
  }

  private static ReplayAgent agent(ClassLoader loader, String name)
      throws ReflectiveOperationException {
    return (ReplayAgent) loader.loadClass(name).getConstructor().newInstance();
  }

  @Test
  void calls_outside_of_tools_are_announced_and_made() throws Exception {
    try (ContextWatch watch = ContextWatch.start(calls::add, "com.example.watched.*")) {
      ReplayAgent agent = agent(watch.classLoader(getClass().getClassLoader()));
      assertThat(agent.getClass()).isNotEqualTo(Traveller.class);
      run(agent, "watched");
    }

    assertThat(calls)
        .extracting(WatchedCall::api)
        .containsExactly(
            "java.lang.System.nanoTime()",
            "java.util.Random.<init>()",
            "java.util.UUID.randomUUID()",
            "java.util.UUID.randomUUID()",
            "java.lang.Math.random()");
    assertThat(calls).allSatisfy(call -> {
      assertThat(call.className()).isEqualTo(TRAVELLER);
      assertThat(call.line()).isPositive();
      assertThat(call.remedy()).startsWith("context.");
    });
    assertThat(calls.get(0))
        .hasToString("clock java.lang.System.nanoTime() at %s.<init>:%d"
            .formatted(TRAVELLER, calls.get(0).line()));
  }

  @Test
  @Tag("slow")
  void watched_agent_records_what_it_does_without_a_watch() throws Exception {
    try (ContextWatch watch = ContextWatch.start(call -> {}, "com.example.watched.*")) {
      run(agent(watch.classLoader(getClass().getClassLoader())), "watched");
    }
    run(new Traveller(), "plain");

    assertThat(params("watched")).hasSize(4).isEqualTo(params("plain"));
  }

  @Test
  void agent_that_is_a_tool_itself_is_one_only_in_the_methods_of_tools() throws Exception {
    try (ContextWatch watch = ContextWatch.start(calls::add, "com.example.watched.*")) {
      ClassLoader loader = watch.classLoader(getClass().getClassLoader());
      run(agent(loader, AgentAndTool.class.getName()), "both");
    }

    assertThat(calls).extracting(WatchedCall::api).containsExactly("java.lang.System.nanoTime()");
  }

  private List<String> params(String name) throws IOException {
    List<String> params = new ArrayList<>();
    for (String line : Files.readAllLines(Session.open(directory.resolve(name)).log())) {
      if (line.contains("\"event\":\"ToolCall\"")) {
        params.add(line.replaceAll(".*(\"params\":.*?),\"params_hash.*", "$1"));
      }
    }
    return params;
  }

  @Test
  void closed_watch_announces_nothing() throws Exception {
    ContextWatch watch = ContextWatch.start(calls::add, "com.example.watched.**");
    ReplayAgent agent = agent(watch.classLoader(getClass().getClassLoader()));
    watch.close();
    calls.clear();
    run(agent, "closed");

    assertThat(calls).isEmpty();
  }

  @Test
  void exception_of_the_listener_reaches_the_agent_and_patterns_apply() throws Exception {
    LintPatterns patterns =
        LintPatterns.defaults().plus("test", "allow java.lang.**\nallow java.util.Random");
    try (ContextWatch watch = ContextWatch.start(
        call -> {
          throw new IllegalStateException(call.toString());
        },
        patterns,
        TRAVELLER)) {
      ReplayAgent agent = agent(watch.classLoader(getClass().getClassLoader()));
      assertThatThrownBy(() -> run(agent, "thrown"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("id java.util.UUID.randomUUID() at " + TRAVELLER + ".run:");
    }
  }

  @Test
  void transformer_changes_only_watched_classes() throws Exception {
    byte[] bytes;
    try (InputStream in = Traveller.class.getResourceAsStream("Traveller.class")) {
      bytes = in.readAllBytes();
    }
    String name = TRAVELLER.replace('.', '/');
    try (ContextWatch watch = ContextWatch.start(calls::add, "com.example.watched.*")) {
      assertThat(watch.transformer().transform(null, name, null, null, bytes)).isNotEqualTo(bytes);
      assertThat(watch.transformer().transform(null, "com/example/Other", null, null, bytes))
          .isNull();
    }
  }

  @Test
  void inherited_methods_are_announced_of_classes_in_the_module_path() throws Exception {
    ClassWriter executor = new ClassWriter(0);
    String parent = "java/util/concurrent/ThreadPoolExecutor";
    executor.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "a/Own", null, parent, null);
    executor.visitEnd();
    Files.createDirectories(directory.resolve("modules/a"));
    Files.write(directory.resolve("modules/a/Own.class"), executor.toByteArray());

    Consumer<MethodVisitor> call = code -> {
      code.visitInsn(Opcodes.ACONST_NULL);
      code.visitInsn(Opcodes.ACONST_NULL);
      code.visitMethodInsn(
          Opcodes.INVOKEVIRTUAL, "a/Own", "execute", "(Ljava/lang/Runnable;)V", false);
    };
    LintPatterns patterns = LintPatterns.defaults();
    assertThat(announcing("", patterns, call)).isFalse();
    assertThat(announcing(directory.resolve("modules").toString(), patterns, call))
        .isTrue();
  }

  @Test
  void read_of_a_field_is_announced_by_a_pattern_of_the_field_only() throws Exception {
    Consumer<MethodVisitor> read = code -> {
      code.visitFieldInsn(Opcodes.GETSTATIC, "a/Ids", "last", "J");
      code.visitInsn(Opcodes.POP2);
    };
    LintPatterns defaults = LintPatterns.defaults();
    assertThat(announcing("", defaults.plus("test", "report id a.Ids"), read)).isFalse();
    assertThat(announcing("", defaults.plus("test", "report id a.*"), read)).isFalse();
    assertThat(announcing("", defaults.plus("test", "report id a.Ids.last"), read))
        .isTrue();
  }

  /** Whether a watched class with some code announces anything. */
  private boolean announcing(String modulePath, LintPatterns patterns, Consumer<MethodVisitor> body)
      throws Exception {
    ClassWriter agent = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    agent.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "a/Agent", null, "java/lang/Object", null);
    MethodVisitor code = agent.visitMethod(Opcodes.ACC_STATIC, "run", "()V", null, null);
    body.accept(code);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(0, 0);
    agent.visitEnd();
    String before = System.getProperty("jdk.module.path");
    System.setProperty("jdk.module.path", modulePath);
    try (ContextWatch watch = ContextWatch.start(calls::add, patterns, "a.*")) {
      byte[] changed =
          watch.transformer().transform(null, "a/Agent", null, null, agent.toByteArray());
      return new String(changed, StandardCharsets.ISO_8859_1).contains("WatchHook");
    } finally {
      if (before == null) {
        System.clearProperty("jdk.module.path");
      } else {
        System.setProperty("jdk.module.path", before);
      }
    }
  }

  @Test
  @Tag("slow")
  void changed_classes_of_a_library_pass_the_verifier() throws Exception {
    Path jar = Path.of(
        ChatModel.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> linked = new ArrayList<>();
    try (ContextWatch watch = ContextWatch.start(calls::add, "dev.langchain4j.**");
        JarFile classes = new JarFile(jar.toFile())) {
      ClassLoader loader = watch.classLoader(getClass().getClassLoader());
      for (JarEntry entry : Collections.list(classes.entries())) {
        String name = entry.getName();
        if (name.startsWith("dev/langchain4j/") && name.endsWith(".class")) {
          try {
            String className = name.substring(0, name.length() - 6).replace('/', '.');
            linked.add(Class.forName(className, true, loader).getName());
          } catch (NoClassDefFoundError optional) {
            assertThat(optional).hasMessageNotContaining("dev/langchain4j");
          }
        }
      }
    }
    assertThat(linked).hasSizeGreaterThan(400);
  }

  @Test
  void pattern_of_a_method_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ContextWatch.start(calls::add, "com.example.Agent.run"))
        .withMessage("expected patterns of packages or classes, found [com.example.Agent.run]");
    assertThatIllegalArgumentException().isThrownBy(() -> ContextWatch.start(calls::add));
  }
}
