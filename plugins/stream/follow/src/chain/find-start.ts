import type { BlockReader, Hash } from "@plinth/core";
import type { StreamDescriptor } from "@plinth/plugin-changes/api";
import type { Source } from "../source/source.js";
import { SourceProblem } from "../source/source-problem.js";
import type { Position } from "./position.js";
import { sealSent } from "./seal-sent.js";

/** The chain of a replica, in which a block of a stream is looked up. */
export type KnownChain = Pick<BlockReader, "head" | "findHeader" | "hasState" | "seal">;

/** Where a search takes place. */
export interface SearchedStream {
  readonly source: Pick<Source, "name" | "readOne">;
  readonly stream: StreamDescriptor;
  readonly chain: KnownChain;
  readonly signal: AbortSignal;
}

/** The head of a source before a record. */
interface Place {
  readonly sequence: bigint;
  readonly number: bigint;
  /** `undefined` if it is not known. */
  readonly tip: Hash | undefined;
  /** The hash of the record before. */
  readonly previous: Hash;
}

/**
 * The position in a stream at which the head of its source was one of the last blocks of this chain; rejects with `SourceProblem`
 * if there is none.
 *
 * The heads before two consecutive records differ by one block, so a search by halves finds each number between the first and the
 * last, also if blocks were removed and added again.
 */
export async function findStart(searched: SearchedStream): Promise<Position> {
  const { source, stream, chain } = searched;
  const first = await firstPlace(searched);
  const head = chain.head();
  if (first.number > head.number) {
    throw new SourceProblem(
      source.name,
      `the records that it keeps begin after block ${first.number}, and the head of this replica is block ${head.number}: restore a newer snapshot into an empty --data-path (--snapshot), or follow a source that keeps more records (--changes-retained)`,
    );
  }
  const last = await lastPlace(searched, first);
  let number = last.number < head.number ? last.number : head.number;
  for (let step = 1n; ; step *= 2n) {
    const place = await findPlace(searched, { first, last, number });
    const known = place.tip === undefined ? undefined : chain.findHeader(place.tip);
    if (place.tip !== undefined && known?.number === number && chain.hasState(known)) {
      const { sequence, previous: hash, tip } = place;
      return { id: stream.id, sequence: sequence - 1n, hash, tip };
    }
    if (number <= first.number) break;
    number = number - step > first.number ? number - step : first.number;
  }
  throw new SourceProblem(
    source.name,
    `its stream has no block in common with the chain of this replica, from block ${first.number} on: it is another chain, or forks off before; remove the database, or follow another source`,
  );
}

/** The place with a number, between two places. */
async function findPlace(
  searched: SearchedStream,
  { first, last, number }: { readonly first: Place; readonly last: Place; readonly number: bigint },
): Promise<Place> {
  if (last.number <= number) return last;
  let [before, after] = [first, last.sequence];
  while (after - before.sequence > 1n) {
    const middle = await readPlace(searched, (before.sequence + after) / 2n);
    if (middle.number <= number) before = middle;
    else after = middle.sequence;
  }
  return before;
}

function firstPlace(searched: SearchedStream): Place | Promise<Place> {
  const { firstSequence, number, hash, id } = searched.stream;
  if (firstSequence === 1n) return { sequence: 1n, number, tip: hash, previous: id };
  return readPlace(searched, firstSequence);
}

/** The head after the last record. */
async function lastPlace(searched: SearchedStream, first: Place): Promise<Place> {
  const { source, stream, chain, signal } = searched;
  const { lastSequence, lastHash: previous } = stream;
  if (lastSequence < first.sequence) return first;
  const { record } = await source.readOne(lastSequence, signal);
  const sequence = lastSequence + 1n;
  const { kind, number, blockHash } = record;
  if (kind === "added") return { sequence, number, tip: blockHash, previous };
  const tip = chain.findHeader(blockHash)?.parentHash;
  return { sequence, number: number - 1n, tip, previous };
}

async function readPlace(
  { source, chain, signal }: SearchedStream,
  sequence: bigint,
): Promise<Place> {
  const { record, block } = await source.readOne(sequence, signal);
  const { kind, number, blockHash, previous } = record;
  if (kind === "removed") return { sequence, number, tip: blockHash, previous };
  const header = block && sealSent(chain, block, { name: source.name, sequence });
  if (header?.hash !== blockHash || header.number !== number) {
    throw new SourceProblem(
      source.name,
      `record ${sequence} is of the block ${number} (${blockHash}), but has the block ${header?.number} (${header?.hash})`,
    );
  }
  return { sequence, number: number - 1n, tip: header.parentHash, previous };
}
