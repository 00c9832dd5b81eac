import { ConfigError, type SealedHeader, toHex } from "@plinth/core";
import type { Fork } from "@plinth/core/evm";
import { TIMED_FORKS } from "@plinth/core/rules";

/** The hardforks that a development chain can start with, the newest last. */
export const HARDFORKS: readonly Fork[] = ["london", ...TIMED_FORKS];

/** One of them. */
export type Hardfork = Fork;

/** Prefix of the extra data of block 0, followed by the name of the hardfork. */
const MARK = "plinth dev ";
/** Fee recipient, so that `block.coinbase` is an account like any other. */
const COINBASE = "0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e";
/** The deterministic deployment factory of Foundry, which is on most public chains. */
const CREATE2_FACTORY = {
  address: "4e59b44847b379578588920ca78fbf26c0b4956c",
  nonce: "0x1",
  code: "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3",
};

/** Inputs for choosing the hardfork of a chain. */
export interface HardforkChoice {
  /** The operator's choice. */
  readonly asked: Hardfork | undefined;
  /** `config.dev` of the genesis file. */
  readonly usual: Hardfork | undefined;
  /** Block 0 of the database. */
  readonly first: SealedHeader | undefined;
}

/** A genesis file with the forks of its hardfork; an existing chain keeps its own. */
export function withHardfork(genesis: object, choice: HardforkChoice): object | undefined {
  const { asked, usual, first } = choice;
  const wanted = asked ?? usual;
  if (wanted === undefined) return undefined;
  const hardfork = first === undefined ? wanted : hardforkOf(first);
  if (asked !== undefined && hardfork !== asked) throw keepsItsOwn(hardfork, asked);
  const config = withForks(Object(Reflect.get(genesis, "config")), hardfork);
  if (first !== undefined && !isMarked(first)) return { ...genesis, config };
  const alloc = Object(Reflect.get(genesis, "alloc"));
  const { address, ...factory } = CREATE2_FACTORY;
  return {
    coinbase: COINBASE,
    extraData: toHex(Buffer.from(`${MARK}${hardfork}`)),
    ...genesis,
    config,
    alloc: { [address]: factory, ...alloc },
  };
}

/** The hardfork that a chain started with. */
export function hardforkOf(first: SealedHeader): Hardfork {
  const name = textOf(first).slice(MARK.length);
  const marked = HARDFORKS.find((fork) => isMarked(first) && fork === name);
  if (marked !== undefined) return marked;
  if (first.requestsHash !== undefined) return "prague";
  if (first.blobGasUsed !== undefined) return "cancun";
  return first.withdrawalsRoot === undefined ? "london" : "shanghai";
}

/** Chains of earlier builds have no mark in block 0, and none of its consequences. */
function isMarked(first: SealedHeader): boolean {
  return textOf(first).startsWith(MARK);
}

function textOf({ extraData }: SealedHeader): string {
  return Buffer.from(extraData).toString();
}

function withForks(config: object, hardfork: Hardfork): object {
  const times = TIMED_FORKS.map((fork) => `${fork}Time`);
  const kept = Object.entries(config).filter(([key]) => !times.includes(key));
  const begun = TIMED_FORKS.slice(0, HARDFORKS.indexOf(hardfork)).map((fork) => [`${fork}Time`, 0]);
  return { ...Object.fromEntries([...kept, ...begun]), londonBlock: 0 };
}

function keepsItsOwn(hardfork: Hardfork, asked: Hardfork): ConfigError {
  return new ConfigError("HARDFORK_KEPT", {
    message: `--hardfork=${asked}: the chain in this folder started with ${hardfork} and keeps it; --fresh starts a new one, --data-path names another folder`,
    option: "hardfork",
    value: asked,
  });
}
