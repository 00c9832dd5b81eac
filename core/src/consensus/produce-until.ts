import type { Header } from "../blocks/header.js";
import type { BlockOrder, ConsensusEngine, ProducerHost } from "./engine.js";

type Point = Pick<Header, "number" | "timestamp">;

/**
 * Lets an engine make blocks until it asks for one that is not its own.
 *
 * Answers where that block would have stood; `undefined` when the engine ended by itself.
 */
export async function produceUntil(
  engine: ConsensusEngine,
  host: ProducerHost,
  isOver: (point: Point) => boolean,
): Promise<Point | undefined> {
  const control = new AbortController();
  let ended: Point | undefined;
  const build = async (order: BlockOrder) => {
    const point = { number: host.head().number + 1n, timestamp: order.timestamp };
    if (!isOver(point)) return host.build(order);
    ended = point;
    control.abort();
    throw control.signal.reason;
  };
  const signal = AbortSignal.any([host.signal, control.signal]);
  try {
    await engine.produce?.({ ...host, signal, build });
  } catch (error) {
    if (ended === undefined) throw error;
  }
  return ended;
}
