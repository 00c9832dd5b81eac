import { closestTo } from "../primitives/closest.js";
import { FORK_KEYS } from "./forks.js";

/** Keys of other files that resemble those of a fork. */
const OTHER_KEYS: readonly string[] = ["eip160block", "cancuneoftime"];

/** A key under `config` that resembles the key of a fork. */
export interface MisspeltFork {
  readonly key: string;
  readonly nearest: string;
}

/** Finds ignored keys that are probably misspelled fork activations. */
export function findMisspeltForks(config: object): readonly MisspeltFork[] {
  const spelling = new Map(FORK_KEYS.map((key) => [key.toLowerCase(), key]));
  return Object.keys(config).flatMap((key) => {
    const name = key.toLowerCase();
    if (spelling.has(name) || OTHER_KEYS.includes(name)) return [];
    const [closest = ""] = closestTo(name, [...spelling.keys()]);
    const nearest = spelling.get(closest);
    return nearest === undefined ? [] : [{ key, nearest }];
  });
}
