import { type BlockReader, decodeRlp, type SealedHeader, toHex, Yielder } from "@plinth/core";
import { Fields } from "@plinth/core/blocks";
import { type ChangedAccount, StatePruned, type StateRanges } from "@plinth/core/chain";
import type { Row } from "../database/database.js";
import { bytesValue } from "./values.js";

/** The parts of a chain that balances are read from. */
export type BalancedChain = Pick<
  BlockReader,
  "changesOf" | "findPreimage" | "hasState" | "head" | "isPartial" | "openRanges"
>;

const KEY_BYTES = 32;
/** The size of the accounts that are read at a time. */
const MAX_RANGE_BYTES = 512 * 1024;
const LAST_KEY = new Uint8Array(KEY_BYTES).fill(0xff);

/** The rows of the accounts that a block changed; `undefined` if they are no longer known. */
export async function findChangedBalances(
  chain: Pick<BalancedChain, "changesOf">,
  header: SealedHeader,
): Promise<readonly Row[] | undefined> {
  const turns = new Yielder();
  const rows: Row[] = [];
  try {
    for (const account of chain.changesOf(header, { slots: false })) {
      rows.push(rowOfChange(header, account));
      await turns.yield();
    }
    return rows;
  } catch (error) {
    if (error instanceof StatePruned) return undefined;
    throw error;
  }
}

function rowOfChange({ number }: SealedHeader, { key, address, account }: ChangedAccount): Row {
  return [
    ...[String(number), bytesValue(key), address === undefined ? null : bytesValue(address)],
    ...[String(account?.nonce ?? 0n), String(account?.balance ?? 0n)],
  ];
}

/** All accounts after a block, until they are closed. */
export interface AllBalances extends Disposable {
  readonly header: SealedHeader;
  /** Their rows, some at a time. */
  rows(): AsyncGenerator<readonly Row[], undefined>;
}

/**
 * Opens all accounts after a block; resolves to `undefined` if they are no longer known.
 *
 * The tries of an earlier block are computed from those of the head, block by block, each of which takes milliseconds.
 */
export async function openAllBalances(
  chain: BalancedChain,
  header: SealedHeader,
  { maxBlocksBack }: { readonly maxBlocksBack: bigint },
): Promise<AllBalances | undefined> {
  const blocksBack = chain.head().number - header.number;
  if (chain.isPartial || blocksBack > maxBlocksBack || !chain.hasState(header)) return undefined;
  try {
    const ranges = await chain.openRanges(header);
    return {
      header,
      rows: () => readRows(chain, header, ranges),
      [Symbol.dispose]: () => ranges[Symbol.dispose](),
    };
  } catch (error) {
    // Values are kept for longer than tries.
    if (error instanceof StatePruned) return undefined;
    throw error;
  }
}

async function* readRows(
  chain: Pick<BalancedChain, "findPreimage">,
  header: SealedHeader,
  ranges: StateRanges,
): AsyncGenerator<readonly Row[], undefined> {
  let origin: Uint8Array | undefined = new Uint8Array(KEY_BYTES);
  while (origin !== undefined) {
    const limits = { origin, end: LAST_KEY, maxBytes: MAX_RANGE_BYTES };
    const { entries, hasMore } = await ranges.accounts(limits);
    yield entries.map(({ key, value }) => {
      const hash = toHex(key);
      const address = chain.findPreimage(hash);
      const { nonce, balance } = readAccount(value);
      return [
        ...[String(header.number), bytesValue(hash)],
        ...[address === undefined ? null : bytesValue(address), String(nonce), String(balance)],
      ];
    });
    const last = entries.at(-1)?.key;
    origin = hasMore && last !== undefined ? keyAfter(last) : undefined;
  }
}

function readAccount(value: Uint8Array) {
  const fields = new Fields("account", decodeRlp(value));
  return { nonce: fields.uint64("nonce"), balance: fields.uint256("balance") };
}

/** `undefined` after the last one. */
function keyAfter(key: Uint8Array): Uint8Array | undefined {
  const next = Uint8Array.from(key);
  for (let index = next.length - 1; index >= 0; index--) {
    const byte = next[index] ?? 0;
    next[index] = byte === 0xff ? 0 : byte + 1;
    if (byte !== 0xff) return next;
  }
  return undefined;
}
