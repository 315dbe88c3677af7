package dev.agentreplay.sandbox.probe;

import dev.agentreplay.sandbox.Mechanism;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The facts of one run, from which {@link Judgment} derives the results.
 *
 * @param mechanism the mechanism of the sandbox
 * @param nonce the random text of this run
 * @param inside the output of the programs in the sandbox
 * @param direct the output of the same programs outside it
 * @param homeFiles the home directory and files of it, by path
 * @param isWrittenInside whether the write in the workspace arrived
 * @param isWrittenOutside whether the write outside the workspace arrived, from the sandbox
 * @param isReachedByTcp whether a listener of this process was reached from the sandbox
 * @param isReachedByUdp whether a listener of this process was reached from the sandbox
 * @param wasLeft whether the process that was left behind was seen to run
 * @param isLeft whether it was still there after the sandbox was closed
 * @param failure the reason why the programs did not work; null if unknown
 */
record ProbeRun(
    Mechanism mechanism,
    String nonce,
    ProbeOutput inside,
    ProbeOutput direct,
    Set<String> homeFiles,
    boolean isWrittenInside,
    boolean isWrittenOutside,
    boolean isReachedByTcp,
    boolean isReachedByUdp,
    boolean wasLeft,
    boolean isLeft,
    @Nullable String failure) {}
