package dev.agentreplay.publish;

import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.signature.Signer;
import dev.agentreplay.publish.policy.PublicationPolicy;
import dev.agentreplay.publish.secret.SecretRules;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options for publishing a session. Immutable.
 *
 * @param policy the policy, which says what is shown
 * @param secrets the rules by which secrets are found
 * @param hashes the form of the hashes of withheld values
 * @param form the form of the public tree, if the session has no public checkpoint yet
 * @param salt the salt of a session whose log has none; its owner keeps it, because values can be
 *     disclosed later only with it. Not used for other sessions; null by default
 * @param signer the key that signs the public checkpoint, if the session has no signed one; null
 *     for no signature
 * @param attachments the names of other files of the session's directory that are published, such
 *     as {@code PR_SUMMARY.md}; none by default
 * @param force whether a session is published although it does not verify
 * @param overwrite whether an earlier publication in the target directory is replaced
 */
public record PublishOptions(
    PublicationPolicy policy,
    SecretRules secrets,
    Hashes hashes,
    PublicForm form,
    @Nullable Salt salt,
    @Nullable Signer signer,
    List<String> attachments,
    boolean force,
    boolean overwrite) {

  /** The form of the hashes of withheld values. */
  public enum Hashes {
    /** Commitments, which do not allow guessing, and by which values can be verified. */
    SALTED,
    /**
     * The hashes of the log, as specification 001 requires: a reader can test guesses of a value,
     * and shown values cannot be verified.
     */
    PLAIN
  }

  /** Checks for null and copies the list. */
  public PublishOptions {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(secrets, "secrets");
    Objects.requireNonNull(hashes, "hashes");
    Objects.requireNonNull(form, "form");
    attachments = List.copyOf(attachments);
  }

  /**
   * The default options: the policy {@code private_repo}, the bundled rules for secrets,
   * commitments without padding, no salt, no signature, no attachments.
   */
  public static PublishOptions defaults() {
    return new PublishOptions(
        PublicationPolicy.PRIVATE_REPO,
        SecretRules.bundled(),
        Hashes.SALTED,
        PublicForm.DEFAULT,
        null,
        null,
        List.of(),
        false,
        false);
  }

  /** Returns these options with a different policy. */
  public PublishOptions withPolicy(PublicationPolicy newPolicy) {
    return new PublishOptions(
        newPolicy, secrets, hashes, form, salt, signer, attachments, force, overwrite);
  }

  /** Returns these options with different rules for secrets. */
  public PublishOptions withSecrets(SecretRules newSecrets) {
    return new PublishOptions(
        policy, newSecrets, hashes, form, salt, signer, attachments, force, overwrite);
  }

  /** Returns these options with a different form of hashes. */
  public PublishOptions withHashes(Hashes newHashes) {
    return new PublishOptions(
        policy, secrets, newHashes, form, salt, signer, attachments, force, overwrite);
  }

  /** Returns these options with a different form of the public tree. */
  public PublishOptions withForm(PublicForm newForm) {
    return new PublishOptions(
        policy, secrets, hashes, newForm, salt, signer, attachments, force, overwrite);
  }

  /** Returns these options with a salt, or without one. */
  public PublishOptions withSalt(@Nullable Salt newSalt) {
    return new PublishOptions(
        policy, secrets, hashes, form, newSalt, signer, attachments, force, overwrite);
  }

  /** Returns these options with a signer, or without one. */
  public PublishOptions withSigner(@Nullable Signer newSigner) {
    return new PublishOptions(
        policy, secrets, hashes, form, salt, newSigner, attachments, force, overwrite);
  }

  /** Returns these options with other attachments. */
  public PublishOptions withAttachments(List<String> newAttachments) {
    return new PublishOptions(
        policy, secrets, hashes, form, salt, signer, newAttachments, force, overwrite);
  }

  /** Returns these options with sessions published although they do not verify, or refused. */
  public PublishOptions withForce(boolean newForce) {
    return new PublishOptions(
        policy, secrets, hashes, form, salt, signer, attachments, newForce, overwrite);
  }

  /** Returns these options with an earlier publication replaced or kept. */
  public PublishOptions withOverwrite(boolean newOverwrite) {
    return new PublishOptions(
        policy, secrets, hashes, form, salt, signer, attachments, force, newOverwrite);
  }
}
