package dev.agentreplay.io;

import java.lang.module.ModuleDescriptor;
import java.util.Objects;

/**
 * How a session is recorded.
 *
 * @param producer the program that records, as in "adjutant@1.2.3"
 * @param writer how its log is written
 */
public record RecorderOptions(String producer, WriterOptions writer) {

  /** Checks for null. */
  public RecorderOptions {
    Objects.requireNonNull(producer, "producer");
    Objects.requireNonNull(writer, "writer");
  }

  /** This library as the producer, and the default options of a writer. */
  public static RecorderOptions defaults() {
    return new RecorderOptions("agentreplay" + version(), WriterOptions.defaults());
  }

  /** The version of this library: a jar on the class path has it in its manifest. */
  private static String version() {
    String inManifest = RecorderOptions.class.getPackage().getImplementationVersion();
    if (inManifest != null) {
      return "@" + inManifest;
    }
    ModuleDescriptor module = RecorderOptions.class.getModule().getDescriptor();
    return module == null
        ? ""
        : module.rawVersion().map(version -> "@" + version).orElse("");
  }

  /** With another producer. */
  public RecorderOptions withProducer(String newProducer) {
    return new RecorderOptions(newProducer, writer);
  }

  /** With other options of the writer. */
  public RecorderOptions withWriter(WriterOptions newWriter) {
    return new RecorderOptions(producer, newWriter);
  }
}
