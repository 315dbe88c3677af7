package dev.agentreplay.adk;

import com.google.adk.tools.Annotations.Schema;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.FunctionTool;
import com.google.adk.tools.LongRunningFunctionTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.FunctionDeclaration;
import io.reactivex.rxjava3.core.Single;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Tools that keep a list of what was executed. */
public final class Tools {

  private final Queue<String> executions = new ConcurrentLinkedQueue<>();

  /** The executions since the last call. */
  List<String> take() {
    List<String> taken = List.copyOf(executions);
    executions.clear();
    return taken;
  }

  BaseTool tool(String name) {
    return FunctionTool.create(this, name);
  }

  BaseTool longRunning(String name) {
    return LongRunningFunctionTool.create(this, name);
  }

  @Schema(description = "Reads a file")
  public Map<String, Object> read(@Schema(name = "path") String path) {
    executions.add("read");
    return new TreeMap<>(Map.of("text", "content of " + path, "bytes", 12L, "ratio", 0.5));
  }

  @Schema(description = "Reads a file that is not there")
  public Map<String, Object> broken(@Schema(name = "path") String path) {
    executions.add("broken");
    throw new IllegalStateException("cannot read " + path);
  }

  @Schema(description = "Counts in the state of the session")
  public Map<String, Object> count(@Schema(name = "toolContext") ToolContext toolContext) {
    executions.add("count");
    Object before = toolContext.state().get("count");
    int count = before == null ? 1 : ((Number) before).intValue() + 1;
    toolContext.state().put("count", count);
    return Map.of("count", count);
  }

  @Schema(description = "Leaves the loop")
  public Map<String, Object> leave(@Schema(name = "toolContext") ToolContext toolContext) {
    executions.add("leave");
    toolContext.actions().setEscalate(true);
    return Map.of();
  }

  @Schema(description = "A text that was cut in a character")
  public Map<String, Object> cut(@Schema(name = "path") String path) {
    executions.add("cut");
    return Map.of("text", path + "\ud83d");
  }

  @Schema(description = "A result that is not in alphabetical order")
  public Map<String, Object> sorted(@Schema(name = "path") String path) {
    executions.add("sorted");
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("z", path);
    result.put("a", new LinkedHashMap<>(Map.of("only", 1)));
    return result;
  }

  @Schema(description = "Asks a person")
  public @Nullable Map<String, Object> ask(@Schema(name = "question") String question) {
    executions.add("ask");
    return null;
  }

  /** A tool {@code fail} that fails with an exception. */
  static BaseTool failing(Exception error) {
    return new BaseTool("fail", "Fails") {
      @Override
      public Optional<FunctionDeclaration> declaration() {
        return Optional.of(FunctionDeclaration.builder().name("fail").build());
      }

      @Override
      public Single<Map<String, Object>> runAsync(
          Map<String, Object> arguments, ToolContext context) {
        return Single.error(error);
      }
    };
  }
}
