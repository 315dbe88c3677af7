package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.LogSegment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is found of a log.
 *
 * @param lines those before anything is wrong, without line feeds, without checkpoints and those
 *     that segments begin with
 * @param recovery in what state the log is said to be; a log that is not there is an empty one
 */
public record LogContent(List<String> lines, Recovery recovery) {

  public static LogContent of(Disk disk, Path log) throws IOException {
    if (!disk.exists(log)) {
      return new LogContent(List.of(), new Recovery.Open(new Recovery.Extent(0, 0, 1, 0), false));
    }
    List<String> lines = new ArrayList<>();
    MerkleTree tree = new MerkleTree();
    Recovery recovery = LogRecovery.of(disk, log).inspect(line -> {
      if (line.event() instanceof LogSegment segment) {
        assertThat(segment.bytesBefore()).isEqualTo(line.position().offset());
        assertThat(segment.linesBefore()).isEqualTo(line.position().line() - 1);
      } else if (line.event() instanceof Checkpoint checkpoint) {
        assertThat(checkpoint.tree()).isEqualTo(tree.head());
      } else {
        lines.add(new String(line.bytes(), StandardCharsets.UTF_8));
      }
      tree.add(line.bytes());
    });
    return new LogContent(lines, recovery);
  }

  public boolean isTorn() {
    return recovery instanceof Recovery.TornTail;
  }

  public boolean isCorrupt() {
    return recovery instanceof Recovery.Corrupt;
  }
}
