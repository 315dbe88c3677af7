package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** A sample of a log in one epoch, in either layout. */
interface EvalSample {

  /**
   * A value of the sample.
   *
   * @param json the value as the log has it, with references to attachments
   * @param type the type of the record that it becomes, unless it is an event
   */
  record Part(JsonValue json, String type, SourcePlace place) {

    /** The type of a part that is computed from others, which is not kept. */
    static final String INDEX = "index";
  }

  /** Receives the events of a sample. */
  interface EventVisitor {
    void visit(Part event) throws IOException;
  }

  /** The place of the sample. */
  SourcePlace place();

  /** The sample without the parts below. */
  JsonObject shell();

  /** The attachments. */
  Attachments attachments();

  /** The messages to which the inputs of model events refer by their indexes. */
  List<Part> pool();

  /** The messages of the conversation at the end of the sample. */
  List<Part> messages();

  /** The other parts, which are kept as they are. */
  List<Part> others();

  /**
   * Passes each event to a visitor; this can be repeated.
   *
   * @param faults receives the faults of events that cannot be read
   */
  void forEachEvent(EventVisitor visitor, Consumer<SourceFault> faults) throws IOException;
}
