import type { Runtime } from "@plinth/core";
import type { Logs, PluginInstance } from "@plinth/core/kernel";
import { failedIn, type Registries } from "../plugin/registries.js";

/** A runtime without the parts of a single plugin. */
export type SharedRuntime = Omit<Runtime, "log" | "logs" | "signal" | "tasks"> & {
  readonly logs: Logs;
};

/** Creates the runtime and the services of a plugin; it is idle if dependencies are missing. */
export async function openInstance(
  instance: PluginInstance<Runtime>,
  shared: SharedRuntime,
  services: Registries["services"],
): Promise<void> {
  const { name, plugin, signal, tasks } = instance;
  const dependencies = plugin.dependencies ?? {};
  instance.idle = services.findIdleReason(dependencies);
  const log = shared.logs.for(name);
  instance.runtime = { ...shared, log, signal, tasks, ...services.resolve(dependencies) };
  try {
    await services.create(name, instance.runtime, instance.idle);
  } catch (error) {
    throw failedIn(plugin, "creating its services", error);
  }
}
