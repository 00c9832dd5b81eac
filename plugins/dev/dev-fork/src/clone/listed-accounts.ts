import { type Address, type Codec, type Hash, t } from "@plinth/core";
import { mapConcurrent } from "@plinth/core/async";
import { RemoteInconsistent } from "../remote/errors.js";
import { decodeSent } from "../remote/read-chain.js";
import type { RemoteCall } from "../remote/remote.js";
import { CloneRefused } from "./clone-refused.js";
import type { CloneSource } from "./clone-source.js";
import { isIn, type KeyRange } from "./key-range.js";
import { PageOrder } from "./page-order.js";
import { type KeyedAddress, type RemoteAccount, withKey } from "./remote-account.js";

/** Addresses of a page; a node may deliver fewer. */
const PAGE = 512;
/** Accounts of a batch, with three calls each. */
const ACCOUNTS_AT_ONCE = 64;
const CONCURRENCY = 4;
const NO_ADDRESS = `0x${"00".repeat(20)}`;

const page: Codec<{
  readonly addressMap: Readonly<Record<string, Address>>;
  readonly nextKey: Hash | undefined;
}> = t.object({ addressMap: t.record(t.address), nextKey: t.optional(t.hash) });

/**
 * The accounts of a state whose keys are in a range, as Besu and Plinth list them: addresses by
 * `debug_accountRange`, the rest by a batch of calls.
 */
export async function* listAccounts(
  source: CloneSource,
  range: KeyRange,
): AsyncGenerator<readonly RemoteAccount[]> {
  const listed = new Set<Hash>();
  const pages = mapConcurrent(
    readAddresses(source, range),
    async (addresses) => {
      for (const { key } of addresses) listed.add(key);
      return readAccounts(source, addresses);
    },
    { concurrency: CONCURRENCY },
  );
  for await (const accounts of pages) yield accounts;
  // Accounts after the last transaction: what the end of the block pays is not among them.
  const paid = source.paidAtEnd
    .map(withKey)
    .filter(({ key }) => isIn(range, key) && !listed.has(key));
  const accounts = await readAccounts(source, paid);
  yield accounts.filter(
    ({ balance, nonce, code }) => balance > 0n || nonce > 0n || code.length > 0,
  );
}

async function* readAddresses(
  source: CloneSource,
  range: KeyRange,
): AsyncGenerator<readonly KeyedAddress[]> {
  const { remote, hash, lastIndex } = source;
  const order = new PageOrder(remote.name, "accounts");
  for (let start: Hash | undefined = range.from; start !== undefined; ) {
    const params: readonly unknown[] = [hash, lastIndex, start, PAGE];
    const { addressMap, nextKey }: ReturnType<typeof page.decode> = decodeSent(
      remote,
      page,
      "page of accounts",
      await source.ask("debug_accountRange", params),
    );
    const next: Hash | undefined = order.next(start, {
      next: nextKey,
      added: Object.keys(addressMap).length,
    });
    const addresses = verifyAddresses(source, addressMap).filter(({ key }) => isIn(range, key));
    for (let first = 0; first < addresses.length; first += ACCOUNTS_AT_ONCE) {
      yield addresses.slice(first, first + ACCOUNTS_AT_ONCE);
    }
    start = next !== undefined && isIn(range, next) ? next : undefined;
  }
}

function verifyAddresses(
  { remote }: CloneSource,
  addressMap: Readonly<Record<string, Address>>,
): readonly KeyedAddress[] {
  return Object.entries(addressMap).map(([named, address]) => {
    const keyed = withKey(address);
    if (keyed.key === named.toLowerCase()) return keyed;
    if (address === NO_ADDRESS) {
      throw new CloneRefused(
        `${remote.name} does not know the address of the account with the hash ${named}: a node that joined its chain by snap sync or by a snapshot without addresses cannot be cloned`,
        { allowsLazy: true },
      );
    }
    throw new RemoteInconsistent(
      remote.name,
      `the hash of the address ${address} is ${keyed.key}, not ${named}`,
    );
  });
}

async function readAccounts(
  source: CloneSource,
  addresses: readonly KeyedAddress[],
): Promise<readonly RemoteAccount[]> {
  const block = { blockHash: source.hash };
  const calls = addresses.flatMap(({ address }): RemoteCall[] => [
    { method: "eth_getBalance", params: [address, block] },
    { method: "eth_getTransactionCount", params: [address, block] },
    { method: "eth_getCode", params: [address, block] },
  ]);
  const results = await source.askAll(calls);
  return addresses.map(({ address, key }, index) => {
    const [balance, nonce, code] = results.slice(3 * index);
    const { remote } = source;
    return {
      address,
      key,
      balance: decodeSent(remote, t.quantity, "balance", balance),
      nonce: decodeSent(remote, t.quantity, "nonce", nonce),
      code: decodeSent(remote, t.data, "code", code),
    };
  });
}
