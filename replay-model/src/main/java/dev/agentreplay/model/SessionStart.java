package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The start of a session. The id of the session is in {@link Meta#sessionId()}.
 *
 * @param policy the policy that the session runs under
 * @param issueNumber the number of the issue that it works on
 * @param repository the repository that it works in: {@code remote}, {@code branch}, {@code commit}
 * @param lane the lane that it was dispatched to
 * @param task the task of the agent
 * @param labels the labels by which people find the session
 * @param meta the data common to all events
 */
public record SessionStart(
    @Nullable PolicyId policy,
    @Nullable Long issueNumber,
    @Nullable JsonObject repository,
    @Nullable String lane,
    Task task,
    Labels labels,
    Meta meta)
    implements ReplayEvent {

  /** Checks for null. */
  public SessionStart {
    Objects.requireNonNull(task, "task");
    Objects.requireNonNull(labels, "labels");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates the start of a session. */
  public static SessionStart of(String sessionId) {
    Objects.requireNonNull(sessionId, "sessionId");
    return new SessionStart(
        null, null, null, null, Task.NONE, Labels.NONE, Meta.NONE.withSessionId(sessionId));
  }

  /** Returns a copy with the given policy. */
  public SessionStart withPolicy(@Nullable PolicyId newPolicy) {
    return new SessionStart(newPolicy, issueNumber, repository, lane, task, labels, meta);
  }

  /** Returns a copy with the given number of an issue. */
  public SessionStart withIssueNumber(@Nullable Long newIssueNumber) {
    return new SessionStart(policy, newIssueNumber, repository, lane, task, labels, meta);
  }

  /** Returns a copy with the given repository: {@code remote}, {@code branch}, {@code commit}. */
  public SessionStart withRepository(@Nullable JsonObject newRepository) {
    return new SessionStart(policy, issueNumber, newRepository, lane, task, labels, meta);
  }

  /** Returns a copy with the given commit of the repository. */
  public SessionStart withCommit(String commit) {
    JsonObject known = repository == null ? JsonObject.EMPTY : repository;
    return withRepository(known.with("commit", commit));
  }

  /** Returns a copy with the given lane. */
  public SessionStart withLane(@Nullable String newLane) {
    return new SessionStart(policy, issueNumber, repository, newLane, task, labels, meta);
  }

  /** Returns a copy with the given task. */
  public SessionStart withTask(Task newTask) {
    return new SessionStart(policy, issueNumber, repository, lane, newTask, labels, meta);
  }

  /** Returns a copy with the given tags, such as {@code nightly}. */
  public SessionStart withTags(String... tags) {
    return withLabels(new Labels(List.of(tags), labels.user(), labels.environment()));
  }

  /** Returns a copy with the given user, on whose behalf the agent works. */
  public SessionStart withUser(@Nullable String user) {
    return withLabels(new Labels(labels.tags(), user, labels.environment()));
  }

  /** Returns a copy with the given environment that it is deployed in. */
  public SessionStart withEnvironment(@Nullable String environment) {
    return withLabels(new Labels(labels.tags(), labels.user(), environment));
  }

  /** Returns a copy with the given labels. */
  public SessionStart withLabels(Labels newLabels) {
    return new SessionStart(policy, issueNumber, repository, lane, task, newLabels, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.SESSION_START;
  }

  @Override
  public SessionStart withMeta(Meta newMeta) {
    return new SessionStart(policy, issueNumber, repository, lane, task, labels, newMeta);
  }

  /**
   * The task of an agent.
   *
   * @param text the task in words
   * @param context the information about the task that the agent was given
   * @param instructions the instructions on how to do the task
   */
  public record Task(
      @Nullable String text, @Nullable JsonValue context, @Nullable String instructions) {

    /** A task of which nothing is specified. */
    public static final Task NONE = new Task(null, null, null);

    /** Creates a task in words. */
    public static Task of(String text) {
      return new Task(text, null, null);
    }
  }

  /**
   * The labels of a session, by which people find it. They do not describe the behavior of the
   * agent: a comparison of two sessions treats them as ids.
   *
   * @param tags the tags, such as {@code nightly}
   * @param user the user on whose behalf the agent works; personal data
   * @param environment the environment that the agent is deployed in, such as {@code production}
   */
  public record Labels(List<String> tags, @Nullable String user, @Nullable String environment) {

    /** The beginning of the tag that names the service which ran, such as a Java interface. */
    public static final String SERVICE_TAG = "service:";

    /** The beginning of the tag that names the method of the service. */
    public static final String METHOD_TAG = "method:";

    /** No labels. */
    public static final Labels NONE = new Labels(List.of(), null, null);

    /** Checks for null, and copies the tags. */
    public Labels {
      tags = List.copyOf(tags);
    }

    /** The service which ran: the rest of the first tag {@code service:}; null if none names it. */
    public @Nullable String service() {
      return named(SERVICE_TAG);
    }

    /** The method of the service: that of the first tag {@code method:}; null if none names it. */
    public @Nullable String method() {
      return named(METHOD_TAG);
    }

    /** The tags without that of the {@linkplain #service() service}. */
    public List<String> otherTags() {
      return tags.stream().filter(tag -> !tag.equals(SERVICE_TAG + service())).toList();
    }

    private @Nullable String named(String prefix) {
      return tags.stream()
          .filter(tag -> tag.startsWith(prefix) && tag.length() > prefix.length())
          .findFirst()
          .map(tag -> tag.substring(prefix.length()))
          .orElse(null);
    }
  }
}
