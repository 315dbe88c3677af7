package dev.agentreplay.springai.boot;

import java.util.List;
import java.util.Objects;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** The analysis of a failure to start, as the application prints it. */
final class Failures {

  private Failures() {}

  static FailureAnalysis analyze(Throwable failure) {
    List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
        .load(
            FailureAnalyzer.class,
            SpringFactoriesLoader.FailureHandler.handleMessage((message, error) -> {}));
    return analyzers.stream()
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no analysis of the failure", failure));
  }
}
