import { type Clock, type Logger, messageOf } from "@plinth/core";
import { type ChangeStream, CursorRefused } from "@plinth/plugin-changes/api";
import { JetStreamLog, type LogAddress } from "./jetstream-log.js";

const PAUSE_MS = 1_000;

/**
 * Publishes the records of a stream of changes until the signal aborts.
 *
 * The cursor is nowhere but in the last message, so after every failure it is read again: a message whose acknowledgement was lost
 * is either there or not. Rejects with `CursorRefused` if the stream of changes does not continue that message.
 */
export async function keepPublishing(
  changes: ChangeStream,
  address: LogAddress,
  {
    clock,
    log,
    signal,
  }: { readonly clock: Clock; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await using target = await JetStreamLog.open(address);
      await publishAll(changes, target, signal);
    } catch (error) {
      if (error instanceof CursorRefused) throw error;
      log.warn(`${address.stream} at ${address.url}: ${messageOf(error)}; trying again`);
      await clock.sleep(PAUSE_MS, signal).catch(() => {});
    }
  }
}

async function publishAll(
  changes: ChangeStream,
  target: JetStreamLog,
  signal: AbortSignal,
): Promise<void> {
  const last = await target.findLast();
  const cursor =
    last === undefined
      ? { sequence: changes.descriptor.firstSequence }
      : { sequence: last.sequence + 1n, previous: last.hash };
  for await (const record of changes.follow(cursor, signal)) {
    const { added } = await changes.load(record);
    const transactions = added?.block.body.transactions.map(({ hash }) => hash);
    const timestamp = added && Number(added.block.header.timestamp);
    const text = { ...record, sequence: `${record.sequence}`, number: Number(record.number) };
    await target.append(record, JSON.stringify({ ...text, timestamp, transactions }));
  }
}
