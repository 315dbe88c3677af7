package dev.agentreplay.langchain4j;

import dev.agentreplay.model.ReplayEvent;
import java.nio.ByteBuffer;
import java.util.Base64;

/** Reads what an event keeps of a text that has no UTF-8 form. */
final class ExactText {

  private ExactText() {}

  static String of(ReplayEvent event, String pointer) {
    String base64 = event.meta().extra().get("utf16").asObject().get(pointer).asString();
    byte[] units = Base64.getDecoder().decode(base64);
    return ByteBuffer.wrap(units).asCharBuffer().toString();
  }
}
