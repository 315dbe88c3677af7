package dev.agentreplay.benchmarks;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentreplay.model.ContentHash;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** Writes the same line with Jackson, and updates the hash of all lines. */
final class EmitJackson implements EmitContender {

  private static final JsonMapper MAPPER = JsonMapper.builder()
      .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
      .build();

  private final Map<String, Object> params = EmitFields.params();
  private final MessageDigest paramsDigest = ContentHash.newDigest();
  private final MessageDigest logDigest = ContentHash.newDigest();
  private final OutputStream out;

  EmitJackson(Path file) throws IOException {
    out = new FileOutputStream(file.toFile(), true);
  }

  @Override
  public void emit() throws IOException {
    Map<String, Object> event = new HashMap<>();
    byte[] hash = paramsDigest.digest(MAPPER.writeValueAsBytes(params));
    EmitFields.put(event::put, params, "sha256:" + HexFormat.of().formatHex(hash));
    event.put("t", Instant.now().toString());
    byte[] json = MAPPER.writeValueAsBytes(event);
    byte[] line = Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    out.write(line);
    logDigest.update(line);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
