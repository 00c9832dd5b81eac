import { type Address, ConfigError, type Header } from "@plinth/core";
import type { ConfigAt } from "@plinth/kit-bft";
import type { QbftSettings, QbftTransition } from "./settings.js";

/** Source of the validators from a block on: votes in headers, or a contract. */
export type SelectionMode =
  | { readonly kind: "votes" }
  | { readonly kind: "contract"; readonly address: Address };

const VOTES: SelectionMode = { kind: "votes" };

/** The mode at a point of the chain. */
export function selectionModeAt(
  point: Pick<Header, "number" | "timestamp">,
  settings: QbftSettings,
  config: ConfigAt<QbftTransition>,
): SelectionMode {
  return config.find(point, modeOf) ?? firstMode(settings);
}

/** Throws if a transition to a mode lacks a required setting. */
export function verifyModes(transitions: readonly QbftTransition[]): void {
  for (const transition of transitions) {
    const { block, validatorSelectionMode, validators = [], validatorContractAddress } = transition;
    const mode = validatorSelectionMode?.toLowerCase();
    if (mode === "blockheader" && validators.length === 0) {
      throw invalid(block, "validatorSelectionMode blockheader needs a list of validators");
    }
    if (mode === "contract" && validatorContractAddress === undefined) {
      throw invalid(block, "validatorSelectionMode contract needs a validatorContractAddress");
    }
  }
}

function firstMode({ validatorContractAddress: address }: QbftSettings): SelectionMode {
  return address === undefined ? VOTES : { kind: "contract", address };
}

/** The mode that a transition selects; `undefined` for an unknown one. */
function modeOf({ validatorSelectionMode, validatorContractAddress }: QbftTransition) {
  const mode = validatorSelectionMode?.toLowerCase();
  if (mode === "blockheader") return VOTES;
  if (mode !== "contract" || validatorContractAddress === undefined) return undefined;
  return { kind: "contract", address: validatorContractAddress } as const;
}

function invalid(block: number, problem: string): ConfigError {
  return new ConfigError("GENESIS_INVALID", {
    message: `config.transitions.qbft, block ${block}: ${problem}`,
  });
}
