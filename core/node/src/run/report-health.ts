import { messageOf } from "@plinth/core";
import { type HealthReport, type NamedHealth, runCheck, worst } from "@plinth/core/kernel";
import type { Registries } from "../plugin/registries.js";

/** The health of all parts, those of the core before those of plugins, and the worst of it. */
export async function reportHealth(
  registries: Registries,
  own: readonly NamedHealth[],
): Promise<HealthReport> {
  const checks = [...own, ...(await runChecks(registries)), ...failedTasks(registries)];
  return { status: worst(checks.map(({ status }) => status)), checks };
}

async function runChecks(registries: Registries): Promise<readonly NamedHealth[]> {
  const results = await Promise.all(
    registries.checks().map(async ({ plugin, item }) => {
      const instance = registries.find(plugin);
      if (instance?.runtime === undefined || !instance.active) return [];
      return [{ plugin, name: item.name, ...(await runCheck(item.check, instance.runtime)) }];
    }),
  );
  return results.flat();
}

function failedTasks(registries: Registries): readonly NamedHealth[] {
  const loaded = registries.instances().filter(({ disabled }) => !disabled);
  return loaded.flatMap(({ name: plugin, failures }) =>
    failures.map(({ name, error }) => {
      return { plugin, name, status: "degraded" as const, detail: messageOf(error) };
    }),
  );
}
