import type { HookFactory } from "../kernel/hooks.js";
import type { Precompiles } from "./evm.js";
import type { Fork } from "./fork.js";

/** The purpose of an EVM: blocks of the chain, read-only calls, traces, or the work of plugins. */
export type EvmPurpose = "block" | "call" | "trace" | "plugin";

/** Hooks of the EVM. */
export function createEvmHooks(hook: HookFactory) {
  return {
    precompiles: hook.rewrite<Precompiles, { readonly fork: Fork; readonly purpose: EvmPurpose }>(
      "evm.precompiles",
      {
        since: "0.1.0",
        summary:
          "The network's own precompiled contracts, once per fork and purpose: return a map with more. Every node of the network must have the same.",
      },
      { isRight: isPrecompiles, text: "a Map of functions by address" },
    ),
  };
}

function isPrecompiles(answer: unknown): boolean {
  if (!(answer instanceof Map)) return false;
  return [...answer].every(([address, run]) => isAddress(address) && typeof run === "function");
}

function isAddress(value: unknown): boolean {
  return typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value);
}
