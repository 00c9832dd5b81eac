import {
  type Address,
  type EngineChain,
  hexToBytes,
  InvalidBlock,
  type SealedHeader,
  toHex,
} from "@plinth/core";

/** `getValidators()`. */
const SELECTOR = hexToBytes("0xb7ab4db5");
const CALLER: Address = `0x${"00".repeat(20)}`;
const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
const MAX_CACHED = 100;

/** The validators that a contract names, on the state after a block. */
export class ContractValidators {
  readonly #chain: EngineChain;
  readonly #cache = new Map<string, readonly Address[]>();

  constructor(chain: EngineChain) {
    this.#chain = chain;
  }

  /** Rejects with `InvalidBlock` when the call fails: the set is unknown then, and no block can follow. */
  async after(parent: SealedHeader, contract: Address): Promise<readonly Address[]> {
    const key = `${parent.hash} ${contract}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const validators = await this.#ask(parent, contract);
    this.#cache.set(key, validators);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
    return validators;
  }

  async #ask(parent: SealedHeader, contract: Address): Promise<readonly Address[]> {
    const { outcome, returnValue } = await this.#chain.call(
      {
        from: CALLER,
        to: contract,
        data: SELECTOR,
        value: 0n,
        gasLimit: parent.gasLimit,
        maxFeePerGas: 0n,
        maxPriorityFeePerGas: 0n,
      },
      parent,
    );
    const validators = outcome === "success" ? decodeAddresses(returnValue) : undefined;
    if (validators !== undefined && validators.length > 0) return [...validators].sort();
    throw new InvalidBlock(
      "validator-contract",
      `getValidators() of ${contract} after block ${parent.number} answered no list of validators`,
    );
  }
}

/** Reads `address[]` as contracts return it; `undefined` when the bytes are none. */
function decodeAddresses(bytes: Uint8Array): readonly Address[] | undefined {
  const start = readLength(bytes, 0);
  const count = start === undefined ? undefined : readLength(bytes, start);
  if (start === undefined || count === undefined) return undefined;
  const first = start + WORD_BYTES;
  if (first + count * WORD_BYTES > bytes.length) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const end = first + (index + 1) * WORD_BYTES;
    return toHex(bytes.slice(end - ADDRESS_BYTES, end));
  });
}

/** A number that counts bytes or items of the answer, so that it is small. */
function readLength(bytes: Uint8Array, at: number): number | undefined {
  const word = bytes.subarray(at, at + WORD_BYTES);
  if (word.length < WORD_BYTES) return undefined;
  const value = BigInt(toHex(word));
  return value <= BigInt(bytes.length) ? Number(value) : undefined;
}
