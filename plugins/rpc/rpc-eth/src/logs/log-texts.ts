import { type Compatibility, toQuantity } from "@plinth/core";
import { differencesOf, type FoundLog } from "@plinth/kit-rpc";

export const ADDRESS_BYTES = 20;
export const TOPIC_BYTES = 32;
const BEFORE_ADDRESS = '{"address":"0x';
const BEFORE_TOPICS = '","topics":[';
const BEFORE_TOPIC = '"0x';
const BETWEEN_TOPICS = '",';
const BEFORE_DATA = '],"data":"0x';
const END = Buffer.from('","removed":false},');
const END_REMOVED = Buffer.from('","removed":true},');
/** Where the digits of the address and of the first topic are, and how far those of the next topic are from them. */
export const ADDRESS_AT = BEFORE_ADDRESS.length;
export const FIRST_TOPIC_AT =
  ADDRESS_AT + 2 * ADDRESS_BYTES + BEFORE_TOPICS.length + BEFORE_TOPIC.length;
export const NEXT_TOPIC = 2 * TOPIC_BYTES + BETWEEN_TOPICS.length + BEFORE_TOPIC.length;

/** Consecutive logs of a transaction, and the members that they share. */
export interface LogRun {
  readonly logs: readonly FoundLog[];
  readonly shared: Buffer;
}

/** Divides the logs of a search by their transactions. */
export function findRuns(
  logs: readonly FoundLog[],
  compatibility: Compatibility,
): readonly LogRun[] {
  const { showsBlockTimestamp } = differencesOf(compatibility);
  const runs: LogRun[] = [];
  let first = logs[0];
  let start = 0;
  for (let index = 1; first !== undefined; index++) {
    const next = logs[index];
    if (next !== undefined && areOfOneTransaction(first, next)) continue;
    runs.push({ logs: logs.slice(start, index), shared: sharedOf(first, showsBlockTimestamp) });
    first = next;
    start = index;
  }
  return runs;
}

function areOfOneTransaction(one: FoundLog, other: FoundLog): boolean {
  return one.header.hash === other.header.hash && one.transactionHash === other.transactionHash;
}

/** The length of the JSON of a log and of a comma, without the members that it shares. */
export function lengthOf({ log, logIndex, isRemoved }: FoundLog): number {
  const { topicCount, dataAt, dataEnd } = log;
  const tail = tailOf(isRemoved);
  return headOf(topicCount).length + 2 * (dataEnd - dataAt) + countDigits(logIndex) + tail.length;
}

/** The members that logs of a transaction share. */
function sharedOf(
  { header, transactionHash, transactionIndex }: FoundLog,
  showsBlockTimestamp: boolean,
): Buffer {
  const time = showsBlockTimestamp ? `"blockTimestamp":"${toQuantity(header.timestamp)}",` : "";
  return Buffer.from(
    `","blockNumber":"${toQuantity(header.number)}","transactionHash":"${transactionHash}","transactionIndex":"${toQuantity(transactionIndex)}","blockHash":"${header.hash}",${time}"logIndex":"0x`,
  );
}

/** By number of topics. */
const heads: Buffer[] = [];

/** The members up to the digits of the data, with zeros instead of other digits. */
export function headOf(topicCount: number): Buffer {
  heads[topicCount] ??= createHead(topicCount);
  return heads[topicCount];
}

function createHead(topicCount: number): Buffer {
  const address = "0".repeat(2 * ADDRESS_BYTES);
  const topic = `${BEFORE_TOPIC}${"0".repeat(2 * TOPIC_BYTES)}`;
  const topics = Array<string>(topicCount).fill(topic).join(BETWEEN_TOPICS);
  const end = topicCount === 0 ? BEFORE_DATA : `"${BEFORE_DATA}`;
  return Buffer.from(BEFORE_ADDRESS + address + BEFORE_TOPICS + topics + end);
}

/** The members after the digits of the index, and a comma. */
export function tailOf(isRemoved: boolean): Buffer {
  return isRemoved ? END_REMOVED : END;
}

export function countDigits(index: number): number {
  let count = 1;
  for (let rest = index; rest >= 16; rest /= 16) count += 1;
  return count;
}
