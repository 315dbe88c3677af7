package dev.agentreplay.publish.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestSessions;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs as they would be published, verified like any other log. */
class PublishedSessionsTest {

  private static final String COMMITMENT = "sha256:" + "c".repeat(64);

  @TempDir
  Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"open_source", "private_repo", "paranoid"})
  void a_published_session_has_no_error(String preset) throws IOException {
    assertNoNewErrors(session(), PublicationPolicy.preset(preset));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\"base\":\"open_source\",\"events\":{\"ToolResult\":{\"latency_ms\":\"withhold\"}}"
      })
  void a_session_published_under_a_policy_of_its_own_has_no_error(String policy)
      throws IOException {
    assertNoNewErrors(session(), PublicationPolicy.parse(Lines.document(policy)));
  }

  @Test
  @Tag("slow")
  void a_published_session_of_the_corpus_has_no_error() throws IOException {
    for (Path session : TestSessions.corpusSessions()) {
      for (String preset : PublicationPolicy.presets()) {
        assertNoNewErrors(session, PublicationPolicy.preset(preset));
      }
    }
  }

  /** A session in which something of everything is redacted. */
  private Path session() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(
        "{\"created_at\":\"2026-01-13T10:00:00Z\",\"event\":\"ReplayHeader\",\"producer\":\"p@1\","
            + "\"replay_version\":1,\"salt\":\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\"}");
    lines.add(
        "{\"event\":\"SessionStart\",\"issue_number\":4,\"policy_version\":\"v\",\"session_id\":\"s\",\"t\":\"2026-01-13T10:00:01Z\",\"task\":\"x\"}");
    lines.add(call("m_1", "{'messages':['cd /home/alice','b']}"));
    lines.add(hashed(
        "{'event':'ModelResult','id':'m_1','answer':'x SECRET-1','chunks':[[1,10]],'answer_preview':'x SECRET-1'}",
        "answer"));
    lines.add(call("m_2", "{'messages':['a','b']}"));
    lines.add(json("{'event':'ModelResult','id':'m_2'}").toString());
    JsonObject second = json("{'messages':['a','b','c']}");
    lines.add(
        json("{'event':'ModelCall','id':'m_3','prompt_delta':{'base':'m_2','slices':{'/messages':[{'from':0,'to':2},{'new':['c']}]}}}")
            .with("prompt_hash", CanonicalJson.SERDE.hash(second).toString())
            .toString());
    lines.add(hashed(
        "{'event':'ModelResult','id':'m_3','answer':'shown','chunks':[[1,5]],'answer_preview':'shown'}",
        "answer"));
    lines.add(hashed(
        "{'event':'ToolCall','id':'SECRET-2','step_id':'1','tool':'shell','params':{'command':'cat /home/alice/x'},'agent':'a'}",
        "params"));
    lines.add(hashed(
        "{'event':'ToolResult','id':'SECRET-2','exit_code':0,'latency_ms':40,'step_utility':1.0,'output':'ok','output_preview':'ok','agent':'a','side_effects':[{'FileWrite':'a'},'fs_read']}",
        "output"));
    lines.add(
        json("{'event':'Verification','commands':['a','b'],'exit_codes':[0,1],'verification_delta':2}")
            .toString());
    lines.add(
        json("{'event':'RecordedValue','source':'environment:HOME','ordinal':0,'value':'/home/alice'}")
            .toString());
    lines.add(json("{'event':'FileState','path':'a','hash_before':null,'hash_after':'" + COMMITMENT
            + "'}")
        .toString());
    lines.add(json("{'event':'Mystery','a':1}").toString());
    lines.add(
        json("{'confidence':1.0,'event':'SessionEnd','status':'Success','total_latency_ms':40,'total_tool_calls':1}")
            .toString());
    Path session = Files.createDirectories(directory.resolve("original"));
    List<String> canonical =
        lines.stream().map(line -> CanonicalJson.SERDE.text(Lines.json(line))).toList();
    Files.writeString(session.resolve("REPLAY.jsonl"), String.join("\n", canonical) + "\n");
    assertThat(errors(session)).isEmpty();
    return session;
  }

  private static String call(String id, String prompt) {
    JsonObject json = json("{'event':'ModelCall','id':'" + id + "','prompt':" + prompt + "}");
    return hashed(json.toString(), "prompt");
  }

  private static String hashed(String line, String content) {
    JsonObject json = json(line);
    return json.with(
            content + "_hash", CanonicalJson.SERDE.hash(json.at("/" + content)).toString())
        .toString();
  }

  private static JsonObject json(String text) {
    return Lines.json(text.replace('\'', '"'));
  }

  private void assertNoNewErrors(Path session, PublicationPolicy policy) throws IOException {
    Path published = Files.createTempDirectory(directory, "published");
    StringBuilder log = new StringBuilder();
    Session opened = Session.open(session);
    try (ReplayReader reader = ReplayReader.open(opened.log())) {
      LinePolicy lines = null;
      CanonicalJson canonical = CanonicalJson.SERDE;
      for (ReplayLine line : reader) {
        if (lines == null) {
          Dialect dialect = reader.dialect();
          lines = new LinePolicy(policy, Lines.SECRETS, dialect, Lines.KEY);
        }
        JsonObject shown = shown(line.json(), lines.treat(line), canonical);
        log.append(canonical.text(shown)).append('\n');
      }
    }
    Files.writeString(published.resolve("REPLAY.jsonl"), log);

    assertThat(errors(published)).as("%s %s", session, policy.id()).isSubsetOf(errors(session));
  }

  /** The part of a line that a publisher shows, with any commitments. */
  private static JsonObject shown(JsonObject line, Treatment treatment, CanonicalJson canonical) {
    JsonObject shown = Lines.shown(line, treatment).asObject();
    if (treatment instanceof Treatment.Members members) {
      for (Map.Entry<String, Treatment> member : members.members().entrySet()) {
        if (member.getValue() instanceof Treatment.Hash hash) {
          JsonValue value = shown.get(hash.member());
          shown = shown.with(
              member.getKey(),
              value == null ? COMMITMENT : canonical.hash(value).toString());
        }
      }
    }
    return shown;
  }

  private static Set<FindingCode> errors(Path session) throws IOException {
    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(session));
    Set<FindingCode> errors = new TreeSet<>(report.findingCounts().keySet());
    errors.removeIf(code -> code.severity().compareTo(Severity.INFO) == 0
        || code.severity().compareTo(Severity.WARNING) == 0);
    return errors;
  }
}
