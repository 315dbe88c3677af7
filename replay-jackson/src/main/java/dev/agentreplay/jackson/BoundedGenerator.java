package dev.agentreplay.jackson;

import com.fasterxml.jackson.core.StreamWriteCapability;
import com.fasterxml.jackson.core.util.JacksonFeatureSet;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;

/**
 * Writes tokens into a buffer as into JSON text, and refuses too many levels: an object that holds
 * itself would otherwise end as a stack overflow.
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
      // one of Jackson's own would collect the path, a thousand steps long, into its message
      throw new IOException("nested deeper than " + JsonValue.MAX_DEPTH);
    }
  }
}
