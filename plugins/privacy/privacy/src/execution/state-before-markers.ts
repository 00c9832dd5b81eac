import type {
  Address,
  BlockReader,
  Hash,
  SealedBlock,
  StateReader,
  Transaction,
} from "@plinth/core";
import { type Account, rulesOf } from "@plinth/core/evm";
import { FLEXIBLE_MARKER_ADDRESS, MARKER_ADDRESS } from "../markers/marker.js";

/**
 * Private code read a public account that the block may have changed: the block must be re-executed
 * up to that position.
 */
export class ReplayNeeded extends Error {
  constructor(address: Address) {
    super(`the public account ${address} may have changed in this block`);
    this.name = "ReplayNeeded";
  }
}

/** Contracts that the protocol calls before the transactions of a block (EIP-4788, EIP-2935). */
const SYSTEM_CONTRACTS: readonly Address[] = [
  "0x000f3df6d732807ef1319fb7b8bb8522d0beac02",
  "0x0000f90827f1c53a10cb7a02335b175320002935",
];

/**
 * The public state at a position in a block that is preceded by markers only.
 *
 * Markers run no code: they change only their senders and the fee recipient. All other accounts are as they were
 * before the block, which need not be re-executed for them. Reading a changed one throws `ReplayNeeded`.
 */
export class StateBeforeMarkers implements StateReader {
  readonly #before: StateReader;
  readonly #changed: ReadonlySet<Address>;

  private constructor(before: StateReader, changed: ReadonlySet<Address>) {
    this.#before = before;
    this.#changed = changed;
  }

  /**
   * The state after the given number of transactions; `undefined` if any of them is not a marker.
   */
  static find(blocks: BlockReader, block: SealedBlock, count: number): StateReader | undefined {
    const { header, body } = block;
    const transactions = body.transactions.slice(0, count);
    const parent = blocks.findHeader(header.parentHash);
    const isPlain = transactions.every(isPlainMarker);
    if (!isPlain || parent === undefined || !blocks.hasState(parent)) return undefined;
    const isSystemCalled = rulesOf(blocks.forkAt(header)).keepsBeaconRoots;
    const changed = new Set<Address>([
      ...transactions.map(({ sender }) => sender),
      blocks.feeRecipientOf(header),
      ...(isSystemCalled ? SYSTEM_CONTRACTS : []),
    ]);
    return new StateBeforeMarkers(blocks.stateAt(parent), changed);
  }

  findAccount(address: Address): Account | undefined {
    this.#verify(address);
    return this.#before.findAccount(address);
  }

  getCode(address: Address): Uint8Array {
    this.#verify(address);
    return this.#before.getCode(address);
  }

  getStorage(address: Address, slot: Hash): bigint {
    this.#verify(address);
    return this.#before.getStorage(address, slot);
  }

  #verify(address: Address): void {
    if (this.#changed.has(address)) throw new ReplayNeeded(address);
  }
}

function isPlainMarker({ to, value, type }: Transaction): boolean {
  const isMarker = to === MARKER_ADDRESS || to === FLEXIBLE_MARKER_ADDRESS;
  return isMarker && value === 0n && type < 3;
}
