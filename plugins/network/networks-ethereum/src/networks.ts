import { readFileSync } from "node:fs";
import type { NamedNetwork } from "@plinth/core/genesis";

/** The public networks that have a file under `data`. */
export const networks: readonly NamedNetwork[] = [
  { name: "mainnet", networkId: 1n, readGenesis: () => read("mainnet") },
  { name: "sepolia", networkId: 11_155_111n, readGenesis: () => read("sepolia") },
];

function read(name: string): object {
  return JSON.parse(readFileSync(new URL(`../data/${name}.json`, import.meta.url), "utf8"));
}
