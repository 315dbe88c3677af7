/**
 * How fast canonical JSON and its hash are made, and logs are written and read, beside other
 * libraries that do the same work.
 *
 * <pre>
 * mvn -Dquick -pl replay-benchmarks -am package
 * java -jar replay-benchmarks/target/benchmarks.jar
 * </pre>
 *
 * <p>Each figure is the average time of one call, measured in one JVM of its own: three warm-up and
 * five measured iterations of a second. Options of JMH change that and choose what is run:
 *
 * <pre>
 * benchmarks.jar CanonicalHash -p document=line270,line3k   # some of it
 * benchmarks.jar NumberBenchmark -prof gc                   # and bytes allocated by a call
 * benchmarks.jar -f 3 -rf json -rff benchmarks.json         # three JVMs each, figures in a file
 * </pre>
 *
 * <p>What an event costs is the difference of two writes to a file, and drowns in what else the
 * machine does. {@link dev.agentreplay.benchmarks.EmitLatency} lets the ways to write it take
 * turns, and prints their medians and ratios:
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.EmitLatency
 * </pre>
 *
 * <p>Before anything is measured, what the libraries make of the document is compared: all of them
 * must keep its values, and those that promise the same bytes must make the same bytes. A run that
 * measures next to nothing still compares all of it:
 *
 * <pre>
 * java -Djmh.ignoreLock=true -jar replay-benchmarks/target/benchmarks.jar \
 *     -f 0 -wi 0 -i 1 -r 50ms -foe true
 * </pre>
 */
package dev.agentreplay.benchmarks;
