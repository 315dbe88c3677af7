package dev.agentreplay.benchmarks;

import java.io.IOException;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A benchmark that runs on each document. */
@State(Scope.Thread)
public abstract class DocumentBenchmark extends TimeBenchmark {

  /** A tool call, a longer one, and many events; each canonical, and shuffled and indented. */
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

  /** Prepares further input from the document. JMH does not order several set-up methods. */
  abstract void prepare();
}
