package dev.agentreplay.convert.trace.export;

/** The names of the spans and attributes of a semantic convention. */
interface SpanConventions {

  /** The name of the span of an agent. */
  String agentName(String agent);

  /** The name of the span of a call of a model. */
  String modelName(Exchange call);

  /** The name of the span of a call of a tool. */
  String toolName(Exchange call);

  /** Adds the attributes of the whole session to its root. */
  void session(Span root, ExportedSession session, String agent);

  /** Adds the attributes of a sub-agent. */
  void agent(Span span, ExportedSession session, Lane lane);

  /** Adds the attributes of a call of a model and its answer. */
  void model(Span span, ExportedSession session, Exchange call);

  /** Adds the attributes of a call of a tool and its result. */
  void tool(Span span, ExportedSession session, Exchange call);
}
