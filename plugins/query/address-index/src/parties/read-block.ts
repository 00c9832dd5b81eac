import {
  type Address,
  type BlockReader,
  InvariantError,
  type Receipt,
  type SealedBlock,
  type Transaction,
} from "@plinth/core";
import type { BlockReplay } from "@plinth/core/chain";
import { Pace, yielding } from "@plinth/kit-trace";
import type { IndexedTransaction } from "../block-record.js";
import { isPlainTransfer } from "./is-plain-transfer.js";
import { PartyTracer } from "./party-tracer.js";
import { tokenPartiesOf } from "./token-parties.js";

type Blocks = Pick<BlockReader, "findReceipts" | "isActive" | "replay">;

/** What the index has to know about the transactions of a block; `undefined` if the block cannot be executed. */
export async function readBlock(
  blocks: Blocks,
  block: SealedBlock,
  signal: AbortSignal,
): Promise<readonly IndexedTransaction[] | undefined> {
  const { header, body } = block;
  if (body.transactions.length === 0) return [];
  const receipts = blocks.findReceipts(header.hash);
  if (receipts === undefined) {
    throw new InvariantError(`block ${header.number} (${header.hash}) has no receipts`);
  }
  const pairs = body.transactions.map((transaction, index) => {
    const receipt = receipts[index];
    if (receipt !== undefined) return { transaction, receipt };
    throw new InvariantError(`block ${header.number} has no receipt of transaction ${index}`);
  });
  const isPlain =
    blocks.isActive("london", header) &&
    pairs.every(({ transaction, receipt }) => isPlainTransfer(transaction, receipt));
  if (isPlain) return pairs.map(({ transaction }) => describe(transaction, [], []));
  using replay = await blocks.replay(block);
  return replay && (await execute(replay, pairs, signal));
}

async function execute(
  replay: BlockReplay,
  pairs: readonly { readonly transaction: Transaction; readonly receipt: Receipt }[],
  signal: AbortSignal,
): Promise<readonly IndexedTransaction[]> {
  const pace = new Pace(signal);
  const indexed: IndexedTransaction[] = [];
  for (const { transaction, receipt } of pairs) {
    const tracer = new PartyTracer();
    await replay.run(yielding(tracer, signal));
    const parties = [...tracer.parties, ...tokenPartiesOf(receipt)];
    indexed.push(describe(transaction, parties, tracer.created));
    await pace.rest();
  }
  return indexed;
}

function describe(
  { sender, nonce, to }: Transaction,
  others: Iterable<Address>,
  created: IndexedTransaction["created"],
): IndexedTransaction {
  const parties = new Set([sender, ...(to === undefined ? [] : [to]), ...others]);
  return { sender, nonce, parties, created };
}
