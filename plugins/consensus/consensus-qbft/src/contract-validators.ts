import {
  type Address,
  hexToBytes,
  InvalidBlock,
  PlinthError,
  type SealedHeader,
  toHex,
} from "@plinth/core";
import type { EngineChain } from "@plinth/core/consensus";
import type { EvmResult } from "@plinth/core/evm";
import { LruMap } from "@plinth/core/primitives";
import { isOverLimit } from "@plinth/kit-bft";

/** `getValidators()`. */
const SELECTOR = hexToBytes("0xb7ab4db5");
const CALLER: Address = `0x${"00".repeat(20)}`;
const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
const MAX_CACHED = 100;

/** No header has capacity for the seals of more. */
const MAX_VALIDATORS = 4_096;
/** Time limit: gas is no limit where it is free. */
const MAX_MS = 5_000;
/** A call that timed out is not repeated for this long. */
const RETRY_MS = 30_000;

/** The validators that a contract names, on the state after a block. */
export class ContractValidators {
  readonly #chain: EngineChain;
  readonly #maxMs: number;
  readonly #answers = new LruMap<string, Promise<readonly Address[]>>({ max: MAX_CACHED });

  constructor(chain: EngineChain, { maxMs = MAX_MS } = {}) {
    this.#chain = chain;
    this.#maxMs = maxMs;
  }

  /**
   * Rejects with `InvalidBlock` if the call fails: the set is unknown then, on every node, and no block can follow.
   *
   * A contract that takes too long or needs too much memory is not the fault of a block, and may finish in time elsewhere:
   * it rejects with a `PlinthError`.
   */
  after(parent: SealedHeader, contract: Address): Promise<readonly Address[]> {
    const key = `${parent.hash} ${contract}`;
    const known = this.#answers.peek(key);
    if (known !== undefined) return known;
    const answer = this.#ask(parent, contract);
    this.#answers.add(key, answer);
    answer.catch((error: unknown) => {
      // The same state leads to the same result.
      if (error instanceof InvalidBlock) return;
      const forget = () => this.#answers.delete(key);
      if (isOverLimit(error)) setTimeout(forget, RETRY_MS).unref();
      else forget();
    });
    return answer;
  }

  async #ask(parent: SealedHeader, contract: Address): Promise<readonly Address[]> {
    const what = `getValidators() of ${contract} after block ${parent.number}`;
    const hint = parent.hash === this.#chain.head().hash ? wayOut(parent.number + 1n) : "";
    const unknown = (problem: string) =>
      new InvalidBlock(
        "validator-contract",
        `${what} returned no list of validators: it ${problem}${hint}`,
      );
    const { outcome, returnValue } = await this.#call(parent, contract).catch((error: unknown) => {
      throw isOverLimit(error)
        ? new PlinthError(error.code, { message: `${what}: ${error.message}${hint}`, cause: error })
        : error;
    });
    if (outcome !== "success") throw unknown(outcome === "reverted" ? outcome : "was halted");
    const validators = decodeAddresses(returnValue);
    if (validators === undefined) throw unknown("returned something else");
    if (validators === "too-many") throw unknown(`named more than ${MAX_VALIDATORS}`);
    if (validators.length === 0) throw unknown("named none");
    return [...validators].sort();
  }

  #call(parent: SealedHeader, contract: Address): Promise<EvmResult> {
    const message = {
      from: CALLER,
      to: contract,
      data: SELECTOR,
      value: 0n,
      gasLimit: parent.gasLimit,
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
    };
    return this.#chain.call(message, parent, { maxMs: this.#maxMs, yields: true });
  }
}

/**
 * How a chain with a failing contract continues: the genesis files of all nodes name the validators
 * of the next block.
 */
function wayOut(block: bigint): string {
  const entry = `{ "block": ${block}, "validatorselectionmode": "blockheader", "validators": ["0x…"] }`;
  return `. No block can follow; to continue, add ${entry} with the addresses of the validators to config.transitions.qbft in the genesis files of all nodes, and restart them`;
}

/** Decodes `address[]` as returned by contracts; `undefined` if it is malformed. */
function decodeAddresses(bytes: Uint8Array): readonly Address[] | "too-many" | undefined {
  const start = readLength(bytes, 0);
  const count = start === undefined ? undefined : readLength(bytes, start);
  if (start === undefined || count === undefined) return undefined;
  const first = start + WORD_BYTES;
  if (first + count * WORD_BYTES > bytes.length) return undefined;
  if (count > MAX_VALIDATORS) return "too-many";
  return Array.from({ length: count }, (_, index) => {
    const end = first + (index + 1) * WORD_BYTES;
    return toHex(bytes.slice(end - ADDRESS_BYTES, end));
  });
}

/** A number of bytes or items of the result, so it is small. */
function readLength(bytes: Uint8Array, at: number): number | undefined {
  const word = bytes.subarray(at, at + WORD_BYTES);
  if (word.length < WORD_BYTES) return undefined;
  const value = BigInt(toHex(word));
  return value <= BigInt(bytes.length) ? Number(value) : undefined;
}
