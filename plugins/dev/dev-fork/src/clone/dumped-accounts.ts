import {
  type Address,
  DecodeError,
  type Hash,
  hexToBytes,
  keccak256,
  t,
  toHex,
} from "@plinth/core";
import type { JoinedSlot } from "@plinth/core/chain";
import { RemoteInconsistent } from "../remote/errors.js";
import { decodeSent } from "../remote/read-chain.js";
import { CloneRefused } from "./clone-refused.js";
import type { CloneSource } from "./clone-source.js";
import { isIn, type KeyRange } from "./key-range.js";
import { PageOrder } from "./page-order.js";
import { type RemoteAccount, withKey } from "./remote-account.js";
import { rootOf, type Storage, toSlots } from "./storage-root.js";

/** geth returns at most 256. */
const PAGE = 128;
const KEY_BYTES = 32;
const DECIMAL = /^\d{1,78}$/;

const dump = t.object({
  accounts: t.record(
    t.object({
      balance: t.text,
      nonce: t.integer({ min: 0 }),
      root: t.hash,
      code: t.optional(t.data),
      storage: t.optional(t.record(t.text)),
    }),
  ),
  /** In Base64. */
  next: t.optional(t.text),
});

/** The accounts of a state whose keys are in a range, as geth dumps them: with code, and the roots of their storage. */
export async function* dumpAccounts(
  source: CloneSource,
  range: KeyRange,
): AsyncGenerator<readonly RemoteAccount[]> {
  const order = new PageOrder(source.remote.name, "accounts");
  for (let start: Hash | undefined = range.from; start !== undefined; ) {
    const page: ReturnType<typeof dump.decode> = await readDump(source, { start, limit: PAGE });
    const accounts = Object.entries(page.accounts).map(([name, account]) =>
      toAccount(source, name, account),
    );
    yield accounts.filter(({ key }) => isIn(range, key));
    const next: Hash | undefined = order.next(start, {
      next: keyOf(page.next),
      added: accounts.length,
    });
    start = next !== undefined && isIn(range, next) ? next : undefined;
  }
}

/** The storage of an account, which has the root that the node names. */
export async function dumpStorage(
  source: CloneSource,
  { address, key, root }: { readonly address: Address; readonly key: Hash; readonly root: Hash },
): Promise<readonly JoinedSlot[]> {
  const { accounts } = await readDump(source, { start: key, limit: 1, withStorage: true });
  const [account] = Object.values(accounts);
  const storage: Storage = new Map();
  for (const [slot, digits] of Object.entries(account?.storage ?? {})) {
    const value = decodeSent(source.remote, t.data, "value of a slot", `0x${digits}`);
    const hash = decodeSent(source.remote, t.hash, "slot", slot);
    storage.set(toHex(keccak256(hexToBytes(hash))), {
      slot: hash,
      value: BigInt(`0x0${toHex(value).slice(2)}`),
    });
  }
  const found = await rootOf(storage);
  if (found === root) return toSlots(storage);
  throw new RemoteInconsistent(
    source.remote.name,
    `the slots that it lists for ${address} at block ${source.header.number} have the root ${found}, but the account has ${root}; a geth that does not record preimages (--cache.preimages) does not know its slots`,
  );
}

async function readDump(
  source: CloneSource,
  {
    start,
    limit,
    withStorage = false,
  }: { readonly start: Hash; readonly limit: number; readonly withStorage?: boolean },
) {
  // Without code if it is with storage; also accounts whose address is unknown.
  const params = [source.hash, start, limit, withStorage, !withStorage, true];
  const json = await source.ask("debug_accountRange", params);
  return decodeSent(source.remote, dump, "page of accounts", json);
}

function toAccount(
  { remote }: CloneSource,
  name: string,
  { balance, nonce, root, code }: ReturnType<typeof dump.decode>["accounts"][string],
): RemoteAccount {
  if (!DECIMAL.test(balance)) {
    throw new RemoteInconsistent(remote.name, `the balance of ${name} is no decimal number`);
  }
  return {
    ...withKey(addressOf(remote.name, name)),
    balance: BigInt(balance),
    nonce: BigInt(nonce),
    code: code ?? new Uint8Array(),
    storageRoot: root,
  };
}

/** Accounts without a known address have a name such as `pre(0x…)`. */
function addressOf(source: string, name: string): Address {
  try {
    return t.address.decode(name);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new CloneRefused(
      `${source} does not know the address of the account ${name}: a geth that does not record preimages (--cache.preimages) cannot be cloned`,
      { cause: error, allowsLazy: true },
    );
  }
}

function keyOf(base64: string | undefined): Hash | undefined {
  if (base64 === undefined) return undefined;
  const bytes = Buffer.from(base64, "base64");
  return toHex(Buffer.concat([bytes, Buffer.alloc(KEY_BYTES)]).subarray(0, KEY_BYTES));
}
