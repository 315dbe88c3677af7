/**
 * JMH benchmarks of canonical JSON and its hash, and of writing and reading logs, compared with
 * other libraries that do the same work.
 *
 * <pre>
 * mvn -Dquick -pl replay-benchmarks -am package
 * java -jar replay-benchmarks/target/benchmarks.jar
 * </pre>
 *
 * <p>Each figure is the average time of one call, measured in a separate JVM with three warm-up and
 * five measured iterations of one second. Options of JMH change that and select benchmarks:
 *
 * <pre>
 * benchmarks.jar CanonicalHash -p document=line270,line3k   # some documents only
 * benchmarks.jar NumberBenchmark -prof gc                   # with the bytes allocated by a call
 * benchmarks.jar -f 3 -rf json -rff benchmarks.json         # three JVMs each, figures in a file
 * </pre>
 *
 * <p>The cost of an event is the difference of two writes to a file, which is smaller than the
 * noise of the machine. {@link dev.agentreplay.benchmarks.EmitLatency} interleaves the contenders
 * and prints their medians and ratios:
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.EmitLatency
 * </pre>
 *
 * <p>Before a measurement the outputs of the libraries are compared: all must preserve the values
 * of the document, and those that promise the same bytes must produce the same bytes. A run with a
 * minimal measurement still compares everything:
 *
 * <pre>
 * java -Djmh.ignoreLock=true -jar replay-benchmarks/target/benchmarks.jar \
 *     -f 0 -wi 0 -i 1 -r 50ms -foe true
 * </pre>
 */
package dev.agentreplay.benchmarks;
