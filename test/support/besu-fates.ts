import { BESU_OPTIONS } from "./besu-options.js";
import type { RunProgram } from "./program.js";

/** How the program handles a value of an option. */
export interface ValueFate {
  readonly name: string;
  readonly value: string;
  readonly fate: "served" | "warned" | "refused";
  /** Why it has no effect. */
  readonly reason: string;
}

const FATES = { served: "served", "no effect": "warned", "not built": "refused" } as const;

type Given = readonly { readonly name: string; readonly value: string }[];

/**
 * The status of every tested value of the options of Besu, as `plinth config` reports it.
 *
 * Networks are known when plugins are registered, which that command does not do.
 */
export async function readFates(
  run: RunProgram,
  folder: string,
  networks: readonly string[],
): Promise<readonly ValueFate[]> {
  const most = Math.max(...BESU_OPTIONS.map(({ values }) => values.length));
  const found: ValueFate[] = [];
  for (let index = 0; index < most; index++) {
    const given = BESU_OPTIONS.flatMap(({ name, values }) => {
      const value = values[index];
      return value === undefined ? [] : [{ name, value }];
    });
    found.push(...(await readFatesOf(given, run, folder)));
  }
  return found.map((each) => {
    if (each.name !== "network" || networks.includes(each.value)) return each;
    const reason = `loaded plugins know ${networks.join(", ")}`;
    return { ...each, fate: "refused", reason };
  });
}

async function readFatesOf(
  given: Given,
  run: RunProgram,
  folder: string,
): Promise<readonly ValueFate[]> {
  const flags = given.map(({ name, value }) => `--${name}=${value}`);
  const { code, stdout, stderr } = await run([...flags, "config", "--format=json"], { folder });
  const invalid = [
    ...stderr.matchAll(
      /Invalid value for option '--([\w-]+)': '[^']*': (.*?)(?=; Invalid value|$)/gm,
    ),
  ];
  if (invalid.length > 0) {
    const reasons = new Map(invalid.map(([, name = "", reason = ""]) => [name, reason]));
    const refused = given.filter(({ name }) => reasons.has(name));
    const others = given.filter(({ name }) => !reasons.has(name));
    return [
      ...refused.map((each) => ({
        ...each,
        fate: "refused" as const,
        reason: reasons.get(each.name) ?? "",
      })),
      ...(await readFatesOf(others, run, folder)),
    ];
  }
  if (code !== 0) throw new Error(`plinth config ended with ${code}: ${stderr}`);
  const shown: Readonly<Record<string, { status: keyof typeof FATES; reason?: string }>> =
    JSON.parse(stdout);
  return given.map((each) => {
    const { status = "served", reason = "" } = shown[each.name] ?? {};
    return { ...each, fate: FATES[status], reason };
  });
}
