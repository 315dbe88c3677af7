package dev.agentreplay.benchmarks;

import java.io.IOException;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A benchmark that is run on each of the documents. */
@State(Scope.Thread)
public abstract class DocumentBenchmark extends TimeBenchmark {

  /** A tool call, a longer one, and many events; canonical already, and far from it. */
  @Param({"line270", "line270-unsorted", "line3k", "line3k-unsorted", "array1m", "array1m-unsorted"
  })
  public String document;

  byte[] bytes;

  @Setup
  public void setUp() throws IOException {
    bytes = Documents.named(document);
    prepare();
    Peers.requireSameWork(bytes);
  }

  /** Makes what else is needed of the document. JMH would not keep two set-ups in order. */
  abstract void prepare();
}
