package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.model.text.NearestName;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The budget of a replay. */
public final class BudgetOptions {

  private static final List<String> NAMES = List.of("calls", "tokens", "bytes", "time", "money");

  @Option(
      names = "--budget",
      split = ",",
      paramLabel = "LIMIT",
      description = "Limit at which the replay stops: calls=N, tokens=N, bytes=N, time=S, money=X."
          + " Comma-separated, repeatable.")
  private List<String> budget = new ArrayList<>();

  @Mixin
  private PricesOption prices = new PricesOption();

  /**
   * The budget.
   *
   * @throws IOException if the file with prices cannot be read
   */
  public ReplayBudget budget() throws IOException {
    ReplayBudget limits = ReplayBudget.unlimited();
    Set<String> given = new HashSet<>();
    for (String limit : budget) {
      int equals = limit.indexOf('=');
      String name = equals < 0 ? limit : limit.substring(0, equals);
      if (equals < 0 || !NAMES.contains(name)) {
        throw new UsageException(
            "--budget: expected calls=N, tokens=N, bytes=N, time=S or money=X, found \"" + limit
                + '"' + NearestName.suggestion(name, NAMES));
      }
      if (!given.add(name)) {
        throw new UsageException("--budget: two limits of " + name);
      }
      String value = limit.substring(equals + 1);
      limits = switch (name) {
        case "calls" -> limits.withCalls(number(name, value));
        case "tokens" -> limits.withTokens(number(name, value));
        case "bytes" -> limits.withBytes(number(name, value));
        case "time" -> limits.withTime(time(value));
        default -> limits.withMoney(money(value), readPrices());
      };
    }
    if (prices.file() != null && !given.contains("money")) {
      throw new UsageException("--prices requires --budget money=X");
    }
    return limits;
  }

  private long number(String name, String value) {
    if (value.matches("[0-9]{1,18}")) {
      return Long.parseLong(value);
    }
    throw new UsageException(
        "--budget: %s: expected a whole number, found \"%s\"".formatted(name, value));
  }

  private Duration time(String value) {
    try {
      return SecondsConverter.parse(value);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--budget: time: " + e.getMessage());
    }
  }

  private BigDecimal money(String value) {
    if (value.matches("[0-9]{1,12}(\\.[0-9]{1,9})?")) {
      return new BigDecimal(value);
    }
    throw new UsageException(
        "--budget: money: expected an amount such as 2.50, found \"%s\"".formatted(value));
  }

  /** The file with the prices; null if none was given. */
  public @Nullable Path prices() {
    return prices.file();
  }

  private Prices readPrices() throws IOException {
    if (prices.file() == null) {
      throw new UsageException("--budget money=X requires --prices FILE");
    }
    return prices.read();
  }
}
