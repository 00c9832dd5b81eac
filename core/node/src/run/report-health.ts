import { type Clock, type Health, messageOf } from "@plinth/core";
import { type HealthReport, type NamedHealth, runCheck, worst } from "@plinth/core/kernel";
import type { Registries } from "../plugin/registries.js";

/** A check that takes longer counts as down, so that the others do not wait for it. */
const CHECK_MS = 3000;

/** The health of all parts, those of the core before those of plugins, and the worst of it. */
export async function reportHealth(
  registries: Registries,
  { own, clock }: { readonly own: readonly NamedHealth[]; readonly clock: Clock },
): Promise<HealthReport> {
  const checks = [...own, ...(await runChecks(registries, clock)), ...failedTasks(registries)];
  return { status: worst(checks.map(({ status }) => status)), checks };
}

async function runChecks(registries: Registries, clock: Clock): Promise<readonly NamedHealth[]> {
  const results = await Promise.all(
    registries.checks().map(async ({ plugin, item }) => {
      const instance = registries.find(plugin);
      if (instance?.runtime === undefined || !instance.active) return [];
      const found = await inTime(runCheck(item.check, instance.runtime), clock);
      return [{ plugin, name: item.name, ...found }];
    }),
  );
  return results.flat();
}

function inTime(check: Promise<Health>, clock: Clock): Promise<Health> {
  return new Promise((resolve) => {
    const late = { status: "down", detail: `no result within ${CHECK_MS / 1000} s` } as const;
    const cancel = clock.after(CHECK_MS, () => resolve(late));
    void check.then(resolve).finally(cancel);
  });
}

function failedTasks(registries: Registries): readonly NamedHealth[] {
  const loaded = registries.instances().filter(({ disabled }) => !disabled);
  return loaded.flatMap(({ name: plugin, failures }) =>
    failures.map(({ name, error }) => {
      return { plugin, name, status: "degraded" as const, detail: messageOf(error) };
    }),
  );
}
