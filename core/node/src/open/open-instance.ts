import type { Runtime } from "@plinth/core";
import type { Logs, PluginInstance } from "@plinth/core/kernel";
import { failedIn, type Registries } from "../plugin/registries.js";

/** A runtime, but for what is a plugin's own. */
export type SharedRuntime = Omit<Runtime, "log" | "logs" | "signal" | "tasks"> & {
  readonly logs: Logs;
};

/** Gives a plugin its runtime and makes its services; one whose dependencies are missing is idle. */
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
