package com.example.shop;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicInteger;

/** The tools of the assistant. */
@ApplicationScoped
public class ShopTools {

  private final AtomicInteger calls = new AtomicInteger();

  /** Looks up opening hours. */
  @Tool("Returns the opening hours of the shop on a day")
  public String hours(@P("day of the week") String day) {
    calls.incrementAndGet();
    return day.equals("Sunday") ? "closed" : "9 to 17";
  }

  /** The number of calls so far, to show that a replay does not run the tool. */
  public int calls() {
    return calls.get();
  }
}
