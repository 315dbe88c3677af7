package dev.agentreplay.io.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory, whose calls fail on demand, and which loses power as unpleasantly as POSIX
 * allows.
 *
 * <p>A file is what was forced, and a list of changes since. When the power goes, each of these is
 * lost, landed, landed in some of its sectors, or landed as a length with NUL for bytes, whatever
 * became of those before it. Names are apart from that: to force a file does not force its name,
 * and each change of a name lands or does not. What the disk spares the program: a sector that was
 * forced does not change when bytes behind it are written, and a file that is moved is never
 * without any name. Safe for use by several threads; a force does not cover what is written while
 * it lasts.
 */
public final class SimulatedDisk implements Disk {

  /** Decides what goes wrong. */
  @FunctionalInterface
  public interface Faults {
    /** The fault of this call; calls are numbered from 1. */
    DiskFault at(long number, DiskCall call, Path file);
  }

  /** The beginning of the message of a call that fails. */
  public static final String INJECTED = "injected fault";

  /** The message when there is no room left. */
  public static final String FULL = "no space left on device";

  /** The message of every call after the one that the process died in. */
  public static final String DEAD = "the process is dead";

  private final Path directory;
  private final Map<Path, SimulatedFile> names = new LinkedHashMap<>();
  private final Map<Path, SimulatedFile> durableNames = new LinkedHashMap<>();
  private final List<NameChange> pendingNames = new ArrayList<>();
  private final Set<Path> locked = new HashSet<>();
  private final Set<Path> directories = new HashSet<>();
  private Faults faults = (number, call, file) -> DiskFault.NONE;
  private long calls;
  private long capacity = Long.MAX_VALUE;
  private boolean dead;

  /** A new name of a file, which may lose its former name; without a file, a removed name. */
  private record NameChange(Path name, @Nullable SimulatedFile file, @Nullable Path former) {
    void applyTo(Map<Path, SimulatedFile> names, boolean whole) {
      if (file == null) {
        names.remove(name);
      } else {
        names.put(name, file);
      }
      if (former != null && whole) {
        names.remove(former);
      }
    }
  }

  /** An empty directory. */
  public SimulatedDisk(Path directory) {
    this.directory = directory.toAbsolutePath();
  }

  /** From now on, this decides what goes wrong. Calls are numbered from 1 again. */
  public synchronized void inject(Faults newFaults) {
    faults = newFaults;
    calls = 0;
  }

  /** The number of calls since the last {@link #inject}. */
  public synchronized long calls() {
    return calls;
  }

  /** Allows only so many bytes in all files together. */
  public synchronized void limit(long bytes) {
    capacity = bytes;
  }

  /** Whether a fault has put an end to the process. */
  public synchronized boolean isDead() {
    return dead;
  }

  /** The names that are there, without their directory. */
  public synchronized List<String> names() {
    return names.keySet().stream().map(name -> name.getFileName().toString()).toList();
  }

  /** The bytes that are read from a file now. */
  public synchronized byte[] content(Path file) throws NoSuchFileException {
    return existing(file).content();
  }

  /** The disk as the next process finds it when this one is killed. */
  public synchronized SimulatedDisk kill() {
    dead = true;
    SimulatedDisk found = new SimulatedDisk(directory);
    found.names.putAll(names);
    found.durableNames.putAll(durableNames);
    found.pendingNames.addAll(pendingNames);
    found.capacity = capacity;
    found.directories.addAll(directories);
    return found;
  }

  /** The disk as it is found when the power was lost. The same random numbers find the same. */
  public synchronized SimulatedDisk losePower(RandomGenerator random) {
    dead = true;
    Map<Path, SimulatedFile> landed = new LinkedHashMap<>(durableNames);
    for (NameChange change : pendingNames) {
      if (random.nextBoolean()) {
        change.applyTo(landed, random.nextInt(4) > 0);
      }
    }
    SimulatedDisk found = new SimulatedDisk(directory);
    found.capacity = capacity;
    found.directories.addAll(directories);
    Map<SimulatedFile, SimulatedFile> contents = new IdentityHashMap<>();
    landed.forEach((name, file) -> found.names.put(
        name, contents.computeIfAbsent(file, content -> content.afterPowerLoss(random))));
    found.durableNames.putAll(found.names);
    return found;
  }

  @Override
  public AppendFile createReplacement(Path file, Path replaced) throws IOException {
    return create(file);
  }

  @Override
  public synchronized AppendFile create(Path file) throws IOException {
    DiskFault fault = enter(DiskCall.CREATE, file);
    if (names.containsKey(key(file))) {
      throw new FileAlreadyExistsException(file.toString());
    }
    SimulatedFile created = new SimulatedFile();
    if (fault.isAfter()) {
      change(new NameChange(key(file), created, null));
    }
    leave(fault, DiskCall.CREATE, file);
    return new Handle(file, created);
  }

  @Override
  public synchronized AppendFile append(Path file) throws IOException {
    DiskFault fault = enter(DiskCall.APPEND, file);
    SimulatedFile opened = existing(file);
    leave(fault, DiskCall.APPEND, file);
    return new Handle(file, opened);
  }

  @Override
  public synchronized InputStream read(Path file) throws IOException {
    DiskFault fault = enter(DiskCall.READ, file);
    InputStream in = existing(file).read();
    leave(fault, DiskCall.READ, file);
    return in;
  }

  @Override
  public synchronized @Nullable FileState state(Path file) throws IOException {
    DiskFault fault = enter(DiskCall.STATE, file);
    SimulatedFile now = names.get(key(file));
    leave(fault, DiskCall.STATE, file);
    return now == null ? null : new FileState(true, now.length(), now);
  }

  @Override
  public synchronized Lock lock(Path file) throws IOException {
    DiskFault fault = enter(DiskCall.LOCK, file);
    leave(fault, DiskCall.LOCK, file);
    if (!locked.add(key(file))) {
      throw new LogLockedException(file, "this test");
    }
    return new Lock() {
      @Override
      public Path log() {
        return file;
      }

      @Override
      public void close() throws IOException {
        synchronized (SimulatedDisk.this) {
          locked.remove(key(file)); // it goes with the process in any case
          leave(enter(DiskCall.UNLOCK, file), DiskCall.UNLOCK, file);
        }
      }
    };
  }

  @Override
  public synchronized boolean exists(Path file) {
    return isDirectory(file) || names.containsKey(key(file));
  }

  @Override
  public List<String> names(Path listed) {
    return names();
  }

  @Override
  public synchronized void move(Path file, Path name) throws IOException {
    DiskFault fault = enter(DiskCall.MOVE, file);
    SimulatedFile moved = existing(file);
    if (fault.isAfter()) {
      change(new NameChange(key(name), moved, key(file)));
    }
    leave(fault, DiskCall.MOVE, file);
  }

  @Override
  public synchronized void moveIfAbsent(Path file, Path name) throws IOException {
    DiskFault fault = enter(DiskCall.MOVE_IF_ABSENT, file);
    SimulatedFile moved = existing(file);
    if (names.containsKey(key(name))) {
      throw new FileAlreadyExistsException(name.toString());
    }
    if (fault.isAfter() || fault.isHalf()) {
      change(new NameChange(key(name), moved, null));
    }
    if (fault.isAfter()) {
      change(new NameChange(key(file), null, null));
    }
    leave(fault, DiskCall.MOVE_IF_ABSENT, file);
  }

  @Override
  public synchronized void delete(Path file) throws IOException {
    DiskFault fault = enter(DiskCall.DELETE, file);
    if (fault.isAfter() && names.containsKey(key(file))) {
      change(new NameChange(key(file), null, null));
    }
    leave(fault, DiskCall.DELETE, file);
  }

  /** A directory survives power loss at once; the program forces its entry in the same call. */
  @Override
  public synchronized void createDirectory(Path created) throws IOException {
    DiskFault fault = enter(DiskCall.CREATE_DIRECTORY, created);
    if (fault.isAfter()) {
      directories.add(key(created));
    }
    leave(fault, DiskCall.CREATE_DIRECTORY, created);
  }

  @Override
  public synchronized void forceDirectory(Path forced) throws IOException {
    DiskFault fault = enter(DiskCall.FORCE_DIRECTORY, forced);
    if (!isDirectory(forced)) {
      throw new NoSuchFileException(forced.toString());
    }
    List<NameChange> changes = pendingNames.stream()
        .filter(change -> key(forced).equals(change.name().getParent()))
        .toList();
    if (fault.isAfter()) {
      changes.forEach(change -> change.applyTo(durableNames, true));
    }
    if (fault.isAfter() || fault == DiskFault.FAIL_DROPPED) {
      pendingNames.removeAll(changes);
    }
    leave(fault, DiskCall.FORCE_DIRECTORY, forced);
  }

  private boolean isDirectory(Path file) {
    return key(file).equals(directory) || directories.contains(key(file));
  }

  private void change(NameChange change) {
    change.applyTo(names, true);
    pendingNames.add(change);
  }

  private SimulatedFile existing(Path file) throws NoSuchFileException {
    SimulatedFile existing = names.get(key(file));
    if (existing == null) {
      throw new NoSuchFileException(file.toString());
    }
    return existing;
  }

  private static Path key(Path file) {
    return file.toAbsolutePath();
  }

  private DiskFault enter(DiskCall call, Path file) throws IOException {
    if (dead) {
      throw new IOException(DEAD);
    }
    return faults.at(++calls, call, file);
  }

  private void leave(DiskFault fault, DiskCall call, Path file) throws IOException {
    if (fault != DiskFault.NONE) {
      dead = fault.isDeath();
      throw new IOException(INJECTED + ": " + call + " of " + file);
    }
  }

  private long free() {
    long used = 0;
    for (SimulatedFile file : names.values()) {
      used += file.length();
    }
    return Math.max(0, capacity - used);
  }

  private final class Handle extends AppendFile {
    private final Path file;
    private final SimulatedFile content;
    private boolean closed;

    Handle(Path file, SimulatedFile content) {
      this.file = file;
      this.content = content;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      synchronized (SimulatedDisk.this) {
        DiskFault fault = enter(DiskCall.WRITE);
        int part = fault.isAfter() ? length : fault.isHalf() ? length / 2 : 0;
        int fits = capacity == Long.MAX_VALUE ? part : (int) Math.min(part, free());
        if (fits > 0) {
          content.append(bytes, from, fits);
        }
        leave(fault, DiskCall.WRITE, file);
        if (fits < part) {
          throw new IOException(FULL);
        }
      }
    }

    @Override
    public long length() throws IOException {
      synchronized (SimulatedDisk.this) {
        leave(enter(DiskCall.LENGTH), DiskCall.LENGTH, file);
        return content.length();
      }
    }

    @Override
    public void truncate(long length) throws IOException {
      synchronized (SimulatedDisk.this) {
        DiskFault fault = enter(DiskCall.TRUNCATE);
        if (fault.isAfter()) {
          content.truncate(Math.toIntExact(length));
        }
        leave(fault, DiskCall.TRUNCATE, file);
      }
    }

    @Override
    public void force() throws IOException {
      DiskFault fault;
      long upTo;
      synchronized (SimulatedDisk.this) {
        fault = enter(DiskCall.FORCE);
        upTo = content.lastChange();
      }
      Thread.yield(); // what is written meanwhile is not forced
      synchronized (SimulatedDisk.this) {
        if (dead) {
          throw new IOException(DEAD);
        }
        if (fault.isAfter()) {
          content.force(upTo);
        } else if (fault == DiskFault.FAIL_DROPPED) {
          content.dropPending();
        }
        leave(fault, DiskCall.FORCE, file);
      }
    }

    @Override
    public void close() throws IOException {
      synchronized (SimulatedDisk.this) {
        if (!closed) {
          closed = true;
          leave(SimulatedDisk.this.enter(DiskCall.CLOSE, file), DiskCall.CLOSE, file);
        }
      }
    }

    private DiskFault enter(DiskCall call) throws IOException {
      if (closed) {
        throw new IOException("closed: " + file);
      }
      return SimulatedDisk.this.enter(call, file);
    }
  }
}
