package dev.agentreplay.sandbox;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The growth of directories of one file system, measured no more often than is cheap: by walking
 * them, and between two walks by the free space of the file system.
 */
final class DiskUse {

  private static final long BLOCK = 4096;

  private final List<Path> directories;
  private final LongSupplier freeSpace;
  private final long limit;
  private final long freeAtStart;
  private boolean hasWalked;
  private long sizeAtFirst;
  private long size;
  private boolean isHidden;
  private long early;
  private long freeAtWalk;
  private final Pace walks = new Pace(200);

  /** Creates one for directories of one file system, whose free bytes are given. */
  DiskUse(List<Path> directories, long limit, LongSupplier freeSpace) {
    this.directories = List.copyOf(directories);
    this.freeSpace = freeSpace;
    this.limit = limit;
    this.freeAtStart = freeSpace.getAsLong();
  }

  /** Creates one for each file system that has some of the directories. */
  static List<DiskUse> of(List<Path> directories, long limit) throws IOException {
    Map<Object, List<Path>> byDevice = new LinkedHashMap<>();
    for (Path directory : directories) {
      byDevice
          .computeIfAbsent(Files.getAttribute(directory, "unix:dev"), key -> new ArrayList<>())
          .add(directory);
    }
    return byDevice.values().stream()
        .map(each -> new DiskUse(each, limit, each.get(0).toFile()::getFreeSpace))
        .toList();
  }

  /**
   * The growth in bytes. Walks the directories if they may have changed much since the last time.
   */
  long growth() throws IOException {
    long free = freeSpace.getAsLong();
    if (!hasWalked) {
      // The first walk also counts what was written before it, which the free space shows.
      // Other programs may have written, too, but not into the directories.
      walk(free);
      early = freeAtStart - free > limit / 8 ? Math.min(freeAtStart - free, size) : 0;
      sizeAtFirst = size;
      hasWalked = true;
    } else if (walks.isDue() || (freeAtWalk - free > limit / 8 && walks.isDueUrgently())) {
      walk(free);
    }
    return result(free);
  }

  /** The growth in bytes after the last process has ended. */
  long lastGrowth() throws IOException {
    long free = freeSpace.getAsLong();
    if (!hasWalked) {
      long fall = Math.max(0, freeAtStart - free);
      if (fall >= limit) {
        walk(free);
      }
      return fall >= limit && !isHidden ? Math.min(fall, size) : fall;
    }
    if (size - sizeAtFirst > limit / 2 || freeAtWalk - free > limit / 4) {
      walk(free);
    }
    return result(free);
  }

  /** A directory of the file system. */
  Path directory() {
    return directories.get(0);
  }

  /** Whether the file system has lost much more space than the files that were found take. */
  boolean isMissingSpace() {
    return missing() > limit / 8;
  }

  /** The bytes that the file system has lost, apart from the growth that was found. */
  long missing() {
    long free = freeSpace.getAsLong();
    return hasWalked ? Math.max(0, freeAtStart - free - result(free)) : 0;
  }

  private long result(long free) {
    long growth = size - sizeAtFirst + early;
    // A program can hide files from the walk, but not from the file system.
    return isHidden ? Math.max(growth, freeAtStart - free) : growth;
  }

  private void walk(long free) throws IOException {
    walks.start();
    Walk walk = new Walk();
    for (Path directory : directories) {
      Files.walkFileTree(directory, walk);
    }
    size = walk.bytes;
    isHidden = walk.isHidden;
    freeAtWalk = free;
    walks.end();
  }

  private static final class Walk extends SimpleFileVisitor<Path> {

    private final Set<Object> seen = new HashSet<>();
    private long bytes;
    private boolean isHidden;

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      bytes += BLOCK;
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      Object key = attributes.fileKey();
      if (key == null || seen.add(key)) {
        bytes += Math.max(BLOCK, (attributes.size() + BLOCK - 1) / BLOCK * BLOCK);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException failure) {
      // not Files.exists, which is false also for a path that is too long for the system
      isHidden |= !(failure instanceof NoSuchFileException);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path path, @Nullable IOException failure) {
      isHidden |= failure != null;
      return FileVisitResult.CONTINUE;
    }
  }
}
