package dev.agentreplay.adk;

import com.google.adk.plugins.Plugin;
import com.google.adk.plugins.PluginManager;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The order in which the kit calls plugins. */
final class PluginOrder {

  private PluginOrder() {}

  /** The plugins that are called after a plugin; null if the manager does not have it itself. */
  static @Nullable List<Plugin> after(Plugin plugin, Plugin manager) {
    List<Plugin> all = new ArrayList<>();
    flatten(manager, all);
    int place = all.indexOf(plugin);
    return place < 0 ? null : all.subList(place + 1, all.size());
  }

  /** A manager is a plugin of the runner of an agent that a tool runs. */
  private static void flatten(Plugin plugin, List<Plugin> all) {
    if (plugin instanceof PluginManager manager) {
      manager.getPlugins().forEach(each -> flatten(each, all));
    } else {
      all.add(plugin);
    }
  }
}
