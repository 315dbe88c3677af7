package dev.agentreplay.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.lint.pattern.Suppression;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.ReportSchemas;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.Opcodes;

/** The forms of a report. */
class LintReportTest {

  @TempDir
  Path directory;

  private DeterminismReport report() throws IOException {
    byte[] agent = ClassFiles.agent(Opcodes.V17, code -> {
      for (String method : List.of("nanoTime", "currentTimeMillis")) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", method, "()J", false);
        code.visitInsn(Opcodes.POP2);
      }
      code.visitMethodInsn(Opcodes.INVOKESTATIC, "a/Missing", "method", "()V", false);
    });
    Path jar = ClassFiles.jar(
        directory.resolve("a.jar"), Map.of("a/Agent.class", agent, "lib/b\u001b.jar", new byte[0]));
    List<Suppression> suppressions = Suppression.parse(
        "s",
        """
        a.** of java.lang.System.nanoTime because it is only logged
        a.Other because nothing
        """);
    return DeterminismScan.of(jar)
        .withEntries("a.**", "b.C")
        .withSuppressions(suppressions)
        .check();
  }

  @Test
  void text() throws IOException {
    assertThat(report()
            .toString()
            .replace(directory.toString(), "DIR")
            .replaceAll("(scanned:|unpack|the|outer)\\n +", "$1 "))
        .isEqualTo(
            """
            1 nondeterministic call

            clock  java.lang.System.currentTimeMillis()
                at a.Agent.run(Agent.java:7)
                use context.clock().millis()

              scanned     1 class, 1 method; 1 method reached from 1 entry point
              no entry    b.C
              suppressed  clock java.lang.System.nanoTime() at a.Agent.run(Agent.java:7), because it is only
                          logged
              unused      a.Other (s:2) covers no finding: remove it
              problems    DIR/a.jar!/lib/b␛.jar: not scanned: unpack the outer jar
              unresolved  a.Missing
            """);
  }

  @Test
  void json() throws IOException {
    assertThat(report().toJson().toString().replace(directory.toString(), "DIR"))
        .isEqualTo(
            "{\"schema\":\"replay.lint/1\",\"deterministic\":false,\"classes\":1,\"methods\":1,"
                + "\"entry_points\":1,\"reached_methods\":1,\"categories\":{\"clock\":1},"
                + "\"findings\":[{\"category\":\"clock\","
                + "\"api\":\"java.lang.System.currentTimeMillis()\",\"detail\":null,"
                + "\"class\":\"a.Agent\",\"method\":\"run\",\"file\":\"Agent.java\",\"line\":7,"
                + "\"remedy\":\"context.clock().millis()\","
                + "\"path\":[{\"class\":\"a.Agent\",\"method\":\"run\",\"file\":\"Agent.java\","
                + "\"line\":7}]}],"
                + "\"suppressed\":[{\"category\":\"clock\","
                + "\"api\":\"java.lang.System.nanoTime()\",\"detail\":null,"
                + "\"class\":\"a.Agent\",\"method\":\"run\",\"file\":\"Agent.java\",\"line\":7,"
                + "\"remedy\":\"context.nanoTime()\","
                + "\"path\":[{\"class\":\"a.Agent\",\"method\":\"run\",\"file\":\"Agent.java\","
                + "\"line\":7}],"
                + "\"suppression\":\"a.** of java.lang.System.nanoTime\","
                + "\"reason\":\"it is only logged\",\"source\":\"s:1\"}],"
                + "\"unused_suppressions\":[{\"suppression\":\"a.Other\",\"reason\":\"nothing\","
                + "\"source\":\"s:2\"}],"
                + "\"problems\":[{\"kind\":\"nested_jar\",\"file\":\"DIR/a.jar!/lib/b\\u001b.jar\","
                + "\"reason\":\"not scanned: unpack the outer jar\",\"unreadable\":true}],"
                + "\"unmatched_entries\":[\"b.C\"],\"unresolved\":[\"a.Missing\"]}");
  }

  @Test
  void json_has_the_form_of_the_schema() throws IOException {
    for (DeterminismReport report : List.of(report(), Seeds.scan().check())) {
      assertThat(ReportSchemas.faults(report.toJson())).isEmpty();
    }
    JsonObject json = report().toJson();
    assertThat(ReportSchemas.faults(json.with("news", 1))).hasSize(1);
    assertThat(ReportSchemas.faults(JsonObject.of("schema", "replay.lint/1"))).isNotEmpty();
  }
}
