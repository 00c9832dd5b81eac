import { definePlugin, type NodeHooks, type Plugin } from "@plinth/core";
import type { HookKind } from "@plinth/core/kernel";

/** The misbehavior of a tap. */
export type Behavior =
  | "throw"
  | "throw-text"
  | "throw-trap"
  | "hang"
  | "hang-thenable"
  | "reject-thenable"
  | "nonsense"
  | "nonsense-trap";

/** Ways to misbehave that can be tried in one process: accidental and malicious ones. */
export const USUAL_BEHAVIORS: readonly Behavior[] = ["throw", "throw-text", "hang", "nonsense"];
export const RARE_BEHAVIORS: readonly Behavior[] = [
  "throw-trap",
  "hang-thenable",
  "reject-thenable",
  "nonsense-trap",
];
export const BEHAVIORS: readonly Behavior[] = [...USUAL_BEHAVIORS, ...RARE_BEHAVIORS];

/** A value that no hook accepts. */
const NONSENSE: readonly unknown[] = [42, "banana", {}, [], null, new Map([["x", 1]]), () => {}];

/** An object that throws on every access. */
function createTrap(): object {
  const spring = () => {
    throw new Error("sprung");
  };
  return new Proxy(
    {},
    { get: spring, has: spring, ownKeys: spring, getPrototypeOf: spring, set: spring },
  );
}

/** A plugin that taps hooks and misbehaves in them. */
export interface HostilePlugin {
  readonly plugin: Plugin;
  /** The hooks in which it has misbehaved. */
  readonly hit: ReadonlySet<string>;
}

/** The name it is reported by. */
export const HOSTILE = "hostile";

/** Creates a plugin that misbehaves in the given hooks, such as `chain.commit`. */
export function createHostile(
  behaviors: ReadonlyMap<string, Behavior>,
  pick: (count: number) => number = () => 0,
): HostilePlugin {
  const hit = new Set<string>();
  const plugin = definePlugin({
    name: HOSTILE,
    setup({ hooks }) {
      for (const [hook, behavior] of behaviors) {
        find(hooks, hook).tap(() => {
          hit.add(hook);
          return misbehave(behavior, pick) as never;
        });
      }
    },
  });
  return { plugin, hit };
}

function misbehave(behavior: Behavior, pick: (count: number) => number): unknown {
  switch (behavior) {
    case "throw":
      throw new Error("boom");
    case "throw-text":
      throw "boom";
    case "throw-trap":
      throw createTrap();
    case "hang":
      return new Promise(() => {});
    case "hang-thenable":
      // biome-ignore lint/suspicious/noThenProperty: promises of other libraries are such objects.
      return { then: () => {} };
    case "reject-thenable":
      // biome-ignore lint/suspicious/noThenProperty: the same.
      return { then: (_: unknown, reject: (error: unknown) => void) => reject("boom") };
    case "nonsense":
      return NONSENSE[pick(NONSENSE.length)];
    case "nonsense-trap":
      return createTrap();
  }
}

function find(hooks: NodeHooks, name: string): { tap(handler: () => never): void } {
  const [area = "", hook = ""] = name.split(".");
  return Reflect.get(Reflect.get(hooks, area), hook);
}

/** Whether this misbehavior is a fault at all in a hook of this kind. */
export function isFault(kind: HookKind, behavior: Behavior): boolean {
  if (behavior === "nonsense") return kind === "decide" || kind === "refine" || kind === "rewrite";
  return true;
}
