package dev.agentreplay.adk;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.ParallelAgent;
import com.google.adk.models.LlmRequest;
import com.google.adk.tools.BaseTool;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.Part;
import dev.agentreplay.adk.AgentLanes.Lane;
import dev.agentreplay.adk.GenAiJson.Form;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates the events of requests to models. Since most of a request repeats the previous one, the
 * forms of its contents are cached until the next one. Safe for use by several threads.
 */
final class RequestForms {

  static final String SYSTEM = "system";
  static final String TOOLS = "tools";

  /** The members of a configuration that are not parameters, or may have secrets. */
  private static final String[] NOT_PARAMETERS = {"system_instruction", TOOLS, "http_options"};

  /** The forms of the last request of each agent id, by identity; never modified. */
  private final Map<@Nullable String, IdentityHashMap<Object, Form>> known = new HashMap<>();

  /** The descriptions of tools by name, as the settings state them. */
  private final Map<String, JsonValue> tools = new TreeMap<>();

  /** Creates the event of a request. */
  ModelCall call(String id, LlmRequest request, Lane lane) {
    EventTexts texts = new EventTexts();
    JsonObject prompt = JsonObject.of("messages", contents(texts, request.contents(), lane));
    GenerateContentConfig config = request.config().orElse(null);
    JsonObject parameters = JsonObject.EMPTY;
    if (config != null) {
      Optional<Content> system = config.systemInstruction();
      JsonObject form =
          GenAiJson.at(texts, "/parameters", without(config)) instanceof JsonObject all
              ? all
              : JsonObject.EMPTY;
      if (system.isPresent()) {
        prompt = prompt.with(SYSTEM, system(texts, system.get()));
      }
      if (form.get(TOOLS) instanceof JsonArray declared && declared.size() > 0) {
        prompt = prompt.with("context", JsonObject.of(TOOLS, declared));
      }
      parameters = form.without(NOT_PARAMETERS);
    }
    String model = request.model().orElse(null);
    return new ModelCall(
        id,
        model == null ? null : texts.at("/model", model),
        dev.agentreplay.model.Content.of(prompt),
        new Parameters(parameters),
        lane.in(texts.meta()));
  }

  private static GenerateContentConfig without(GenerateContentConfig config) {
    return config.toBuilder().clearSystemInstruction().clearHttpOptions().build();
  }

  private JsonArray contents(EventTexts texts, List<Content> contents, Lane lane) {
    IdentityHashMap<Object, Form> before;
    synchronized (known) {
      before = known.get(lane.agent());
    }
    IdentityHashMap<Object, Form> forms = new IdentityHashMap<>();
    List<JsonValue> values = new ArrayList<>(contents.size());
    for (Content content : contents) {
      Form form = before == null ? null : before.get(content);
      if (form == null) {
        form = GenAiJson.form(content);
      }
      forms.put(content, form);
      values.add(form.at(texts, "/prompt/messages/" + values.size()));
    }
    synchronized (known) {
      known.put(lane.agent(), forms);
    }
    return JsonArray.copyOf(values);
  }

  /** The form of an instruction: its text if it is a single one. */
  private static JsonValue system(EventTexts texts, Content instruction) {
    List<Part> parts = instruction.parts().orElse(List.of());
    String role = instruction.role().orElse("user");
    if (parts.size() == 1 && role.equals("user")) {
      String text = parts.get(0).text().orElse(null);
      if (text != null && parts.get(0).equals(Part.fromText(text))) {
        return JsonValue.of(texts.at("/prompt/system", text));
      }
    }
    return GenAiJson.at(texts, "/prompt/system", instruction);
  }

  /**
   * The settings with the tools of a request and of those before it; null if they are stated. Those
   * of agents that run at the same time are left out, because their order differs from run to run.
   */
  @Nullable
  Settings tools(LlmRequest request, BaseAgent agent, Lane lane) {
    if ((lane.parent() != null && !lane.isTransfer()) || isParallel(agent)) {
      return null;
    }
    synchronized (tools) {
      boolean isNew = false;
      for (BaseTool tool : request.tools().values()) {
        JsonValue description = description(tool).json();
        isNew |= !description.equals(tools.put(tool.name(), description));
      }
      return isNew
          ? Settings.of(Map.of(
              Settings.TOOLS, new Setting(JsonArray.copyOf(List.copyOf(tools.values())), null)))
          : null;
    }
  }

  /** Whether an agent may run at the same time as others. */
  static boolean isParallel(BaseAgent agent) {
    for (BaseAgent each = agent; each != null; each = each.parentAgent()) {
      if (each instanceof ParallelAgent) {
        return true;
      }
    }
    return false;
  }

  private static ToolDescription description(BaseTool tool) {
    ToolDescription description = ToolDescription.of(EventTexts.wellFormed(tool.name()));
    FunctionDeclaration declaration;
    try {
      declaration = tool.declaration().orElse(null);
    } catch (RuntimeException e) { // of a tool of any class, which the agent does not call here
      declaration = null;
    }
    if (tool.description() != null) {
      description = description.withDescription(EventTexts.wellFormed(tool.description()));
    }
    if (declaration != null) {
      Object schema = declaration.parameters().isPresent()
          ? declaration.parameters().get()
          : declaration.parametersJsonSchema().orElse(null);
      if (schema != null) {
        description = description.withSchema(GenAiJson.form(schema).value());
      }
    }
    return tool.longRunning()
        ? new ToolDescription(description.json().with("long_running", true))
        : description;
  }
}
