package dev.agentreplay.mcp;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.io.IOException;

/** The messages of the SDK as text. */
final class SdkMessages {

  private SdkMessages() {}

  private static McpJsonMapper mapper() {
    return McpJsonDefaults.getMapper();
  }

  static String text(JSONRPCMessage message) throws IOException {
    return mapper().writeValueAsString(message);
  }

  static JSONRPCMessage message(String text) throws IOException {
    return McpSchema.deserializeJsonRpcMessage(mapper(), text);
  }

  static <T> T convert(Object data, TypeRef<T> type) {
    return mapper().convertValue(data, type);
  }
}
