import type { Enode, NodeId } from "@plinth/core/network";

/** Finds nodes. */
export interface Discovery {
  /** The nodes that have responded, as dial candidates. */
  candidates(): readonly Enode[];
  /** Removes a node; it may be found again. */
  forget(id: NodeId): void;
  stop(): Promise<void>;
}
