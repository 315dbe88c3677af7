package dev.agentreplay.springai;

/** The destination of the calls of wrapped models and tools: a recording or a replay. */
public sealed interface CallDestination permits SpringAiRecorder, SpringAiReplayer {}
