package dev.agentreplay.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventTextTest {

  private static final ContentHash HASH = ContentHash.sha256(new byte[0]);

  static Stream<Arguments> event_is_described_in_one_line() {
    Timestamp time = Timestamp.parse("2026-01-13T10:00:00Z");
    return Stream.of(
        Arguments.of(RecordingGap.of(3), "gap, events not recorded: 3"),
        Arguments.of(
            RecordingGap.of(1).withSince(time).withReason("no space"),
            "gap, events not recorded: 1, since 2026-01-13T10:00:00Z: no space"),
        Arguments.of(
            LogSegment.of(2, 7, 512, HASH), "segment 2, lines before: 7, bytes before: 512"),
        line(
            "{'event':'ReplayHeader','session_id':'s','replay_version':1,'producer':'p'}",
            "log of p, format version 1, session s"),
        line("{'event':'ReplayHeader','replay_version':1}", "log, format version 1"),
        line(
            "{'event':'ReplayHeader','replay_version':1,'replay_of':"
                + "{'mode':'mock','session_id':'s','tree_root':'" + HASH + "','tree_size':4}}",
            "log, format version 1, mock replay of session s"),
        line(
            "{'event':'ReplayHeader','replay_of':" + "{'mode':'full','tree_root':'" + HASH
                + "','tree_size':4}}",
            "log, full replay of " + HASH),
        line(
            "{'event':'RecordedValue','source':'random','ordinal':0,'value':17,"
                + "'replayed':{'action':'served','line':4,'match':'position'}}",
            "value 0 of random: 17 (served)"),
        line(
            "{'event':'RecordedValue','source':'random','ordinal':0,'value':'" + "x".repeat(90)
                + "','agent':'a','replayed':{'action':'refused by the user'}}",
            "[a] value 0 of random: \"" + "x".repeat(62) + "… (refused b…)"),
        line(
            "{'event':'SessionStart','session_id':'s','issue_number':7,'policy_bundle_id':'b',"
                + "'task':'Mend $1 | {task}'}",
            "session s, policy b, issue 7: Mend $1 | {task}"),
        line(
            "{'event':'SessionStart','session_id':'s','environment':'ci','tags':['a','b'],"
                + "'task':'Fix it','user':'kim'}",
            "session s, user kim, environment ci: Fix it, tags [a, b]"),
        line("{'event':'PlanStart','plan_hash':null,'step_count':2}", "plan, steps: 2"),
        line("{'event':'StepComplete','step_id':'a','status':'success'}", "step a: success"),
        line(
            "{'event':'Verification','commands':['make','lint'],'exit_codes':[0,1]}",
            "checked: make -> 0; lint -> 1"),
        line(
            "{'event':'Payment','rail':'lightning','amount_msats':5}",
            "payment of msats 5 over lightning"),
        line(
            "{'event':'RuntimeEvent','runtime_event_type':'retry','payload':{'n':1}}",
            "runtime retry {\"n\":1}"),
        line(
            "{'event':'ModelResult','id':'m1','finish_reason':'STOP','tokens_in':3,'tokens_out':4,"
                + "'answer':'Done.'}",
            "answer m1, STOP, tokens read: 3, written: 4: Done."),
        line(
            "{'event':'ModelResult','id':'m1','answer':'Done.','chunks':[[1230,2],[1240,3]]}",
            "answer m1, streamed in 2 pieces, first after 1,230 ms: Done."),
        line(
            "{'event':'ModelResult','id':'m1','answer':null,'partial':true,"
                + "'error':{'name':'Timeout','message':' no answer '}}",
            "answer m1, failed: no answer"),
        line(
            "{'event':'ModelResult','id':'m1','error':{'name':'Timeout','message':' '}}",
            "answer m1, failed: Timeout"),
        line(
            "{'event':'ModelResult','id':'m1','error':{'code':429}}",
            "answer m1, failed: {\"code\":429}"),
        line(
            "{'event':'ModelResult','id':'m1','answer':'It is','partial':true,"
                + "'chunks':[[30,5]],'error':{'name':'Timeout'}}",
            "answer m1, failed, streamed in 1 piece, first after 30 ms: It is"),
        line("{'event':'ModelResult','id':'m1','answer':null}", "answer m1: null"),
        line(
            "{'event':'ModelResult','id':'m1','answer':[{'type':'text','text':'Reading.'},"
                + "{'type':'tool_use','name':'read','input':{'path':'a'}}]}",
            "answer m1: Reading.  → read(path: \"a\")"),
        line(
            "{'event':'ModelResult','id':'m1','answer':{'temperature':20}}",
            "answer m1: {\"temperature\":20}"),
        line(
            "{'event':'ToolResult','id':'c1','ok':false,'output':null,"
                + "'error':{'name':'Refused','message':'try later'}}",
            "#?   -> failed             try later"),
        line("{'event':'Settings','values':{'a':1}}", "settings: {\"a\":1}"),
        Arguments.of(FileState.created("f", HASH, 9), "file f: created, bytes: 9"),
        Arguments.of(FileState.changed("f", HASH, HASH, 0), "file f: changed, bytes: 0"),
        Arguments.of(
            FileState.changed("f", HASH, HASH, 0).withMode("100755"),
            "file f: changed, bytes: 0, mode: 100755"),
        Arguments.of(FileState.deleted("f", HASH), "file f: deleted"),
        line(
            "{'event':'RecordedValue','source':'clock','ordinal':0,'value':'now'}",
            "value 0 of clock: \"now\""),
        Arguments.of(Checkpoint.of(new TreeHead(8, HASH)), "checkpoint of lines: 8"),
        line(
            "{'event':'SessionEnd','status':'failed','confidence':0.5,'total_tool_calls':2,"
                + "'total_latency_ms':30}",
            "end: failed, confidence 0.5, tool calls: 2, latency in ms: 30"),
        line("{'event':'Custom','a':1}", "unknown event Custom {\"a\":1}"),
        prompt(
            "{'messages':[{'content':'Hi','role':'system'},{'content':' Mend it."
                + " ','role':'user'}]}",
            "message 2, Mend it."),
        prompt(
            "{'messages':[{'content':[{'text':'Look','type':'text'}],'role':'user'}]}",
            "message 1, Look"),
        prompt(
            "{'messages':[{'contents':[{'text':'Look','type':'TEXT'}],'type':'USER'}]}",
            "message 1, Look"),
        prompt("{'messages':[{'content':null,'text':'Be brief.'}]}", "message 1, Be brief."),
        prompt("{'messages':[{'content':[],'x':1}]}", "message 1, {\"content\":[],\"x\":1}"),
        prompt("{'messages':[]}", "{\"messages\":[]}"),
        prompt("'Mend it.'", "Mend it."));
  }

  private static Arguments line(String json, String text) {
    JsonObject line = (JsonObject) JsonText.parse(json.replace('\'', '"'));
    return Arguments.of(Dialect.EVENT.decode(line).event(), text);
  }

  private static Arguments prompt(String json, String text) {
    JsonValue prompt;
    try {
      prompt = JsonText.parse(json.replace('\'', '"'));
    } catch (JsonSyntaxException e) {
      throw new IllegalArgumentException(json, e);
    }
    ModelCall call = ModelCall.of("m1", "gpt", Prompt.of("")).withPrompt(Content.of(prompt));
    return Arguments.of(call, "model m1 gpt: " + text);
  }

  @ParameterizedTest
  @MethodSource
  void event_is_described_in_one_line(ReplayEvent event, String text) {
    assertThat(new EventText(new Style(false), 100).render(event)).isEqualTo(text);
  }
}
