package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A session begins. The session's id is in {@link Meta#sessionId()}.
 *
 * @param policy the policy it runs under
 * @param issueNumber the issue it works on
 * @param repository where it works: {@code remote}, {@code branch}, {@code commit}
 * @param lane the lane it was dispatched to
 * @param task what it was asked to do, and how
 * @param meta what every event has
 */
public record SessionStart(
    @Nullable PolicyId policy,
    @Nullable Long issueNumber,
    @Nullable JsonObject repository,
    @Nullable String lane,
    Task task,
    Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public SessionStart {
    Objects.requireNonNull(task, "task");
    Objects.requireNonNull(meta, "meta");
  }

  /** The start of a session. */
  public static SessionStart of(String sessionId) {
    Objects.requireNonNull(sessionId, "sessionId");
    return new SessionStart(null, null, null, null, Task.NONE, Meta.NONE.withSessionId(sessionId));
  }

  /** With a policy. */
  public SessionStart withPolicy(@Nullable PolicyId newPolicy) {
    return new SessionStart(newPolicy, issueNumber, repository, lane, task, meta);
  }

  /** With the number of an issue. */
  public SessionStart withIssueNumber(@Nullable Long newIssueNumber) {
    return new SessionStart(policy, newIssueNumber, repository, lane, task, meta);
  }

  /** With where it works: {@code remote}, {@code branch}, {@code commit}. */
  public SessionStart withRepository(@Nullable JsonObject newRepository) {
    return new SessionStart(policy, issueNumber, newRepository, lane, task, meta);
  }

  /** With the lane it was dispatched to. */
  public SessionStart withLane(@Nullable String newLane) {
    return new SessionStart(policy, issueNumber, repository, newLane, task, meta);
  }

  /** With what it was asked to do, and how. */
  public SessionStart withTask(Task newTask) {
    return new SessionStart(policy, issueNumber, repository, lane, newTask, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.SESSION_START;
  }

  @Override
  public SessionStart withMeta(Meta newMeta) {
    return new SessionStart(policy, issueNumber, repository, lane, task, newMeta);
  }

  /**
   * What an agent was asked to do.
   *
   * @param text the task, in words
   * @param context what it was told about the task
   * @param instructions how it was told to go about it
   */
  public record Task(
      @Nullable String text, @Nullable JsonValue context, @Nullable String instructions) {

    /** Nothing is said. */
    public static final Task NONE = new Task(null, null, null);

    /** A task in words. */
    public static Task of(String text) {
      return new Task(text, null, null);
    }
  }
}
