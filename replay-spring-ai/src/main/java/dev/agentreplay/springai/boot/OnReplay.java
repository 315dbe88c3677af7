package dev.agentreplay.springai.boot;

import java.util.Locale;
import java.util.Set;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if a property requests recording or a replay. */
final class OnReplay extends SpringBootCondition {

  static final String MODE = "replay.mode";
  static final String RECORD_DIR = "replay.record.dir";

  private static final Set<String> SERVING = Set.of("mock", "tools-live");

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    return outcome(context.getEnvironment());
  }

  /** Whether a replay is requested, not recording. */
  static boolean isReplay(Environment environment) {
    String mode = environment.getProperty(MODE);
    return mode != null
        && !mode.isBlank()
        && !mode.strip().equalsIgnoreCase("record")
        && outcome(environment).isMatch();
  }

  /** Whether a replay is requested that takes the answers of models from the recording. */
  static boolean servesModels(Environment environment) {
    String mode = environment.getProperty(MODE);
    return mode != null
        && SERVING.contains(mode.strip().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  /** The outcome for an environment. */
  static ConditionOutcome outcome(Environment environment) {
    ConditionMessage.Builder message = ConditionMessage.forCondition("replay");
    String mode = environment.getProperty(MODE);
    if (mode != null && !mode.isBlank()) {
      // YAML reads off as false
      boolean isOff = mode.strip().equalsIgnoreCase("off") || mode.strip().equals("false");
      return new ConditionOutcome(!isOff, message.because(MODE + "=" + mode));
    }
    String dir = environment.getProperty(RECORD_DIR);
    return dir != null && !dir.isBlank()
        ? ConditionOutcome.match(message.foundExactly("property " + RECORD_DIR))
        : ConditionOutcome.noMatch(message.didNotFind("property").items(MODE, RECORD_DIR));
  }
}
