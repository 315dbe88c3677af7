package dev.agentreplay.cli.accept;

import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.accept.AcceptedDivergence;
import dev.agentreplay.engine.accept.Proposal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that state which divergences are accepted, why, by whom and until when. */
public final class EntryOptions {

  /** The least number of hexadecimal digits that identify a fingerprint. */
  private static final int LEAST_DIGITS = 8;

  private static final String PREFIX = "sha256:";

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Reason why the differences are intended.")
  private String reason = "";

  @Option(
      names = "--by",
      paramLabel = "NAME",
      description = "Person or program that accepts them (default: not stated).")
  private @Nullable String by;

  @Option(
      names = "--expires",
      paramLabel = "DATE",
      description = "Last day on which they are accepted, in UTC, such as 2027-01-31 (default:"
          + " they do not expire).")
  private @Nullable String expires;

  @Option(
      names = "--only",
      paramLabel = "N|FINGERPRINT",
      split = ",",
      description = "Divergences to accept: their numbers in a text report, from 1, or the first 8"
          + " or more digits of their fingerprints (default: all). Comma-separated, repeatable.")
  private List<String> only = new ArrayList<>();

  /** Refuses a blank reason or name, and a date that is none, or is in the past. */
  public void check() {
    if (reason.isBlank()) {
      throw new UsageException(
          "--reason: expected the reason why the differences are intended, found none");
    }
    if (by != null && by.isBlank()) {
      throw new UsageException("--by: expected a name, found none");
    }
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    LocalDate last = lastDay();
    if (last != null && last.isBefore(today)) {
      throw new UsageException(
          "--expires: expected a day from today, %s in UTC, found %s, which is in the past"
              .formatted(today, last));
    }
  }

  private @Nullable LocalDate lastDay() {
    try {
      return expires == null ? null : LocalDate.parse(expires);
    } catch (DateTimeParseException e) {
      throw new UsageException(
          "--expires: expected a date, such as 2027-01-31, found \"%s\"".formatted(expires));
    }
  }

  /**
   * Returns the selected proposals.
   *
   * @param reports the number of reports that the proposals are of
   */
  public List<Proposal> select(List<Proposal> proposals, int reports) {
    if (only.isEmpty()) {
      return proposals;
    }
    Set<Proposal> selected = new LinkedHashSet<>();
    only.forEach(each -> selected.add(find(each.strip(), proposals, reports)));
    return List.copyOf(selected);
  }

  private Proposal find(String text, List<Proposal> proposals, int reports) {
    boolean isNumber = text.matches("[0-9]{1,7}");
    if (isNumber && reports > 1) {
      throw new UsageException(
          "--only: expected fingerprints, because there are several reports, found " + text);
    }
    String digits = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text;
    if (!isNumber && !digits.matches("[0-9a-f]{%d,64}".formatted(LEAST_DIGITS))) {
      throw new UsageException(
          "--only: expected the number of a divergence, or 8 to 64 digits of its fingerprint,"
              + " found \"%s\"".formatted(text));
    }
    List<Proposal> found = proposals.stream()
        .filter(each -> isNumber
            ? each.number() + 1 == Integer.parseInt(text)
            : each.fingerprint().toString().startsWith(PREFIX + digits))
        .toList();
    if (found.size() != 1) {
      throw new UsageException("--only %s: %s among the %d that can be accepted"
          .formatted(
              text,
              found.isEmpty() ? "no such divergence" : found.size() + " divergences",
              proposals.size()));
    }
    return found.get(0);
  }

  /** Returns the entries of the file for the selected proposals. */
  public List<AcceptedDivergence> entries(List<Proposal> selected) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    LocalDate last = lastDay();
    return selected.stream()
        .map(proposal -> proposal.accepted(reason.strip(), by, now, last))
        .toList();
  }
}
