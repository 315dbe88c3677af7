package dev.agentreplay.springai.boot;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/** Auto-configuration that records or replays the models, tools and chat clients of Spring AI. */
@AutoConfiguration(
    afterName =
        "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
    beforeName =
        "org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration")
@ConditionalOnClass({ChatClient.class, ChatModel.class})
@Conditional(OnEnabled.class)
@EnableConfigurationProperties(ReplayProperties.class)
// in this order: each part depends on beans of the one before
@Import({
  DestinationConfiguration.class,
  WrappingConfiguration.class,
  McpToolsConfiguration.class,
  ReplayObservability.class
})
class ReplayAutoConfiguration {}
