package dev.agentreplay.springai.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if the auto-configuration is used: if {@code replay.enabled} says so, or without it if
 * recording or a replay is requested. Nothing else is read of an application that is neither
 * recorded nor replayed.
 */
final class OnEnabled extends SpringBootCondition {

  static final String ENABLED = "replay.enabled";

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    Environment environment = context.getEnvironment();
    String enabled = environment.getProperty(ENABLED);
    if (enabled == null || enabled.isBlank()) {
      return OnReplay.outcome(environment);
    }
    return new ConditionOutcome(
        enabled.strip().equalsIgnoreCase("true"),
        ConditionMessage.forCondition("replay").because(ENABLED + "=" + enabled));
  }
}
