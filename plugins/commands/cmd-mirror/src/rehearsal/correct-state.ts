import { type Address, type Hash, type SealedHeader, t } from "@plinth/core";
import type { ScratchState } from "@plinth/core/chain";
import { keccakHash } from "@plinth/core/primitives";
import { decodeSent, isOfRemote, type Remote } from "@plinth/plugin-dev-fork/api";
import { type Compared, compare } from "./difference.js";
import { findTracedNames, namesIn, type StateNames } from "./state-names.js";

/** Values of a state that were replaced by those of the network. */
export interface Correction {
  readonly changes: readonly Compared[];
  /** Why the state is still not that of the network; `undefined` if it is. */
  readonly obstacle?: string;
}

/** The inputs of a correction. */
export interface CorrectionSettings {
  readonly remote: Remote;
  readonly signal: AbortSignal;
  /** The current root of the state. */
  rootOf(): Hash;
}

const CALLS_AT_ONCE = 99;
/** More accounts and slots than one block changes. */
const MAX_NAMES = 50_000;

/** Replaces the values that an execution left by those of the network, until the state has the root of the header. */
export async function correctState(
  state: ScratchState,
  header: SealedHeader,
  { remote, signal, rootOf }: CorrectionSettings,
): Promise<Correction> {
  const changes: Compared[] = [];
  const apply = async (names: StateNames) => {
    changes.push(...(await copyValues(state, names, { remote, hash: header.hash, signal })));
    return rootOf() === header.stateRoot;
  };
  try {
    if (await apply(namesIn(state))) return { changes };
    // What the transactions did on the network and not here is known from traces only.
    const traced = await findTracedNames(remote, header, signal);
    if (traced !== undefined && (await apply(traced))) return { changes };
    const problem =
      traced === undefined
        ? "it offers neither debug_traceBlockByHash nor trace_replayBlockTransactions, from which other changes would be known"
        : "its traces do not name all changes";
    return {
      changes,
      obstacle: `the values that ${remote.name} delivers do not suffice: ${problem}`,
    };
  } catch (error) {
    // The differences of the block are known, whatever the node does now.
    if (!isOfRemote(error)) throw error;
    return { changes, obstacle: error.message };
  }
}

interface ValueSource {
  readonly remote: Remote;
  readonly hash: Hash;
  readonly signal: AbortSignal;
}

async function copyValues(
  state: ScratchState,
  names: StateNames,
  source: ValueSource,
): Promise<readonly Compared[]> {
  const addresses = [...names.keys()];
  const slots = [...names].flatMap(([address, each]) =>
    Array.from(each, (slot) => ({ address, slot })),
  );
  if (addresses.length + slots.length > MAX_NAMES) return [];
  const block = { blockHash: source.hash };
  const values = await askAll(source, [
    ...addresses.flatMap((address) => [
      { method: "eth_getBalance", params: [address, block] },
      { method: "eth_getTransactionCount", params: [address, block] },
      { method: "eth_getCode", params: [address, block] },
    ]),
    ...slots.map(({ address, slot }) => ({
      method: "eth_getStorageAt",
      params: [address, slot, block],
    })),
  ]);
  const accounts = addresses.map((address, index) => {
    const [balance, nonce, code] = values.slice(3 * index);
    return {
      address,
      balance: decodeSent(source.remote, t.wei, "balance", balance),
      nonce: decodeSent(source.remote, t.wei, "nonce", nonce),
      code: decodeSent(source.remote, t.data, "code", code),
    };
  });
  const changes = accounts.flatMap((account) => copyAccount(state, account));
  const empty = new Set(accounts.filter(isEmpty).map(({ address }) => address));
  for (const [index, { address, slot }] of slots.entries()) {
    if (empty.has(address)) continue;
    const sent = values[3 * addresses.length + index];
    const value = BigInt(decodeSent(source.remote, t.hash, "value of a slot", sent));
    changes.push(
      ...compare(`slot ${slot} of ${address}`, hex(value), hex(state.getStorage(address, slot))),
    );
    if (value !== state.getStorage(address, slot)) state.setStorage(address, slot, value);
  }
  return changes;
}

interface AccountValues {
  readonly address: Address;
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
}

function copyAccount(state: ScratchState, account: AccountValues): readonly Compared[] {
  const { address, balance, nonce, code } = account;
  const before = state.findAccount(address);
  const codeHash = keccakHash(code);
  if (isEmpty(account)) {
    if (before === undefined) return [];
    state.deleteAccount(address);
    return compare(
      `account ${address}`,
      "none",
      `balance ${before.balance}, nonce ${before.nonce}`,
    );
  }
  if (before?.balance !== balance || before.nonce !== nonce) {
    state.setAccount(address, { balance, nonce });
  }
  if (codeHash !== keccakHash(state.getCode(address))) state.setCode(address, code);
  return [
    ...compare(`balance of ${address}`, balance, before?.balance ?? 0n),
    ...compare(`nonce of ${address}`, nonce, before?.nonce ?? 0n),
    ...(before === undefined ? [] : compare(`code hash of ${address}`, codeHash, before.codeHash)),
  ];
}

function isEmpty({ balance, nonce, code }: AccountValues): boolean {
  return balance === 0n && nonce === 0n && code.length === 0;
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

async function askAll(
  { remote, signal }: ValueSource,
  calls: Parameters<Remote["callAll"]>[0],
): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  for (let start = 0; start < calls.length; start += CALLS_AT_ONCE) {
    values.push(...(await remote.callAll(calls.slice(start, start + CALLS_AT_ONCE), signal)));
  }
  return values;
}
