import { JoinRefused, type OfferedChain, type UnprovenHeaders } from "@plinth/core/chain";
import { TABLES } from "@plinth/core/storage";
import { unprovenFromEntry } from "../store/joined-at.js";
import type { JoinContext } from "./join-context.js";
import { type JoiningRecord, putJoining } from "./joining-record.js";

/** As far back as BLOCKHASH reads, with the block itself. */
const MAX_HEADERS = 256;

/** Writes headers that nothing proves, as the operator demands; returns the record of the next step. */
export async function adoptHeaders(
  { store, chain }: JoinContext,
  { block }: OfferedChain,
  { record, unproven }: { readonly record: JoiningRecord; readonly unproven: UnprovenHeaders },
): Promise<JoiningRecord> {
  const { headers, totalDifficulty } = unproven;
  verifyLinked(headers, block);
  const batch = store.batch();
  let weight = totalDifficulty;
  for (const header of headers.toReversed()) {
    chain.putHeader(batch, header, weight);
    weight -= header.difficulty;
  }
  batch.put(TABLES.chain, ...unprovenFromEntry(headers[0]?.number ?? block.number));
  const next = { ...record, step: "codes", part: 0 } as const;
  putJoining(batch, next);
  await batch.commit();
  return next;
}

function verifyLinked(
  headers: UnprovenHeaders["headers"],
  { number, hash, stateRoot }: OfferedChain["block"],
): void {
  const last = headers.at(-1);
  if (last?.hash !== hash || last.stateRoot !== stateRoot || last.number !== number) {
    throw new JoinRefused(`the last header is not that of block ${number} (${hash})`);
  }
  if (headers.length > MAX_HEADERS || BigInt(headers.length) > number) {
    throw new JoinRefused(`${headers.length} headers up to block ${number}, expected fewer`);
  }
  for (const [index, header] of headers.slice(1).entries()) {
    const parent = headers[index];
    if (parent?.hash === header.parentHash && parent.number + 1n === header.number) continue;
    throw new JoinRefused(
      `the parent of block ${header.number} is ${header.parentHash}, not ${parent?.hash}`,
    );
  }
}
