package dev.agentreplay.langchain4j;

import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;

/** Parameters that were recorded from parameters of a class that is not at hand. */
final class RecordedParameters extends DefaultChatRequestParameters {

  private static final class Builder extends DefaultChatRequestParameters.Builder<Builder> {}

  private final String type;

  private RecordedParameters(Builder builder, String type) {
    super(builder);
    this.type = type;
  }

  /** Creates parameters with the values of others, and the name of their recorded class. */
  static RecordedParameters of(ChatRequestParameters values, String type) {
    return new RecordedParameters(new Builder().overrideWith(values), type);
  }

  /** The name of the recorded class. */
  String type() {
    return type;
  }

  @Override
  public ChatRequestParameters overrideWith(ChatRequestParameters that) {
    return new RecordedParameters(new Builder().overrideWith(this).overrideWith(that), type);
  }

  @Override
  public ChatRequestParameters defaultedBy(ChatRequestParameters that) {
    return new RecordedParameters(new Builder().overrideWith(that).overrideWith(this), type);
  }
}
