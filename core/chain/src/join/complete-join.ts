import { JoinRefused, type OfferedChain } from "@plinth/core/chain";
import { TABLES } from "@plinth/core/storage";
import { originEntry } from "../flat/fetched-values.js";
import { firstKeptEntry } from "../flat/history/kept-history.js";
import { formatEntry } from "../flat/state-format.js";
import { joinedAtEntry } from "../store/joined-at.js";
import { retainedFrom } from "./add-older-blocks.js";
import type { JoinContext } from "./join-context.js";
import { verifyJoinedBlock } from "./joined-block.js";
import { removeJoining } from "./joining-record.js";

/** Makes the joined block the head of the chain: one batch, after which the database is complete. */
export async function completeJoin(context: JoinContext, offered: OfferedChain): Promise<void> {
  const { store, chain, genesis } = context;
  const header = chain.findHeader(offered.block.hash);
  if (header === undefined) throw new JoinRefused(`block ${offered.block.hash} has no header`);
  const batch = store.batch();
  const { number, hash, stateRoot } = header;
  const first = { block: genesis, receipts: [], totalDifficulty: genesis.header.difficulty };
  chain.putBlock(batch, first);
  chain.addToCanonical(batch, genesis);
  if (offered.isStateElsewhere === true) {
    chain.setFirstRetained(batch, number + 1n);
    batch.put(TABLES.chain, ...originEntry({ number: Number(number), stateRoot }));
  } else {
    const { body, receipts } = await offered.readBlock();
    await verifyJoinedBlock(header, { body, receipts });
    const block = { header, body };
    const totalDifficulty = chain.findTotalDifficulty(hash) ?? 0n;
    chain.putBlock(batch, { block, receipts, totalDifficulty });
    chain.addToCanonical(batch, block);
    chain.setFirstRetained(batch, retainedFrom(number));
  }
  chain.setHead(batch, hash);
  batch.put(TABLES.chain, ...firstKeptEntry(Number(number)));
  batch.put(TABLES.chain, ...formatEntry("BONSAI"));
  batch.put(TABLES.chain, ...joinedAtEntry(number));
  removeJoining(batch);
  await batch.commit({ durable: true });
}
