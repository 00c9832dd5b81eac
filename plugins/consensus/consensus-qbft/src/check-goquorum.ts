import type { Address } from "@plinth/core";
import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";

/** Settings under `config` that only GoQuorum files have. */
const SIGNS: readonly string[] = [
  "isQuorum",
  "txnSizeLimit",
  "maxCodeSize",
  "maxCodeSizeConfig",
  "qip714Block",
  "privacyEnhancementsBlock",
  "privacyPrecompileBlock",
  "enableGasPriceBlock",
  "isMPS",
];
/** Minimum gas limit that GoQuorum proposes, regardless of the parent's. */
const LEAST_GAS_LIMIT = 700_000_000n;
const PRECOMPILES = Array.from(
  { length: 9 },
  (_, index): Address => `0x${(index + 1).toString(16).padStart(40, "0")}`,
);
const PAGE = "docs/operators/goquorum.md explains it";

/** For a GoQuorum file: reports where its validators and ours would disagree. */
export function checkGoQuorum(facts: GenesisFacts): readonly GenesisFinding[] {
  const find = (name: string) => findSetting(facts.config, name);
  // GoQuorum treats a file without `isQuorum` as if it were true.
  const isTheirs = SIGNS.some((name) => find(name) !== undefined) && find("isQuorum") !== false;
  if (!isTheirs) return [];
  return [
    ...checkGasPrice(find("enableGasPriceBlock")),
    ...checkPrecompiles(facts),
    ...checkGasLimit(facts),
    ...checkForks(facts),
    {
      severity: "note",
      key: "config.isQuorum",
      problem: "is for GoQuorum, whose validators need --Xqbft-block-round=ZERO on the others",
    },
  ];
}

/**
 * A transaction with a gas price is invalid for it, which it detects only after it has agreed to
 * the block.
 */
function checkGasPrice(block: unknown): readonly GenesisFinding[] {
  if (block === 0 || block === "0" || block === "0x0") return [];
  return [
    {
      severity: "warning",
      key: "config.enableGasPriceBlock",
      problem:
        "is not 0: beside GoQuorum validators, one transaction with a gas price stops the network for good",
      fix: `write 0 before the network starts, or let no client send a gas price; ${PAGE}`,
    },
  ];
}

/** It keeps empty accounts of precompiled contracts that two transactions of a block call. */
function checkPrecompiles({ accounts }: GenesisFacts): readonly GenesisFinding[] {
  const empty = PRECOMPILES.filter((address) => (accounts.get(address)?.balance ?? 0n) === 0n);
  if (empty.length === 0) return [];
  return [
    {
      severity: "warning",
      key: "alloc",
      problem: `has no balance for ${empty.length} of the precompiled contracts 0x1 to 0x9: beside GoQuorum validators, two transactions of one block that call such a contract with value 0 stop the network for good`,
      fix: `give each 1 wei before the network starts, or send it to them; ${PAGE}`,
    },
  ];
}

function checkGasLimit({ header }: GenesisFacts): readonly GenesisFinding[] {
  if (header.gasLimit >= LEAST_GAS_LIMIT) return [];
  return [
    {
      severity: "warning",
      key: "gasLimit",
      problem: `is ${header.gasLimit}, and GoQuorum validators propose at least ${LEAST_GAS_LIMIT}: their blocks are rejected`,
      fix: `set at least 0x${LEAST_GAS_LIMIT.toString(16)}; ${PAGE}`,
    },
  ];
}

function checkForks({ forks }: GenesisFacts): readonly GenesisFinding[] {
  const later = forks.activations.find(({ fork }) => fork === "london");
  if (later === undefined) return [];
  return [
    {
      severity: "warning",
      key: "config.londonBlock",
      problem: "is a fork that GoQuorum does not support: its rules end with Berlin",
      fix: "omit it as long as GoQuorum nodes take part",
    },
  ];
}

/** Names are matched case-insensitively, as in GoQuorum. */
function findSetting(config: object, name: string): unknown {
  const entry = Object.entries(config).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return entry?.[1];
}
