import { type Address, type Block, toHex } from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import type { ArtifactFiles } from "./abi/artifact-files.js";

/** What contracts, functions and errors are called. */
export class Names {
  readonly #files: ArtifactFiles;
  readonly #contracts = new Map<Address, string>();

  constructor(files: ArtifactFiles) {
    this.#files = files;
  }

  /** Reads ABI files again where a block holds what none of those read so far describes. */
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

  contractAt(address: Address): string | undefined {
    return this.#contracts.get(address);
  }

  contractOf(initCode: Uint8Array): string | undefined {
    return this.#files.book.findContract(initCode);
  }

  describeCall(data: Uint8Array): string | undefined {
    return this.#files.book.describeCall(data);
  }

  describeError(data: Uint8Array): string | undefined {
    return this.#files.book.describeError(data);
  }

  #isReasonKnown(result: EvmResult | undefined): boolean {
    if (result?.outcome !== "reverted" || result.returnValue.length < 4) return true;
    const isOfSolidity = ["0x08c379a0", "0x4e487b71"].includes(
      toHex(result.returnValue.subarray(0, 4)),
    );
    return isOfSolidity || this.describeError(result.returnValue) !== undefined;
  }
}
