import type { DataRecord } from "./data-record.js";

/** The members of `config` that name engines, or belong to one. */
const ENGINES = [
  "qbft",
  "ibft2",
  "ibft",
  "clique",
  "ethash",
  "terminaltotaldifficulty",
  "transitions",
];

/**
 * The genesis file of a network with the engine of development chains: block 0 and the rules stay, so that the blocks of
 * the network are those of this chain.
 */
export function withDevEngine(genesis: object, { number, headers }: DataRecord): object {
  const config = Object(Reflect.get(genesis, "config"));
  const kept = Object.entries(config).filter(([key]) => !ENGINES.includes(key.toLowerCase()));
  const fork = { block: Number(number), headers };
  return {
    ...genesis,
    config: { ...Object.fromEntries(kept), dev: { ...config.dev, fork } },
  };
}
