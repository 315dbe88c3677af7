package dev.agentreplay.springai.boot;

import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.ReplaySession;
import dev.agentreplay.springai.test.ReplayTest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;

/** An application is recorded by its test, and replayed without its servers. */
class ShopReplayTest {

  @TempDir
  Path directory;

  /** A system property with the properties of the servers: the application has its own loader. */
  private static final String SERVERS = "replay.test.servers";

  private JUnitOfSpring junit;

  @BeforeEach
  void open() throws Exception {
    System.clearProperty(ShopApplication.PRICES);
    junit = JUnitOfSpring.open();
  }

  @AfterEach
  void close() throws Exception {
    System.clearProperty(SERVERS);
    junit.close();
  }

  static final class Servers
      implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
      TestPropertyValues.of(System.getProperty(SERVERS).split("\n")).applyTo(context);
    }
  }

  @ReplayTest(classes = ShopApplication.class, properties = "spring.main.banner-mode=off")
  @ContextConfiguration(initializers = Servers.class)
  static class Questions {

    @Autowired
    ShopApplication.Shop shop;

    @Autowired
    ChatMemory memory;

    /** Tests share a context, and with it the memory. */
    @BeforeEach
    void forget() {
      memory.clear("customer");
    }

    @Test
    @ReplaySession("asks")
    void asks() {
      assertThat(shop.ask("Can I return a lamp?")).contains("9 to 17", "3 in stock", "20 francs");
      assertThat(shop.review("It is open.")).isEqualTo("It is.");
      assertThat(shop.ask("And a lamp of last year?")).contains("20 francs");
    }
  }

  @ReplayTest(classes = ShopApplication.class, properties = "spring.main.banner-mode=off")
  @ContextConfiguration(initializers = Servers.class)
  static class ChangedQuestions {

    @Autowired
    ShopApplication.Shop shop;

    @Autowired
    ChatMemory memory;

    /** Tests share a context, and with it the memory. */
    @BeforeEach
    void forget() {
      memory.clear("customer");
    }

    @Test
    @ReplaySession("asks")
    void asks() {
      shop.ask("Can I return a lamp?");
      shop.review("It is closed.");
      shop.ask("And a lamp of last year?");
    }
  }

  /** The same in a context of its own, which is closed with its connections. */
  @DirtiesContext
  static class RecordedQuestions extends Questions {}

  private List<String> run(Class<?> test, String update) throws Exception {
    return junit.run(
        test,
        Map.of(
            "replay.update", update,
            "replay.recordings", directory.resolve("recordings").toString(),
            "replay.output", directory.resolve("output").toString()));
  }

  @Test
  @Tag("slow") // a server over each transport
  void application_is_recorded_and_replayed_without_network() throws Exception {
    try (StockServer stock = StockServer.start(directory);
        OpenedConnections opened = OpenedConnections.observe()) {
      List<String> properties = new ArrayList<>(StockServer.stdioProperties());
      properties.add("spring.ai.mcp.client.streamable-http.connections.stock.url=http://localhost:"
          + stock.port());
      System.setProperty(SERVERS, String.join("\n", properties));

      assertThat(run(RecordedQuestions.class, "missing")).isEmpty();
      assertThat(System.getProperty(ShopApplication.PRICES)).isEqualTo("2");
      assertThat(opened.seen())
          .contains("jdk.ProcessStart")
          .anyMatch(each -> each.startsWith("connection to http"));
    }

    Session session = Session.open(directory.resolve("recordings/asks"));
    assertThat(session).isVerified().hasNoFailedToolResults();
    assertThat(session)
        .hasToolCalls("opening_hours", "stock", "price", "opening_hours", "stock", "price");
    try (OpenedConnections opened = OpenedConnections.observe()) {
      assertThat(run(Questions.class, "none")).isEmpty();
      assertThat(System.getProperty(ShopApplication.PRICES)).isEqualTo("2"); // when recording
      assertThat(opened.seen()).isEmpty();
    }

    assertThat(run(ChangedQuestions.class, "none"))
        .singleElement()
        .asString()
        .contains("It is closed.");
  }
}
