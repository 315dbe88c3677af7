package dev.agentreplay.canonical.commitment;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Derives seeds, and computes commitments of values: HMAC-SHA-256 (RFC 2104) and SHA-256, with the
 * labels and prefixes that docs/format.md specifies. Not safe for use by several threads.
 */
public final class Committer {

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte SCALAR = 2;
  private static final byte OBJECT = 3;
  private static final byte ARRAY = 4;
  private static final byte MEMBER = 5;
  private static final byte DECOY = 6;

  private final PublicForm form;
  private final Mac mac;
  private final MessageDigest digest = ContentHash.newDigest();

  /** Creates a committer. */
  public Committer(PublicForm form) {
    this.form = form;
    try {
      mac = Mac.getInstance(ALGORITHM);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /** The version and the parameters of the public form. */
  public PublicForm form() {
    return form;
  }

  /**
   * Derives the seed of a line. It depends on the bytes of the line, so that no other log with the
   * same salt, such as a part of this one, has the seed for a different line.
   *
   * @param line the number of the line, from 1
   * @param raw the bytes of the line in the log, without its line feed
   * @throws IllegalArgumentException if the number is less than 1
   */
  public Seed line(Salt salt, long line, byte[] raw) {
    return line(salt, line, MerkleTree.leafHash(raw));
  }

  /** Derives the seed of a line from the hash of its leaf in the tree of the log. */
  Seed line(Salt salt, long line, ContentHash leaf) {
    if (line < 1) {
      throw new IllegalArgumentException("lines are numbered from 1: " + line);
    }
    return derive(salt.toBytes(), PublicForm.VERSION + "\n" + line + "\n" + leaf.hex());
  }

  /**
   * Computes the commitment to the tree head of the log itself, whose root could be used to guess
   * values if it were stated.
   */
  public Commitment original(Salt salt, TreeHead tree) {
    String text = "%d %s".formatted(tree.size(), tree.root().hex());
    return commit(
        JsonString.of(text), derive(salt.toBytes(), PublicForm.VERSION + "\noriginal\n" + text));
  }

  /** Computes the commitment to a policy of publication, whose patterns may be secrets. */
  public Commitment policy(Salt salt, String canonicalText) {
    Seed seed = derive(salt.toBytes(), PublicForm.VERSION + "\npolicy\n" + canonicalText);
    return commit(JsonString.of(canonicalText), seed);
  }

  /** Derives the key by which identifiers of a log are replaced. */
  public Seed identifiers(Salt salt) {
    return derive(salt.toBytes(), PublicForm.VERSION + "\nids");
  }

  /** Derives the seed of a member from that of its object. */
  public Seed member(Seed object, String name) {
    return derive(object.array(), "m" + name);
  }

  /** Derives the seed of an element from that of its array; elements are counted from 0. */
  public Seed element(Seed array, int index) {
    return derive(array.array(), "e" + index);
  }

  private Seed blinding(Seed container) {
    return derive(container.array(), "b");
  }

  private Commitment decoy(Seed container, int index) {
    digest.reset();
    digest.update(DECOY);
    return Commitment.ofOwn(digest.digest(derive(container.array(), "d" + index).array()));
  }

  private Seed derive(byte[] key, String label) {
    try {
      mac.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("any key is valid for " + ALGORITHM, e);
    }
    return Seed.ofOwn(mac.doFinal(label.getBytes(UTF_8)));
  }

  /** Computes the commitment of a value, whose numbers are taken as they are written. */
  public Commitment commit(JsonValue value, Seed seed) {
    if (value instanceof JsonObject object) {
      List<byte[]> members = new ArrayList<>(form.slots(object.size()));
      object.forEach((name, member) ->
          members.add(memberDigest(name, commit(member, member(seed, name))).array()));
      for (int i = members.size(); i < form.slots(object.size()); i++) {
        members.add(decoy(seed, i - object.size()).array());
      }
      return objectOf(blinding(seed), members);
    } else if (value instanceof JsonArray array) {
      List<Commitment> elements = new ArrayList<>(form.slots(array.size()));
      for (int i = 0; i < array.size(); i++) {
        elements.add(commit(array.get(i), element(seed, i)));
      }
      for (int i = array.size(); i < form.slots(array.size()); i++) {
        elements.add(decoy(seed, i - array.size()));
      }
      return arrayOf(blinding(seed), elements);
    }
    digest.reset(); // an Error may have interrupted the previous hash
    digest.update(SCALAR);
    digest.update(seed.array());
    return Commitment.ofOwn(digest.digest(bytes(value)));
  }

  /** The bytes of a scalar: a number is not converted, so that it has one form only. */
  private static byte[] bytes(JsonValue value) {
    return value instanceof JsonNumber number
        ? number.text().getBytes(US_ASCII)
        : CanonicalJson.SERDE.bytes(value);
  }

  /** The commitment of a member: of its name and its value. */
  public Commitment memberDigest(String name, Commitment value) {
    digest.reset();
    digest.update(MEMBER);
    digest.update(value.array());
    return Commitment.ofOwn(digest.digest(name.getBytes(UTF_8)));
  }

  private Commitment objectOf(Seed blinding, List<byte[]> members) {
    members.sort(Arrays::compareUnsigned);
    digest.reset();
    digest.update(OBJECT);
    digest.update(blinding.array());
    members.forEach(digest::update);
    return Commitment.ofOwn(digest.digest());
  }

  private Commitment arrayOf(Seed blinding, List<Commitment> elements) {
    digest.reset();
    digest.update(ARRAY);
    digest.update(blinding.array());
    for (Commitment element : elements) {
      digest.update(element.array());
    }
    return Commitment.ofOwn(digest.digest());
  }

  /**
   * Computes the commitment that a shown value and its opening lead to. Compared with the one that
   * is expected, it verifies both.
   *
   * @throws DocumentFormatException if the opening does not fit the value: it shows other members
   *     or elements, or has a member twice; the message has the JSON Pointer
   */
  public Commitment verify(JsonValue shown, Opening opening) throws DocumentFormatException {
    new OpeningCheck(form).check(shown, opening, JsonPointer.ROOT);
    return commit(shown, opening, JsonPointer.ROOT);
  }

  /**
   * Computes the commitment of a value from an opening that is known to fit it.
   *
   * @throws IllegalArgumentException if it does not
   */
  public Commitment commit(JsonValue shown, Opening opening) {
    try {
      return commit(shown, opening, JsonPointer.ROOT);
    } catch (DocumentFormatException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Computes the commitment of a value from an opening whose parts fit it. */
  private Commitment commit(JsonValue shown, Opening opening, JsonPointer at)
      throws DocumentFormatException {
    if (opening instanceof Opening.Complete complete) {
      return commit(shown, complete.seed());
    } else if (opening instanceof Opening.Withheld withheld) {
      return withheld.commitment();
    } else if (opening instanceof Opening.Elements elements) {
      JsonArray array = shown.asArray();
      List<Commitment> all = new ArrayList<>(elements.elements().size());
      for (int i = 0; i < elements.elements().size(); i++) {
        JsonValue element = i < array.size() ? array.get(i) : JsonArray.EMPTY;
        all.add(commit(element, elements.elements().get(i), at.append(i)));
      }
      return arrayOf(elements.blinding(), all);
    }
    Opening.Members members = (Opening.Members) opening;
    Set<Commitment> others = new HashSet<>(members.others());
    List<byte[]> digests = new ArrayList<>();
    for (var member : members.members().entrySet()) {
      String name = member.getKey();
      JsonValue value = shown.asObject().get(name);
      Commitment digest = memberDigest(
          name,
          commit(value == null ? JsonArray.EMPTY : value, member.getValue(), at.append(name)));
      if (others.contains(digest)) {
        throw OpeningCheck.fault(
            at.append(name), "the member is shown, and is also one of the other members");
      }
      digests.add(digest.array());
    }
    members.others().forEach(other -> digests.add(other.array()));
    return objectOf(members.blinding(), digests);
  }

  /**
   * Opens the first level of a complete value: an object or array becomes an opening of its members
   * or elements, each of them complete. Other openings, and those of other values, stay as they
   * are.
   */
  public Opening expand(JsonValue value, Opening opening) {
    if (!(opening instanceof Opening.Complete complete)) {
      return opening;
    }
    Seed seed = complete.seed();
    if (value instanceof JsonObject object) {
      Map<String, Opening> members = new TreeMap<>();
      object.forEach((name, member) -> members.put(name, new Opening.Complete(member(seed, name))));
      List<Commitment> decoys = new ArrayList<>();
      for (int i = object.size(); i < form.slots(object.size()); i++) {
        decoys.add(decoy(seed, i - object.size()));
      }
      decoys.sort(null);
      return new Opening.Members(blinding(seed), members, decoys);
    } else if (value instanceof JsonArray array) {
      List<Opening> elements = new ArrayList<>();
      for (int i = 0; i < array.size(); i++) {
        elements.add(new Opening.Complete(element(seed, i)));
      }
      for (int i = array.size(); i < form.slots(array.size()); i++) {
        elements.add(new Opening.Withheld(decoy(seed, i - array.size()), null));
      }
      return new Opening.Elements(blinding(seed), elements);
    }
    return opening;
  }
}
