/** The observations that Langfuse exports, which are spans in other words. */
@NullMarked
package dev.agentreplay.convert.trace.langfuse;

import org.jspecify.annotations.NullMarked;
