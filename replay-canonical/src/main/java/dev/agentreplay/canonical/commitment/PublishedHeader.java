package dev.agentreplay.canonical.commitment;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The member {@code published} in the header of a published log: what was made of the session, and
 * under which policy. Immutable.
 *
 * @param form the id of the {@link PublicForm}, or {@value #PLAIN}
 * @param policyId the id of the policy
 * @param policyHash the SHA-256 of the canonical JSON of the policy; null unless it is a preset
 * @param policyCommitment the commitment to a policy that is not a preset, whose patterns may be
 *     secrets themselves; null if there is none
 * @param source the verdict on the session that was published: {@code valid}, {@code unverified} or
 *     {@code invalid}
 */
public record PublishedHeader(
    String form,
    String policyId,
    @Nullable ContentHash policyHash,
    @Nullable Commitment policyCommitment,
    String source) {

  /** The form of a log without commitments, whose hashes are those of the values themselves. */
  public static final String PLAIN = "plain";

  private static final List<String> SOURCES = List.of("valid", "unverified", "invalid");

  private static final String FORM = "form";
  private static final String POLICY = "policy";
  private static final String ID = "id";
  private static final String HASH = "hash";
  private static final String COMMITMENT = "commitment";
  private static final String SOURCE = "source";

  /**
   * Checks for null and the verdict.
   *
   * @throws IllegalArgumentException if the verdict is not one of the three
   */
  public PublishedHeader {
    Objects.requireNonNull(form, FORM);
    Objects.requireNonNull(policyId, "policyId");
    if (!SOURCES.contains(source)) {
      throw new IllegalArgumentException(
          "the verdict on the source must be one of %s: %s".formatted(SOURCES, source));
    }
  }

  /** The public form of the lines; null if it is {@value #PLAIN}, or one of a later version. */
  public @Nullable PublicForm publicForm() {
    return PublicForm.tryParse(form);
  }

  /** Whether the log has no commitments. */
  public boolean isPlain() {
    return form.equals(PLAIN);
  }

  /** The JSON form. */
  public JsonObject toJson() {
    JsonObject policy = JsonObject.of(ID, policyId);
    if (policyHash != null) {
      policy = policy.with(HASH, policyHash.toString());
    }
    if (policyCommitment != null) {
      policy = policy.with(COMMITMENT, policyCommitment.text());
    }
    return JsonObject.of(FORM, form, POLICY, policy, SOURCE, source);
  }

  /**
   * Reads the JSON form; unknown members are ignored. The form may be an unknown one.
   *
   * @throws DocumentFormatException if a member is missing or invalid
   */
  public static PublishedHeader fromJson(JsonObject json) throws DocumentFormatException {
    StrictObject members = StrictObject.of(json);
    StrictObject policy = members.object(POLICY);
    String source = members.string(SOURCE);
    if (!SOURCES.contains(source)) {
      throw members.mustBe("one of " + String.join(", ", SOURCES), SOURCE, JsonString.of(source));
    }
    Commitment commitment = null;
    if (policy.json().has(COMMITMENT)) {
      commitment = Commitment.tryParse(policy.string(COMMITMENT));
      if (commitment == null) {
        throw policy.mustBe("a commitment", COMMITMENT, policy.json().get(COMMITMENT));
      }
    }
    return new PublishedHeader(
        members.string(FORM),
        policy.string(ID),
        policy.json().has(HASH) ? policy.hash(HASH) : null,
        commitment,
        source);
  }
}
