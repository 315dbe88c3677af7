package dev.agentreplay.springai.boot;

import org.springframework.boot.ExitCodeGenerator;

/**
 * The exit code of an application that is replayed: 0 if it did what was recorded. Only
 * {@code SpringApplication.exit} asks for it.
 */
final class ReplayExitCode implements ExitCodeGenerator {

  private final ReplayActivity activity;

  ReplayExitCode(ReplayActivity activity) {
    this.activity = activity;
  }

  @Override
  public int getExitCode() {
    return activity.exitCode();
  }
}
