package dev.agentreplay.langchain4j;

import dev.langchain4j.service.tool.ToolExecutionResult;
import org.jspecify.annotations.Nullable;

/**
 * The result of a tool that was executed.
 *
 * @param handled the exception that an error handler turned into the result; null for none
 */
record ToolReturn(ToolExecutionResult value, @Nullable Throwable handled) {}
