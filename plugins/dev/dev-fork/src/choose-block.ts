import { DecodeError, type Header, t } from "@plinth/core";
import { NEWEST_FORK, rulesOf } from "@plinth/core/evm";
import { findHeaderForm } from "@plinth/plugin-consensus-dev/api";
import { CloneRefused } from "./clone/clone-refused.js";
import type { ForkRecord } from "./fork-record.js";
import { RemoteRefusal } from "./remote/errors.js";
import { findRemoteBlock, readChainId, readHeader } from "./remote/read-chain.js";
import type { Remote } from "./remote/remote.js";

/** The operator's choice of a block. */
export interface BlockChoice {
  readonly number: bigint | undefined;
  readonly chainId: bigint | undefined;
}

/** Genesis files have chain ids and block numbers as JSON numbers, which are not exact above it. */
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);
const TOO_LARGE = `a development chain cannot have more than ${LARGEST}`;

/** Reads which block a new fork begins at. */
export async function chooseBlock(
  remote: Remote,
  { number: wanted, chainId: ownChainId }: BlockChoice,
  signal: AbortSignal,
): Promise<ForkRecord> {
  const chainId = await readChainId(remote, signal);
  if ((ownChainId ?? chainId) > LARGEST) {
    throw new CloneRefused(
      `${remote.name} has the chain id ${chainId}: ${TOO_LARGE}; --fork-chain-id=<N> gives the fork another one`,
    );
  }
  const block = await findRemoteBlock(remote, wanted, signal);
  if (block === undefined) {
    const head = await findRemoteBlock(remote, undefined, signal);
    throw new CloneRefused(
      `${remote.name} has no block ${wanted}; its latest one is ${head?.number}`,
    );
  }
  const { number, hash } = block;
  if (number > LARGEST) throw new CloneRefused(`${remote.name} has block ${number}: ${TOO_LARGE}`);
  if (number === 0n) {
    throw new CloneRefused(
      `${remote.name} has only block 0: there is nothing to fork. --genesis-file begins with that block, too`,
    );
  }
  const header = await readHeader(remote, { number, hash }, signal);
  return {
    source: remote.name,
    chainId,
    ownChainId: ownChainId ?? chainId,
    number,
    hash,
    headers: findHeaderForm(header, hash) ?? "keccak",
    hardfork: await readHardfork(remote, header, signal),
    baseFee: header.baseFeePerGas,
    gasLimit: header.gasLimit,
    isLazy: undefined,
  };
}

/** The rules in force at the head of a node (EIP-7910). */
const rules = t.object({
  current: t.object({ activationTime: t.integer(), precompiles: t.record(t.json) }),
});
/** The latest fork that changed the fields of headers. */
const LATEST_FIELDS = "prague";
/** Precompiles since then. */
const ADDED = Object.keys(rulesOf(NEWEST_FORK).precompiles).filter(
  (name) => !Object.hasOwn(rulesOf(LATEST_FIELDS).precompiles, name),
);

/** The earliest rules of development chains that a block may be of; `--hardfork` names later ones. */
async function readHardfork(remote: Remote, header: Header, signal: AbortSignal): Promise<string> {
  const found = hardforkOf(header);
  if (found !== LATEST_FIELDS) return found;
  try {
    const { current } = rules.decode(await remote.call("eth_config", [], signal));
    const isActive = header.timestamp >= BigInt(current.activationTime);
    const hasAll = ADDED.every((name) => Object.hasOwn(current.precompiles, name));
    return isActive && hasAll ? NEWEST_FORK : found;
  } catch (error) {
    // Older nodes do not have the method.
    if (error instanceof RemoteRefusal || error instanceof DecodeError) return found;
    throw error;
  }
}

function hardforkOf({ requestsHash, blobGasUsed, withdrawalsRoot }: Header): string {
  if (requestsHash !== undefined) return LATEST_FIELDS;
  if (blobGasUsed !== undefined) return "cancun";
  return withdrawalsRoot === undefined ? "london" : "shanghai";
}
