/** The classes that are scanned: their outlines, hierarchy and code. */
@NullMarked
package dev.agentreplay.lint.code;

import org.jspecify.annotations.NullMarked;
