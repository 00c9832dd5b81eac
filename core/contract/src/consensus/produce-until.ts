import type { SealedHeader } from "../blocks/header.js";
import type { BlockOrder, ConsensusEngine, ProducerHost } from "./engine.js";

/** Where the range of an engine ends. */
export interface EngineEnd {
  /** Whether no other engine follows: production ends when this one does. */
  readonly isLast: boolean;
  /** Whether the block on this parent, at this time, belongs to another engine. */
  readonly isReplaced: (parent: SealedHeader, timestamp: bigint) => boolean;
}

/**
 * Runs an engine's production until the next block belongs to another engine; resolves to the time
 * of that block.
 *
 * The engine is replaced when it requests such a block, and when the head reaches it without the
 * engine, forward or by a rewind: an engine whose node never proposes ends too. If an engine ends
 * early, the next one still gets its turn; if the last one does, the result is `undefined`.
 */
export async function produceUntil(
  engine: ConsensusEngine,
  host: ProducerHost,
  { isLast, isReplaced }: EngineEnd,
): Promise<bigint | undefined> {
  const control = new AbortController();
  const signal = AbortSignal.any([host.signal, control.signal]);
  let next: bigint | undefined;
  const replace = (timestamp: bigint) => {
    next = timestamp;
    control.abort();
  };
  const build = async (order: BlockOrder) => {
    if (!isReplaced(order.parent ?? host.head(), order.timestamp)) return host.build(order);
    replace(order.timestamp);
    throw control.signal.reason;
  };
  const heads = (more?: AbortSignal) =>
    host.heads(more === undefined ? signal : AbortSignal.any([signal, more]));
  const own = { ...host, signal, build, heads };
  const faults: unknown[] = [];
  const watched = watchHeads(own, isReplaced, replace).catch((error: unknown) => {
    // The engine may continue forever without noticing: abort it and rethrow the error.
    faults.push(error);
    control.abort();
  });
  try {
    await engine.produce?.(own);
    if (isLast) control.abort();
    // It has nothing more to produce; its blocks may come from others.
    await watched;
  } catch (error) {
    const isExpected = signal.aborted;
    control.abort();
    await watched;
    if (!isExpected) throw error;
  }
  if (faults.length > 0) throw faults[0];
  return next;
}

/** Replaces the engine as soon as the head is its last block. */
async function watchHeads(
  { heads, clock }: Pick<ProducerHost, "heads" | "clock">,
  isReplaced: EngineEnd["isReplaced"],
  replace: (timestamp: bigint) => void,
): Promise<void> {
  for await (const head of heads()) {
    const now = BigInt(Math.floor(clock.now() / 1000));
    const timestamp = now > head.timestamp ? now : head.timestamp + 1n;
    if (!isReplaced(head, timestamp)) continue;
    replace(timestamp);
    return;
  }
}
