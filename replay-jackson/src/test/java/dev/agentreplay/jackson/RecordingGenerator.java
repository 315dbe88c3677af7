package dev.agentreplay.jackson;

import com.fasterxml.jackson.core.StreamWriteCapability;
import com.fasterxml.jackson.core.util.JacksonFeatureSet;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/** Stands for a binary format: has no text for numbers. */
final class RecordingGenerator extends JsonGeneratorDelegate {
  private final List<String> calls;

  RecordingGenerator(List<String> calls) {
    super(new TokenBuffer(null, false), false);
    this.calls = calls;
  }

  @Override
  public JacksonFeatureSet<StreamWriteCapability> getWriteCapabilities() {
    return DEFAULT_BINARY_WRITE_CAPABILITIES;
  }

  @Override
  public void writeNumber(int number) {
    calls.add("Integer " + number);
  }

  @Override
  public void writeNumber(long number) {
    calls.add("Long " + number);
  }

  @Override
  public void writeNumber(BigInteger number) {
    calls.add("BigInteger " + number);
  }

  @Override
  public void writeNumber(double number) {
    calls.add("Double " + number);
  }

  @Override
  public void writeNumber(BigDecimal number) {
    calls.add("BigDecimal " + number);
  }

  @Override
  public void writeNumber(String text) {
    throw new UnsupportedOperationException("no text: " + text);
  }
}
