package dev.agentreplay.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * A temporary directory in {@code java.io.tmpdir} that a program in a sandbox can use. It could not
 * see one in {@code /dev/shm}, because a sandbox mounts its own there.
 */
@TempDir(factory = TempDirFactory.Standard.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER})
public @interface DiskTempDir {}
