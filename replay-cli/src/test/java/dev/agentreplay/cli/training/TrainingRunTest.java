package dev.agentreplay.cli.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.text.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each command of the training run does its work, so that its classes are in the archive. */
@Tag("slow")
class TrainingRunTest {

  @Test
  void commands_end_as_they_should(@TempDir Path directory) {
    PrintStream out = new PrintStream(OutputStream.nullOutputStream());
    Terminal terminal =
        new Terminal(InputStream.nullInputStream(), out, out, false, false, false, 0);

    Path sessions = directory.resolve("sessions");

    assertThat(TrainingRun.run(TrainingRun.commands(sessions), terminal))
        .containsExactly(0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 2);
    assertThat(TrainingRun.run(TrainingRun.operandCommands(sessions), terminal))
        .containsExactly(0, 1, 1, 0, 0, 0, 1);
  }
}
