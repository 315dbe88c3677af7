package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.CompiledRules.NormalMember;
import dev.agentreplay.engine.diff.value.BlobValues.BlobKey;
import dev.agentreplay.engine.diff.value.RecentlyUsed;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.engine.diff.value.ValueNormalizer;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Normalizes the events of a session under rules that depend on values. The content of an event is
 * normalized by itself and represented by its hash, so that a blob that many events refer to is
 * read once as long as it is cached.
 */
final class NormalContents {

  private static final long MAX_BLOBS = 1 << 12;

  private final Session session;
  private final CompiledRules rules;
  private final Side side;
  private final RecentlyUsed<Key, NormalMember> blobs = new RecentlyUsed<>(MAX_BLOBS);

  private record Key(String name, BlobKey blob) {}

  /** Collects the content of one event. */
  private final class Found implements EventView.Contents {
    private @Nullable String name;
    private @Nullable NormalMember normal;

    @Override
    public void put(EventView view, String member, Content content) throws IOException {
      normal = normal(member, content);
      if (normal == null) {
        view.putHash(member, content.hash());
      } else {
        name = member;
        view.put(member, JsonObject.EMPTY); // until the rest of the view is normalized
      }
    }
  }

  NormalContents(Session session, CompiledRules rules, Side side) {
    this.session = session;
    this.rules = rules;
    this.side = side;
  }

  /** Returns the object that is hashed for an event. */
  JsonObject view(ReplayEvent event) throws IOException {
    Found found = new Found();
    JsonObject view = rules.normalize(EventView.of(event, found, false), side);
    String name = found.name;
    NormalMember normal = found.normal;
    ContentHash hash = normal == null ? null : normal.hash();
    if (name == null || normal == null || hash == null) {
      return view;
    }
    rules.count(normal.counts());
    // as in a view of a log that has only the hash, and without rules
    return view.without(name).with(ValueNormalizer.hashName(name), hash.toString());
  }

  /** The normalized content; null when the log has no value for it. */
  private @Nullable NormalMember normal(String name, Content content) throws IOException {
    BlobKey blob = BlobKey.of(content);
    Key key = blob == null ? null : new Key(name, blob);
    NormalMember known = key == null ? null : blobs.get(key);
    if (known != null) {
      return known;
    }
    JsonValue value = session.resolve(content);
    if (value == null) {
      return null;
    }
    NormalMember normal = rules.normalize(name, value, side);
    if (key != null) {
      blobs.put(key, normal, 1);
    }
    return normal;
  }
}
