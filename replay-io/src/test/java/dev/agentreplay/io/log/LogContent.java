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
 * The readable content of a log.
 *
 * @param lines the lines before the first fault, without line feeds, checkpoints and the first
 *     lines of segments
 * @param recovery the diagnosis of the log; a missing log is diagnosed as an empty one
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
