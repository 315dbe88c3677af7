package com.example.agent;

import com.google.adk.tools.Annotations.Schema;
import com.google.adk.tools.ToolContext;
import java.util.Map;
import java.util.TreeMap;

/** The tools of the agents. */
public class ShopTools {

  @Schema(description = "Returns the opening hours of a shop")
  public Map<String, Object> hours(
      @Schema(name = "shop", description = "name of the shop") String shop) {
    return Map.of("hours", shop + " shop: 9 to 17");
  }

  @Schema(description = "Orders an article")
  public Map<String, Object> order(
      @Schema(name = "article") String article,
      @Schema(name = "toolContext") ToolContext toolContext) {
    toolContext.state().put("ordered", article);
    return new TreeMap<>(Map.of("article", article, "number", 1));
  }
}
