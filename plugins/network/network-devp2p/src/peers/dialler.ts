import type { Clock } from "@plinth/core";
import type { Enode, NodeId } from "@plinth/core/network";
import type { BackOff } from "./back-off.js";

/** Dependencies of the dialer. */
export interface DiallerSettings {
  readonly clock: Clock;
  readonly backOff: BackOff;
  readonly staticNodes: () => readonly Enode[];
  /** Nodes found by discovery. */
  readonly candidates: () => readonly Enode[];
  /** Whether more peers are wanted besides static ones. */
  readonly hasRoom: () => boolean;
  /** Whether a node may be dialed at all: not this one, not connected, not banned. */
  readonly canDial: (enode: Enode, isStatic: boolean) => boolean;
  /** Connects; returns whether it succeeded. */
  readonly dial: (enode: Enode) => Promise<boolean>;
}

const ROUND_MS = 500;
const MAX_DIALS = 16;

/** Dials nodes until there are enough peers: static ones always, others while slots are free. */
export class Dialler {
  readonly #settings: DiallerSettings;
  readonly #dialling = new Set<NodeId>();
  #cancel = () => {};
  #isRunning = false;

  constructor(settings: DiallerSettings) {
    this.#settings = settings;
  }

  start(): void {
    this.#isRunning = true;
    this.#round();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancel();
  }

  /** Whether a node is being dialed now. */
  isDialling(id: NodeId): boolean {
    return this.#dialling.has(id);
  }

  /** Dials the nodes that are due. */
  wake(): void {
    if (!this.#isRunning) return;
    this.#cancel();
    this.#round();
  }

  #round(): void {
    const { staticNodes, candidates, hasRoom, backOff } = this.#settings;
    const fixed = staticNodes();
    for (const enode of fixed) this.#tryDial(enode, true);
    // Longest waiting first.
    const found = [...candidates()].sort((a, b) => backOff.dueAt(a.id) - backOff.dueAt(b.id));
    for (const enode of found) {
      if (!hasRoom()) break;
      if (!fixed.some(({ id }) => id === enode.id)) this.#tryDial(enode, false);
    }
    this.#cancel = this.#settings.clock.after(ROUND_MS, () => this.#round());
  }

  #tryDial(enode: Enode, isStatic: boolean): void {
    const { canDial, backOff } = this.#settings;
    const { id } = enode;
    if (this.#dialling.size >= MAX_DIALS || this.#dialling.has(id)) return;
    if (!backOff.isDue(id) || !canDial(enode, isStatic)) return;
    this.#dialling.add(id);
    void this.#dial(enode).finally(() => this.#dialling.delete(id));
  }

  async #dial(enode: Enode): Promise<void> {
    const { dial, backOff } = this.#settings;
    if (await dial(enode)) backOff.connected(enode.id);
    else backOff.failed(enode.id);
  }
}
