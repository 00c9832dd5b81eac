import { PeerError, type Runtime, type SealedHeader } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import { JoinRefused } from "@plinth/core/chain";
import type { NodeId } from "@plinth/core/network";
import { type EthPeer, type EthPeers, RequestFailed } from "@plinth/plugin-protocol-eth/api";

/** New blocks wait for at most as many. */
const BLOCKS_AT_ONCE = 32;
/** A peer that does not deliver is asked again after this time. */
const PUT_OFF_MS = 60_000;

/** Adds the blocks before the one at which the node joined, from its peers, the latest first. */
export class OldBlocks {
  readonly #runtime: Pick<Runtime, "chain" | "clock" | "log" | "sync">;
  readonly #peers: EthPeers;
  readonly #putOff = new Map<NodeId, number>();

  constructor(runtime: Pick<Runtime, "chain" | "clock" | "log" | "sync">, peers: EthPeers) {
    this.#runtime = runtime;
    this.#peers = peers;
  }

  /** Runs until all of them are there. */
  async run(signal: AbortSignal): Promise<void> {
    const { chain, clock, log, sync } = this.#runtime;
    const changed = new Signal(clock);
    const forget = this.#peers.onChange(() => changed.notify());
    try {
      while (!signal.aborted && chain.blocks.firstRetained() > 0n) {
        const peer = this.#choose();
        // Tools would wait for blocks that no peer has.
        sync.reportMissing(peer === undefined ? 0n : chain.blocks.firstRetained() - 1n);
        if (peer === undefined) await changed.nextWithin({ timeoutMs: PUT_OFF_MS, signal });
        else await this.#addFrom(peer);
      }
      if (!signal.aborted) log.info("All old blocks are here");
    } finally {
      forget();
      sync.reportMissing(0n);
    }
  }

  async #addFrom(peer: EthPeer): Promise<void> {
    const { chain, log } = this.#runtime;
    const hashes = this.#missingHeaders().map(({ hash }) => hash);
    try {
      const [bodies, receipts] = await Promise.all([
        peer.requestBodies(hashes),
        peer.requestReceipts(hashes),
      ]);
      const blocks = bodies.flatMap((body, index) => {
        const found = receipts[index];
        return found === undefined ? [] : [{ body, receipts: found }];
      });
      if (blocks.length === 0) throw new RequestFailed("it does not have them");
      await chain.writer.addOlder(blocks.toReversed());
    } catch (error) {
      if (error instanceof PeerError) peer.peer.disconnect(error.reason);
      // A block that it does not have is omitted, so that the next one is in its place.
      else if (!(error instanceof RequestFailed || error instanceof JoinRefused)) throw error;
      this.#putOff.set(peer.id, this.#runtime.clock.now() + PUT_OFF_MS);
      log.debug(`peer ${peer.id} does not deliver old blocks: ${error.message}`);
    }
  }

  /** The headers right before the first block that is here, the latest first. */
  #missingHeaders(): readonly SealedHeader[] {
    const { blocks } = this.#runtime.chain;
    const headers: SealedHeader[] = [];
    for (let number = blocks.firstRetained() - 1n; number > 0n; number--) {
      const header = blocks.findHeader(number);
      if (header === undefined || headers.length === BLOCKS_AT_ONCE) break;
      headers.push(header);
    }
    return headers;
  }

  #choose(): EthPeer | undefined {
    const now = this.#runtime.clock.now();
    return this.#peers
      .all()
      .filter(({ id, head }) => head !== undefined && (this.#putOff.get(id) ?? 0) <= now)
      .sort((a, b) => a.requests.size - b.requests.size)[0];
  }
}
