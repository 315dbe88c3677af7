package dev.agentreplay.canonical.prompt;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.CanonicalWriter;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.KeyOrder;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hash of a prompt, with the states of the digest after its last messages. The hash of a prompt
 * that begins with the same messages continues from the last state that both share.
 */
final class PromptDigest {

  /** The number of last messages after which the state is kept. */
  private static final int KEPT = 16;

  /** The state of a digest after some messages, without the comma that follows. */
  private record State(int messages, MessageDigest digest) {}

  private final CanonicalJson canonical;
  private final ContentHash hash;
  private final List<State> states;

  private PromptDigest(CanonicalJson canonical, ContentHash hash, List<State> states) {
    this.canonical = canonical;
    this.hash = hash;
    this.states = states;
  }

  static PromptDigest of(JsonObject prompt, CanonicalJson canonical) {
    return of(prompt, canonical, null, 0);
  }

  /** Returns the digest of a prompt that shares values with an earlier one. */
  static PromptDigest of(
      JsonObject prompt, CanonicalJson canonical, JsonObject earlier, PromptDigest digest) {
    KeyOrder order = KeyOrder.of(canonical.canonicalization());
    return of(prompt, canonical, digest, shared(prompt, earlier, order));
  }

  private static PromptDigest of(
      JsonObject prompt, CanonicalJson canonical, @Nullable PromptDigest earlier, int shared) {
    Canonicalization form = canonical.canonicalization();
    CanonicalWriter writer = new CanonicalWriter(form);
    List<State> states = new ArrayList<>();
    MessageDigest digest = ContentHash.newDigest();
    writer.raw('{');
    int[] members = KeyOrder.of(form).sortedPositions(prompt);
    for (int i = 0; i < members.length; i++) {
      if (i > 0) {
        writer.raw(',');
      }
      String name = prompt.name(members[i]);
      JsonValue value = prompt.value(members[i]);
      writer.name(name);
      if (name.equals(PromptMatch.MESSAGES) && value instanceof JsonArray messages) {
        writer.raw('[');
        digest = messages(messages, writer, digest, earlier, shared, states);
        writer.raw(']');
      } else {
        writer.value(value);
      }
    }
    writer.raw('}');
    writer.update(digest);
    return new PromptDigest(canonical, ContentHash.of(digest.digest()), List.copyOf(states));
  }

  private static MessageDigest messages(
      JsonArray messages,
      CanonicalWriter writer,
      MessageDigest started,
      @Nullable PromptDigest earlier,
      int shared,
      List<State> states) {
    MessageDigest digest = started;
    int next = 0;
    if (earlier != null) {
      for (State state : earlier.states) {
        if (state.messages <= shared) {
          states.add(state);
          next = state.messages;
        }
      }
    }
    if (next == 0) {
      writer.update(digest);
    } else {
      digest = ContentHash.copyOf(states.get(states.size() - 1).digest);
    }
    writer.reset();
    for (; next < messages.size(); next++) {
      if (next > 0) {
        writer.raw(',');
      }
      writer.value(messages.get(next)).update(digest);
      writer.reset();
      if (messages.size() - next <= KEPT) {
        states.add(new State(next + 1, ContentHash.copyOf(digest)));
      }
    }
    if (states.size() > KEPT) {
      states.subList(0, states.size() - KEPT).clear();
    }
    return digest;
  }

  /** The number of messages that the canonical forms of two prompts begin with, both the same. */
  private static int shared(JsonObject prompt, JsonObject earlier, KeyOrder order) {
    if (!head(prompt, earlier, order) || !head(earlier, prompt, order)) {
      return 0;
    }
    JsonArray messages = PromptMatch.messages(prompt);
    JsonArray before = PromptMatch.messages(earlier);
    int least = Math.min(messages.size(), before.size());
    for (int i = 0; i < least; i++) {
      if (!messages.get(i).equals(before.get(i))) {
        return i;
      }
    }
    return least;
  }

  /** Whether another prompt has all members that this one has before its messages. */
  private static boolean head(JsonObject prompt, JsonObject other, KeyOrder order) {
    for (int i = 0; i < prompt.size(); i++) {
      boolean isBefore = order.compare(prompt.name(i), PromptMatch.MESSAGES) < 0;
      if (isBefore && !prompt.value(i).equals(other.get(prompt.name(i)))) {
        return false;
      }
    }
    return true;
  }

  boolean isOf(CanonicalJson other) {
    return canonical.equals(other);
  }

  ContentHash hash() {
    return hash;
  }
}
