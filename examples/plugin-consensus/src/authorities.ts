import type { Address, ChainReader, Hash, SealedHeader } from "@plinth/core";
import { type Vote, voteIn } from "./extra-data.js";
import { signerOf } from "./seal.js";

/** The authorities after a block, and the votes without a majority. */
interface Snapshot {
  readonly authorities: readonly Address[];
  /** Voters by candidate and direction, such as `0x… for`. */
  readonly votes: ReadonlyMap<string, ReadonlySet<Address>>;
}

/** Number of blocks whose authorities are cached. */
const MAX_SNAPSHOTS = 256;

/** The authorities after each block: those of the genesis file, changed by votes with a majority. */
export class Authorities {
  readonly #first: readonly Address[];
  readonly #byHash = new Map<Hash, Snapshot>();

  constructor(first: readonly Address[]) {
    this.#first = first;
  }

  /** The authorities for the block on this parent, in the order of their turns. */
  after(parent: SealedHeader, chain: ChainReader): readonly Address[] {
    return this.#snapshotAt(parent, chain).authorities;
  }

  #snapshotAt(header: SealedHeader, chain: ChainReader): Snapshot {
    const unknown: SealedHeader[] = [];
    let at: SealedHeader | undefined = header;
    while (at !== undefined && at.number > 0n && !this.#byHash.has(at.hash)) {
      unknown.push(at);
      at = chain.findHeader(at.parentHash);
    }
    const known = at && this.#byHash.get(at.hash);
    let snapshot: Snapshot = known ?? { authorities: this.#first, votes: new Map() };
    for (const next of unknown.reverse())
      snapshot = this.#remember(next, applyVote(snapshot, next));
    return snapshot;
  }

  #remember({ hash }: SealedHeader, snapshot: Snapshot): Snapshot {
    this.#byHash.set(hash, snapshot);
    const [oldest] = this.#byHash.keys();
    if (this.#byHash.size > MAX_SNAPSHOTS && oldest !== undefined) this.#byHash.delete(oldest);
    return snapshot;
  }
}

function applyVote({ authorities, votes }: Snapshot, header: SealedHeader): Snapshot {
  const vote = voteIn(header);
  if (vote === undefined || authorities.includes(vote.candidate) === vote.isFor) {
    return { authorities, votes };
  }
  const key = `${vote.candidate} ${vote.isFor ? "for" : "against"}`;
  const voters = new Set([...(votes.get(key) ?? []), signerOf(header)]);
  if (voters.size <= authorities.length / 2) {
    return { authorities, votes: new Map([...votes, [key, voters]]) };
  }
  const rest = new Map([...votes].filter(([other]) => !other.startsWith(vote.candidate)));
  return { authorities: change(authorities, vote), votes: rest };
}

function change(authorities: readonly Address[], { candidate, isFor }: Vote): readonly Address[] {
  return isFor ? [...authorities, candidate] : authorities.filter((each) => each !== candidate);
}
