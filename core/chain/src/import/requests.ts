import { createHash } from "node:crypto";
import type { Log } from "@plinth/core";
import { type Hash, InvalidBlock, toHex } from "@plinth/core";
import type { EvmResult, SystemCall } from "@plinth/core/evm";
import type { RequestContracts } from "@plinth/core/rules";

/** A request to the consensus layer (EIP-7685): a type byte, then the data. */
export type Request = Uint8Array;

/** The types of EIP-6110, EIP-7002 and EIP-7251. */
const DEPOSIT = 0;
const WITHDRAWAL = 1;
const CONSOLIDATION = 2;

/** EIP-6110: the first topic of `DepositEvent`. */
const DEPOSIT_TOPIC: Hash = "0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5";
/** EIP-6110: offset and length of each of the five fields of the event. */
const DEPOSIT_LAYOUT = [
  { offset: 160, length: 48 },
  { offset: 256, length: 32 },
  { offset: 320, length: 8 },
  { offset: 384, length: 96 },
  { offset: 512, length: 8 },
];
const DEPOSIT_EVENT_BYTES = 576;
const WORD_BYTES = 32;

/** A deposit event that violates the layout of EIP-6110, which makes the block invalid. */
export class MalformedDeposit extends InvalidBlock {
  constructor() {
    super("deposit-event", "a deposit event does not have the layout of EIP-6110");
  }
}

/** The requests hash of a header without requests is that of empty input. */
export function requestsHash(requests: readonly Request[]): Hash {
  const hash = createHash("sha256");
  for (const request of requests) hash.update(createHash("sha256").update(request).digest());
  return toHex(hash.digest());
}

/** The sources of requests. */
export interface RequestSources {
  readonly contracts: RequestContracts;
  readonly logs: Iterable<Log>;
  /** Returns `undefined` if there is no code. */
  readonly call: (call: SystemCall) => Promise<EvmResult | undefined>;
  /**
   * Whether a block without the contracts is invalid, as in EIP-7002 and EIP-7251.
   *
   * Only a beacon chain needs them: private networks do without, as in later releases of Besu.
   */
  readonly needsContracts: boolean;
}

/** Collects the requests of a block whose transactions have run; a type without data is omitted. */
export async function collectRequests({
  contracts,
  logs,
  call,
  needsContracts,
}: RequestSources): Promise<readonly Request[]> {
  const ask = async (to: SystemCall["to"]) => {
    const result = await call({ to, data: new Uint8Array() });
    if (result === undefined && needsContracts) {
      throw new InvalidBlock("system-call", `there is no contract at ${to}`);
    }
    if (result === undefined) return new Uint8Array();
    if (result.outcome === "success") return result.returnValue;
    throw new InvalidBlock("system-call", `the contract ${to} failed: ${result.outcome}`);
  };
  const all: readonly (readonly [number, Uint8Array])[] = [
    [DEPOSIT, readDeposits(contracts, logs)],
    [WITHDRAWAL, await ask(contracts.withdrawal)],
    [CONSOLIDATION, await ask(contracts.consolidation)],
  ];
  return all
    .filter(([, data]) => data.length > 0)
    .map(([type, data]) => Buffer.concat([Uint8Array.of(type), data]));
}

/** Throws `MalformedDeposit` if the logs of a transaction make its block invalid. */
export function verifyDeposits(contracts: RequestContracts, logs: Iterable<Log>): void {
  readDeposits(contracts, logs);
}

function readDeposits({ deposit }: RequestContracts, logs: Iterable<Log>): Uint8Array {
  const deposits: Uint8Array[] = [];
  for (const { address, topics, data } of logs) {
    if (address === deposit && topics[0] === DEPOSIT_TOPIC) deposits.push(...readDeposit(data));
  }
  return Buffer.concat(deposits);
}

function readDeposit(data: Uint8Array): readonly Uint8Array[] {
  const isRight =
    data.length === DEPOSIT_EVENT_BYTES &&
    DEPOSIT_LAYOUT.every(
      ({ offset, length }, index) =>
        readWord(data, index * WORD_BYTES) === BigInt(offset) &&
        readWord(data, offset) === BigInt(length),
    );
  if (!isRight) throw new MalformedDeposit();
  return DEPOSIT_LAYOUT.map(({ offset, length }) => {
    const start = offset + WORD_BYTES;
    return data.subarray(start, start + length);
  });
}

function readWord(data: Uint8Array, offset: number): bigint {
  return BigInt(toHex(data.subarray(offset, offset + WORD_BYTES)));
}
