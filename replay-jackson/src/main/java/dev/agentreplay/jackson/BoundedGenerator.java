package dev.agentreplay.jackson;

import com.fasterxml.jackson.core.StreamWriteCapability;
import com.fasterxml.jackson.core.util.JacksonFeatureSet;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;

/**
 * Writes tokens to a buffer as if to JSON text and limits the nesting depth: a cyclic object causes
 * an exception instead of a stack overflow.
 */
final class BoundedGenerator extends JsonGeneratorDelegate {

  BoundedGenerator(TokenBuffer tokens) {
    super(tokens, false);
  }

  @Override
  public boolean canWriteBinaryNatively() {
    return false;
  }

  @Override
  public JacksonFeatureSet<StreamWriteCapability> getWriteCapabilities() {
    return DEFAULT_TEXTUAL_WRITE_CAPABILITIES;
  }

  @Override
  public void writeStartArray() throws IOException {
    super.writeStartArray();
    requireDepth();
  }

  @Override
  public void writeStartArray(Object forValue) throws IOException {
    super.writeStartArray(forValue);
    requireDepth();
  }

  @Override
  public void writeStartArray(Object forValue, int size) throws IOException {
    super.writeStartArray(forValue, size);
    requireDepth();
  }

  @Override
  public void writeStartObject() throws IOException {
    super.writeStartObject();
    requireDepth();
  }

  @Override
  public void writeStartObject(Object forValue) throws IOException {
    super.writeStartObject(forValue);
    requireDepth();
  }

  @Override
  public void writeStartObject(Object forValue, int size) throws IOException {
    super.writeStartObject(forValue, size);
    requireDepth();
  }

  private void requireDepth() throws IOException {
    if (delegate.getOutputContext().getNestingDepth() > JsonValue.MAX_DEPTH) {
      // Jackson's own exception would collect the path, a thousand steps long, into its message
      throw new IOException("nested deeper than " + JsonValue.MAX_DEPTH);
    }
  }
}
