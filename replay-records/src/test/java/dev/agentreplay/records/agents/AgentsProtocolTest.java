package dev.agentreplay.records.agents;

import static dev.agentreplay.records.internal.ThreeRounds.replay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.agents.AgentsProtocol.WrongAnswerException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of the protocol for agents, as JSON. */
class AgentsProtocolTest {

  private static JsonObject json(String text) {
    return JsonText.parse(text.replace('\'', '"')).asObject();
  }

  private static List<RoundContext> contexts(Feed feed) throws Exception {
    List<RoundContext> contexts = new ArrayList<>();
    replay(context -> {
          contexts.add(context);
          return RoundMessages.of(List.of(SentMessage.of("Red", Type.DELTA, "New")));
        })
        .feed(feed)
        .seed(7L)
        .run();
    return contexts;
  }

  @Test
  void first_request_has_the_inputs_with_the_roster_that_runs() throws Exception {
    assertThat(AgentsProtocol.session(contexts(Feed.RECORDED).get(0)))
        .isEqualTo(
            json(
                """
            {'type':'session','protocol':1,'session_id':'RS1','seed':7,'inputs':{
              'kickoff':{'thread_id':'RS1'},'external_evidence':[],'agent_roster':[
              {'agent_name':'Blue','role':'hypothesis_generator','program':'codex-cli',
               'model':'gpt-5.2'},
              {'agent_name':'Green','role':'test_designer','program':'claude-code',
               'model':'opus-4.5'},
              {'agent_name':'Red','role':'adversarial_critic','program':'gemini-cli',
               'model':'gemini-3'}],
              'protocol_versions':{'delta_format':'v0.1','artifact_schema':'v0.1'}}}
            """));
  }

  @Test
  void request_for_a_round_has_its_messages_turns_and_interventions() throws Exception {
    assertThat(AgentsProtocol.round(contexts(Feed.RECORDED).get(1)))
        .isEqualTo(
            json(
                """
            {'type':'round','round':1,'clock':'2026-01-01T11:00:00Z','feed':'recorded','given':[
              {'from':'Red','type':'CRITIQUE','subject':'CRITIQUE: H1 is vague',
               'text':'H1 is vague','timestamp':'2026-01-01T10:03:00Z'},
              {'from':'Blue','type':'ACK','subject':'ACK: Noted','text':'Noted',
               'timestamp':'2026-01-01T10:04:00Z'}],
             'turns':[
              {'turn':0,'agent':'Green','role':'test_designer','type':'DELTA','before':[
               {'from':'Omar','type':'EVIDENCE','subject':'EVIDENCE: A paper','text':'A paper',
                'timestamp':'2026-01-01T11:01:00Z'}]},
              {'turn':1,'agent':'Blue','role':'hypothesis_generator','type':'DELTA','before':[
               {'from':'Green','type':'DELTA','subject':'DELTA: T1','text':'T1',
                'timestamp':'2026-01-01T11:02:00Z'},
               {'from':'Ghost','type':'RESULT','subject':'RESULT: A stranger',
                'text':'A stranger','timestamp':'2026-01-01T11:03:00Z'}]}],
             'interventions':[
              {'id':'INT-RS1-002','session_id':'RS1','timestamp':'2026-01-01T11:30:00Z',
               'operator_id':'Omar','type':'artifact_edit','severity':'minor','target':{},
               'rationale':'A typing error.','reversible':true}]}
            """));
  }

  @Test
  void request_for_a_round_of_agents_that_run_free_has_no_turns() throws Exception {
    assertThat(AgentsProtocol.round(contexts(Feed.REPLAYED).get(1)).without("interventions"))
        .isEqualTo(
            json(
                """
            {'type':'round','round':1,'clock':'2026-01-01T11:00:00Z','feed':'replayed','given':[
              {'from':'Red','type':'DELTA','text':'New','timestamp':'2026-03-01T00:00:00Z'},
              {'from':'Blue','type':'ACK','subject':'ACK: Noted','text':'Noted',
               'timestamp':'2026-01-01T10:04:00Z'},
              {'from':'Omar','type':'EVIDENCE','subject':'EVIDENCE: A paper','text':'A paper',
               'timestamp':'2026-01-01T11:01:00Z'}],
             'turns':[]}
            """));
  }

  @Test
  void answer_has_messages_an_artifact_and_tokens() throws Exception {
    RoundMessages all = AgentsProtocol.answer(
        json("{'type':'round','round':3,'messages':[{'from':'Blue','type':'DELTA','subject':'S',"
            + "'text':'','timestamp':'2026-01-01T10:00+01:00'},"
            + "{'from':'Red','type':'ACK','text':'y'}],"
            + "'artifact':'# A','tokens_in':5,'tokens_out':0}"),
        3);

    assertThat(all)
        .isEqualTo(new RoundMessages(
            List.of(
                new SentMessage(
                    "Blue", Type.DELTA, "S", "", RecordTime.parse("2026-01-01T10:00+01:00")),
                SentMessage.of("Red", Type.ACK, "y")),
            "# A",
            5,
            0));
    assertThat(AgentsProtocol.answer(json("{'type':'round','round':3,'messages':[]}"), 3))
        .isEqualTo(RoundMessages.of(List.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | type: expected \"round\", found none",
        "{'type':'ready'} | type: expected \"round\", found \"ready\"",
        "{'type':1} | type: expected \"round\", found 1",
        "{'type':'round'} | round: expected an integer, not negative, found none",
        "{'type':'round','round':'3'} | round: expected an integer, not negative, found \"3\"",
        "{'type':'round','round':3.5} | round: expected an integer, not negative, found 3.5",
        "{'type':'round','round':2} | round: expected 3, found 2",
        "{'type':'round','round':3} | messages: expected an array, found none",
        "{'type':'round','round':3,'messages':{}} | messages: expected an array, found {}",
        "{'type':'round','round':3,'mesages':[]} | mesages: expected no member of this name, found []",
        "{'type':'round','round':3,'messages':[1]} | messages[0]: expected an object, found 1",
        "{'type':'round','round':3,'messages':[],'artifact':1} | artifact: expected a string, found 1",
        "{'type':'round','round':3,'messages':[],'artifact':null} | artifact: expected a string, found null",
        "{'type':'round','round':3,'messages':[],'tokens_in':-1} | tokens_in: expected an integer, not negative, found -1",
        "{'type':'round','round':3,'messages':[],'tokens_out':'2'} | tokens_out: expected an integer, not negative, found \"2\"",
        "{'type':'round','round':3,'messages':[],'tokens_in':1e99} | tokens_in: expected an integer, not negative, found 1e99",
      })
  void answer_that_is_not_one_of_the_protocol_is_refused(String answer, String message) {
    assertThatExceptionOfType(WrongAnswerException.class)
        .isThrownBy(() -> AgentsProtocol.answer(json(answer), 3))
        .withMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | messages[1].from: expected a string, found none",
        "{'from':1} | messages[1].from: expected a string, found 1",
        "{'from':'A'} | messages[1].type: expected one of DELTA, CRITIQUE, ACK, EVIDENCE, RESULT, ADMIN, COMPILE, PUBLISH, found none",
        "{'from':'A','type':'delta'} | PUBLISH, found \"delta\"",
        "{'from':'A','type':'DELTA'} | messages[1].text: expected a string, found none",
        "{'from':'A','type':'DELTA','text':null} | messages[1].text: expected a string, found null",
        "{'from':'A','type':'DELTA','text':'x','subject':[]} | messages[1].subject: expected a string, found []",
        "{'from':'A','type':'DELTA','text':'x','timestamp':'today'} | messages[1].timestamp: expected an ISO 8601 time with offset, found \"today\"",
        "{'from':'A','type':'DELTA','text':'x','timestamp':5} | messages[1].timestamp: expected a string, found 5",
        "{'from':'A','type':'DELTA','text':'x','body':'y'} | messages[1].body: expected no member of this name, found \"y\"",
      })
  void message_that_is_not_one_of_the_protocol_is_refused(String wrong, String message) {
    String answer = "{'type':'round','round':3,'messages':["
        + "{'from':'A','type':'DELTA','text':'x'}," + wrong + "]}";
    assertThatExceptionOfType(WrongAnswerException.class)
        .isThrownBy(() -> AgentsProtocol.answer(json(answer), 3))
        .withMessageContaining(message);
  }

  @Test
  void answer_to_the_first_request_is_ready() throws Exception {
    AgentsProtocol.requireReady(json("{'type':'ready'}"));

    assertThatExceptionOfType(WrongAnswerException.class)
        .isThrownBy(() -> AgentsProtocol.requireReady(json("{'type':'round','round':0}")))
        .withMessage("type: expected \"ready\", found \"round\"");
    assertThatExceptionOfType(WrongAnswerException.class)
        .isThrownBy(() -> AgentsProtocol.requireReady(json("{'type':'ready','name':'x'}")))
        .withMessage("name: expected no member of this name, found \"x\"");
  }
}
