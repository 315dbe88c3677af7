package dev.agentreplay.model;

/**
 * How many tests passed.
 *
 * @param before before the work
 * @param after after the work
 */
public record TestCounts(long before, long after) {}
