package com.example.shop;

import java.util.Map;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.stereotype.Component;

/** The tools of the assistant. */
@Component
public class ShopTools {

  private static final Map<String, Integer> STOCK = Map.of("lamp", 3, "chair", 0);

  @Tool(description = "Returns the opening hours of a day of the week")
  public String openingHours(@ToolParam(description = "name of the day") String day) {
    return day.equalsIgnoreCase("sunday") ? "closed" : "9 to 17";
  }

  @Tool(description = "Returns the number of items in stock")
  public int stock(@ToolParam(description = "name of the item, in the singular") String item) {
    Integer count = STOCK.get(item);
    if (count == null) {
      throw new IllegalArgumentException("unknown item: " + item);
    }
    return count;
  }
}
