import { ConfigError, type Hash, type OptionValues, option, optionKinds } from "@plinth/core";
import { VERSIONS } from "./codec/index.js";
import type { ResponseLimits } from "./session-context.js";

function limitOf(what: string, usual: number) {
  return option.integer({
    summary: `${what} in one response to a peer, at most.`,
    default: usual,
    min: 1,
    max: 65_536,
    experimental: true,
  });
}

/** Offered versions, response limits, and required blocks. */
export const options = {
  XethCapabilityMin: option.integer({
    summary: "Lowest offered version of the eth protocol.",
    default: 0,
    min: 0,
    experimental: true,
  }),
  XethCapabilityMax: option.integer({
    summary: "Highest offered version of the eth protocol.",
    min: 0,
    experimental: true,
  }),
  XewpMaxGetHeaders: limitOf("Headers", 512),
  XewpMaxGetBodies: limitOf("Bodies", 128),
  XewpMaxGetReceipts: limitOf("Blocks with receipts", 256),
  XewpMaxGetPooledTransactions: limitOf("Transactions", 256),
  requiredBlocks: option.map({
    summary: "Blocks that peers must have, as NUMBER=HASH; peers with others are disconnected.",
    of: optionKinds.text(),
    aliases: ["requiredBlock"],
    validate: (blocks) =>
      [...blocks].every(([number, hash]) => /^\d+$/.test(number) && isHash(hash))
        ? undefined
        : "expected block numbers and hashes of 32 bytes, such as 100=0x…",
  }),
};

/** The versions between the two options. */
export function chooseVersions({
  XethCapabilityMin: min,
  XethCapabilityMax: max = Number.POSITIVE_INFINITY,
}: {
  readonly XethCapabilityMin: number;
  readonly XethCapabilityMax: number | undefined;
}) {
  const chosen = VERSIONS.filter(({ version }) => version >= min && version <= max);
  if (chosen.length > 0) return chosen;
  const known = VERSIONS.map(({ version }) => version).join(", ");
  throw new ConfigError("OPTION_INVALID", {
    message: `--Xeth-capability-min and --Xeth-capability-max leave no version of eth; there are ${known}`,
    option: "Xeth-capability-max",
  });
}

/** Maximum number of items in one response to a peer. */
export function readLimits(config: OptionValues<typeof options>): ResponseLimits {
  return {
    headers: config.XewpMaxGetHeaders,
    bodies: config.XewpMaxGetBodies,
    receipts: config.XewpMaxGetReceipts,
    transactions: config.XewpMaxGetPooledTransactions,
  };
}

/** Block numbers with their required hashes. */
export function readRequiredBlocks(blocks: ReadonlyMap<string, string>): ReadonlyMap<bigint, Hash> {
  return new Map([...blocks].map(([number, hash]) => [BigInt(number), hash.toLowerCase() as Hash]));
}

function isHash(text: string): boolean {
  return /^0x[0-9a-f]{64}$/i.test(text);
}
