package dev.agentreplay.sandbox;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The growth of a directory, measured no more often than is cheap: by walking it, and between two
 * walks by the free space of its file system.
 */
final class DiskUse {

  private static final long BLOCK = 4096;
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  // Walks take at most one part in so many of the time.
  private static final int REST_FACTOR = 20;

  private final Path directory;
  private final File store;
  private final long limit;
  private final long freeAtStart;
  private boolean hasWalked;
  private long sizeAtFirst;
  private long size;
  private boolean isHidden;
  private long early;
  private long freeAtWalk;
  private long walkedAt;
  private long walkNanos;

  DiskUse(Path directory, long limit) {
    this.directory = directory;
    this.store = directory.toFile();
    this.limit = limit;
    this.freeAtStart = store.getFreeSpace();
  }

  /** The growth in bytes. Walks the directory if it may have changed much since the last time. */
  long growth() throws IOException {
    long free = store.getFreeSpace();
    if (!hasWalked) {
      // The first walk also counts what was written before it, which the free space shows.
      early = freeAtStart - free > limit / 8 ? freeAtStart - free : 0;
      walk(free);
      sizeAtFirst = size;
      hasWalked = true;
    } else {
      long elapsed = System.nanoTime() - walkedAt;
      boolean isRested = elapsed > Math.max(REST_NANOS, REST_FACTOR * walkNanos);
      boolean hasFallen = freeAtWalk - free > limit / 8 && elapsed > walkNanos;
      if (isRested || hasFallen) {
        walk(free);
      }
    }
    return result(free);
  }

  /** The growth in bytes after the last process has ended. */
  long lastGrowth() throws IOException {
    long free = store.getFreeSpace();
    if (!hasWalked) {
      return Math.max(0, freeAtStart - free);
    }
    if (size - sizeAtFirst > limit / 2 || freeAtWalk - free > limit / 4) {
      walk(free);
    }
    return result(free);
  }

  /** The directory that is measured. */
  Path directory() {
    return directory;
  }

  /** Whether the file system has lost much more space than the files that were found take. */
  boolean isMissingSpace() {
    return hasWalked && freeAtStart - store.getFreeSpace() - (size - sizeAtFirst) > limit / 8;
  }

  /** The bytes by which the free space of the file system has fallen. */
  long fall() {
    return Math.max(0, freeAtStart - store.getFreeSpace());
  }

  private long result(long free) {
    long growth = size - sizeAtFirst + early;
    // A program can hide files from the walk, but not from the file system.
    return isHidden ? Math.max(growth, freeAtStart - free) : growth;
  }

  private void walk(long free) throws IOException {
    long start = System.nanoTime();
    Walk walk = new Walk();
    Files.walkFileTree(directory, walk);
    size = walk.bytes;
    isHidden = walk.isHidden;
    freeAtWalk = free;
    walkedAt = System.nanoTime();
    walkNanos = walkedAt - start;
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
