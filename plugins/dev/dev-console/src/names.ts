import { type Address, type Block, toHex } from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import type { ArtifactFiles } from "./abi/artifact-files.js";
import type { AddressStyle } from "./abi/decode.js";

/** Names of contracts, functions and errors. */
export class Names {
  readonly #files: ArtifactFiles;
  readonly #contracts = new Map<Address, string>();

  constructor(files: ArtifactFiles) {
    this.#files = files;
  }

  /** Reloads ABI files if a block has something that none of them describes. */
  async learn({ body }: Block, results: readonly EvmResult[]): Promise<void> {
    const isKnown = body.transactions.every(({ to, data }, index) =>
      to === undefined
        ? this.contractOf(data) !== undefined
        : data.length < 4 ||
          (this.describeCall(data) !== undefined && this.#isReasonKnown(results[index])),
    );
    if (!isKnown) await this.#files.refresh();
    for (const [index, { to, data }] of body.transactions.entries()) {
      const created = results[index]?.createdAddress;
      const name = to === undefined ? this.contractOf(data) : undefined;
      if (created !== undefined && name !== undefined) this.#contracts.set(created, name);
    }
  }

  /** Same for a call that was not in a block, and for its revert data. */
  async learnCall(data: Uint8Array, reverted: Uint8Array | undefined): Promise<void> {
    const isCallKnown = data.length < 4 || this.describeCall(data) !== undefined;
    if (!isCallKnown || !this.#isErrorKnown(reverted)) await this.#files.refresh();
  }

  contractAt(address: Address): string | undefined {
    return this.#contracts.get(address);
  }

  contractOf(initCode: Uint8Array): string | undefined {
    return this.#files.book.findContract(initCode);
  }

  describeCall(data: Uint8Array): string | undefined {
    return this.#files.book.describeCall(data);
  }

  describeError(data: Uint8Array, addresses?: AddressStyle): string | undefined {
    return this.#files.book.describeError(data, addresses);
  }

  #isReasonKnown(result: EvmResult | undefined): boolean {
    return this.#isErrorKnown(result?.outcome === "reverted" ? result.returnValue : undefined);
  }

  #isErrorKnown(data: Uint8Array = new Uint8Array()): boolean {
    if (data.length < 4) return true;
    const isOfSolidity = ["0x08c379a0", "0x4e487b71"].includes(toHex(data.subarray(0, 4)));
    return isOfSolidity || this.describeError(data) !== undefined;
  }
}
