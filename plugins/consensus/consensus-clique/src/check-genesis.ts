import { toHex } from "@plinth/core";
import type { EngineCheckContext, GenesisFacts, GenesisFinding } from "@plinth/core/consensus";
import { checkAuthorities, checkFunds, majorityOf } from "@plinth/kit-poa";
import { ADDRESS_BYTES, SEAL_BYTES, VANITY_BYTES } from "./extra-data.js";
import type { CliqueSettings, CliqueTransition } from "./settings.js";

/** Problems of a Clique genesis file. */
export function checkCliqueGenesis({
  facts,
}: EngineCheckContext<CliqueSettings, CliqueTransition>): readonly GenesisFinding[] {
  const { extraData } = facts.header;
  const listed = extraData.length - VANITY_BYTES - SEAL_BYTES;
  if (listed < 0 || listed % ADDRESS_BYTES !== 0) {
    return [
      {
        severity: "error",
        key: "extraData",
        problem: `has ${extraData.length} bytes; a Clique chain expects 32 of vanity, 20 for each signer and 65 zero bytes`,
        fix: "write them, with the addresses of the signers in ascending order",
      },
    ];
  }
  const members = Array.from({ length: listed / ADDRESS_BYTES }, (_, index) => {
    const at = VANITY_BYTES + index * ADDRESS_BYTES;
    return toHex(extraData.slice(at, at + ADDRESS_BYTES));
  });
  const mustAgree = majorityOf(new Set(members).size);
  return [
    ...checkAuthorities({ members, noun: "signers", mustAgree }),
    ...checkSeal(extraData),
    ...checkEnd(facts),
    ...checkFunds(facts, { hasReward: false }),
  ];
}

/**
 * Clique blocks have no withdrawals: the chain ends at Shanghai, unless proof of stake takes over.
 */
function checkEnd({ forks, header, config }: GenesisFacts): readonly GenesisFinding[] {
  const isMerging = Object.keys(config).some((key) => /^terminaltotaldifficulty$/i.test(key));
  const byTime = forks.activations.find(({ by }) => by === "time");
  if (byTime === undefined || isMerging) return [];
  const isOver = byTime.value <= header.timestamp;
  return [
    {
      severity: isOver ? "error" : "warning",
      key: `config.${byTime.fork}Time`,
      problem: isOver
        ? "is reached with block 0, and Clique ends with Shanghai: no block can be produced"
        : `ends Clique: there are no blocks from ${formatTime(byTime.value)} on`,
      fix: "remove the forks after London",
    },
  ];
}

/** A date, unless it is beyond the range of `Date`. */
function formatTime(seconds: bigint): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : date.toISOString();
}

function checkSeal(extraData: Uint8Array): readonly GenesisFinding[] {
  if (extraData.slice(-SEAL_BYTES).every((byte) => byte === 0)) return [];
  return [
    {
      severity: "warning",
      key: "extraData",
      problem: `ends with ${SEAL_BYTES} bytes that are not zero; is a signer missing, or its address shifted?`,
      fix: `end it with ${SEAL_BYTES} zero bytes`,
    },
  ];
}
