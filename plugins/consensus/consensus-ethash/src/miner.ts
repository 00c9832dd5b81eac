import { type Header, type ProducerHost, type SealedHeader, toHex } from "@plinth/core";
import { runInTurns } from "@plinth/core/async";
import type { Epochs } from "./epochs.js";
import type { HashMeter } from "./hash-meter.js";
import type { Hashimoto } from "./hashimoto.js";
import type { RemoteSealer } from "./remote-sealer.js";
import { isEnough, sealHash } from "./seal.js";

/** How far blocks may run ahead of the clock before the miner waits. */
const MAX_MS_AHEAD = 15_000;
const NONCE_BYTES = 8;

/** Produces one block after another, even if empty, until it is stopped. */
export async function mine(
  host: ProducerHost,
  { epochs, meter, sealer }: { epochs: Epochs; meter: HashMeter; sealer: RemoteSealer },
): Promise<void> {
  const { signal, clock, head, build, submit } = host;
  while (!signal.aborted) {
    const parent = head();
    const timestamp = nextTimestamp(parent, clock.now());
    const early = Number(timestamp) * 1000 - clock.now() - MAX_MS_AHEAD;
    if (early > 0) await clock.sleep(early, signal);
    const built = await build({ timestamp });
    const { header } = built.block;
    const made = epochs.for(header.number);
    sealer.offer(header, made);
    const epoch = await made;
    const search = new Search(header, {
      epoch,
      meter,
      isWanted: () => head().hash === parent.hash && !sealer.isSolved,
    });
    await runInTurns(search, { signal });
    const sealed = sealer.takeSolved() ?? search.sealed;
    if (sealed !== undefined) await submit(built, sealed);
  }
  sealer.close();
}

/** Tries one nonce after another, until one is valid or the block is obsolete. */
class Search implements Iterator<void> {
  readonly #header: Header;
  readonly #hash: Uint8Array;
  readonly #epoch: Hashimoto;
  readonly #meter: HashMeter;
  readonly #isWanted: () => boolean;
  #nonce = 0n;
  /** The header with its seal, once it is found. */
  sealed: Header | undefined;

  constructor(
    header: Header,
    {
      epoch,
      meter,
      isWanted,
    }: { readonly epoch: Hashimoto; readonly meter: HashMeter; readonly isWanted: () => boolean },
  ) {
    this.#header = header;
    this.#hash = sealHash(header);
    this.#epoch = epoch;
    this.#meter = meter;
    this.#isWanted = isWanted;
  }

  next(): IteratorResult<void> {
    if (!this.#isWanted()) return { done: true, value: undefined };
    const nonce = nonceBytes(this.#nonce++);
    this.#meter.add();
    const work = this.#epoch.run(this.#hash, nonce);
    if (!isEnough(work, this.#header.difficulty)) return { done: false, value: undefined };
    this.sealed = { ...this.#header, mixHash: toHex(work.mix), nonce };
    return { done: true, value: undefined };
  }
}

/** The machine's time, but always later than the parent's. */
function nextTimestamp({ timestamp }: SealedHeader, nowMs: number): bigint {
  const now = BigInt(Math.floor(nowMs / 1000));
  return now > timestamp ? now : timestamp + 1n;
}

function nonceBytes(nonce: bigint): Uint8Array {
  const bytes = Buffer.alloc(NONCE_BYTES);
  bytes.writeBigUInt64BE(nonce);
  return new Uint8Array(bytes);
}
