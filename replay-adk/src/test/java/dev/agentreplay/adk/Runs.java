package dev.agentreplay.adk;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.RunConfig;
import com.google.adk.agents.RunConfig.StreamingMode;
import com.google.adk.events.Event;
import com.google.adk.plugins.Plugin;
import com.google.adk.runner.InMemoryRunner;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.session.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Runs agents, without and with a plugin. */
final class Runs {

  static final RunConfig SSE =
      RunConfig.builder().streamingMode(StreamingMode.SSE).build();

  private Runs() {}

  static Content user(String text) {
    return Content.fromParts(Part.fromText(text));
  }

  /** Runs an agent once, and returns its events. */
  static List<Event> run(BaseAgent agent, Content message, RunConfig config, Plugin... plugins) {
    InMemoryRunner runner = new InMemoryRunner(agent, "app", List.of(plugins));
    com.google.adk.sessions.Session conversation =
        runner.sessionService().createSession("app", "alice").blockingGet();
    List<Event> events = new ArrayList<>();
    runner.runAsync("alice", conversation.id(), message, config).blockingForEach(events::add);
    return events;
  }

  static List<Event> run(BaseAgent agent, Plugin... plugins) {
    return run(agent, user("go"), RunConfig.builder().build(), plugins);
  }

  /** The parts of events that an application sees: authors, contents, errors and effects. */
  static List<String> shown(List<Event> events) {
    return events.stream()
        .map(event -> (event.author()
                + " " + event.partial().orElse(false)
                + " " + event.content().map(Runs::canonical).orElse("")
                + " " + event.errorCode().map(Object::toString).orElse("")
                + " " + event.actions().stateDelta()
                + " " + event.actions().transferToAgent().orElse("")
                + " " + event.actions().escalate().orElse(false))
            .replaceAll("adk-[0-9a-f-]+", "adk-id"))
        .toList();
  }

  private static String canonical(Content content) {
    return CanonicalJson.SERDE.text(GenAiJson.form(content).value());
  }

  /** Records a run, which may fail. */
  static Recorded record(Path sessions, BaseAgent agent, RunConfig config, Plugin... others) {
    try (AdkRecorder recorder = AdkRecorder.into(sessions)) {
      List<Plugin> plugins = new ArrayList<>(List.of(recorder.plugin()));
      plugins.addAll(List.of(others));
      try {
        run(agent, user("go"), config, plugins.toArray(Plugin[]::new));
      } catch (RuntimeException e) {
        // recorded
      }
      assertThat(recorder.failures()).isZero();
    }
    return Recorded.only(sessions).isValid();
  }

  static Recorded record(Path sessions, BaseAgent agent, Plugin... others) {
    return record(sessions, agent, RunConfig.builder().build(), others);
  }

  /** Runs an agent in a scope. */
  static List<Event> run(AgentScope scope, BaseAgent agent, Plugin... others) {
    List<Plugin> plugins = new ArrayList<>(List.of(AdkReplayer.of(scope).plugin()));
    plugins.addAll(List.of(others));
    return run(agent, user("go"), RunConfig.builder().build(), plugins.toArray(Plugin[]::new));
  }

  static ReplayReport replay(
      Session session, ReplayPolicy policy, Supplier<BaseAgent> agent, Plugin... others)
      throws Exception {
    return Replay.of(session).policy(policy).run(scope -> {
      try {
        run(scope, agent.get(), others);
      } catch (RuntimeException e) {
        // as the run that was recorded
      }
    });
  }

  static ReplayReport mock(Session session, Supplier<BaseAgent> agent, Plugin... others)
      throws Exception {
    return replay(session, ReplayPolicy.of(ReplayMode.MOCK), agent, others);
  }

  static void assertIdentical(ReplayReport report) {
    assertThat(report.verdict())
        .as(
            "%s %s %s %s",
            report.headline(), report.divergences(), report.incomplete(), report.failure())
        .isEqualTo(ReplayVerdict.IDENTICAL);
  }
}
