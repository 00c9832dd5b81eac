import { PluginError } from "../errors.js";
import { serviceOf } from "../services.js";
import type { PluginInstance } from "./plugin-instance.js";

/**
 * Throws with the reason if a plugin cannot be removed from a running node.
 *
 * Essential plugins, providers that others use and owners of drivers or protocols in use stay.
 */
export function verifyCanDisable<R>(
  name: string,
  instances: readonly PluginInstance<R>[],
  inUse: ReadonlyMap<string, string>,
): void {
  const refusal = (message: string) =>
    new PluginError("PLUGIN_NOT_DISABLED", { message, plugin: name });
  const instance = instances.find((candidate) => candidate.name === name);
  if (instance === undefined || instance.disabled) {
    const known = instances.filter(({ disabled }) => !disabled).map((candidate) => candidate.name);
    throw refusal(`no loaded plugin is called "${name}"; loaded are ${known.join(", ")}`);
  }
  if (instance.essential) throw refusal(`${name} is essential: the node cannot run without it`);
  const driver = inUse.get(name);
  if (driver !== undefined) throw refusal(`${name} owns ${driver}, which the node is using`);
  const provided = new Set((instance.plugin.provides ?? []).map(({ id }) => id));
  for (const other of instances) {
    if (other === instance || other.disabled) continue;
    const used = Object.values(other.plugin.dependencies ?? {})
      .map((dependency) => serviceOf(dependency).id)
      .find((id) => provided.has(id));
    if (used !== undefined) throw refusal(`${other.name} uses ${used} of ${name}`);
  }
}
