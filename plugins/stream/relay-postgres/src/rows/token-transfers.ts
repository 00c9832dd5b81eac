import { type Address, type Hash, type Log, toHex } from "@plinth/core";
import type { Value } from "../database/database.js";
import { bytesValue } from "./values.js";

/** ERC-20 and ERC-721: Transfer(address,address,uint256) */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** ERC-1155: TransferSingle(address,address,address,uint256,uint256) */
const SINGLE = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
/** ERC-1155: TransferBatch(address,address,address,uint256[],uint256[]) */
const BATCH = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";

const WORD = 32;
const PADDING = `0x${"0".repeat(24)}`;
const ADDRESS_DIGITS = 40;

/** The values of a transfer from the column `standard` on. */
export type TransferValues = readonly Value[];

/** The transfers of tokens that a log reports; none if its form is that of no standard. */
export function transfersOf({ topics, data }: Log): readonly TransferValues[] {
  const [event, first, second, third] = topics;
  if (event === TRANSFER) {
    const parties = partiesOf(first, second);
    if (parties === undefined) return [];
    if (third === undefined) {
      return data.length === WORD ? [["ERC-20", null, ...parties, null, numberAt(data, 0)]] : [];
    }
    return data.length === 0 ? [["ERC-721", null, ...parties, numberOf(third), "1"]] : [];
  }
  if (event !== SINGLE && event !== BATCH) return [];
  const operator = addressOf(first);
  const parties = partiesOf(second, third);
  if (operator === undefined || parties === undefined) return [];
  const values = event === SINGLE ? singleValues(data) : batchValues(data);
  return values.map((each) => ["ERC-1155", operator, ...parties, ...each]);
}

/** The id and the amount. */
type TokenValues = readonly [id: string, value: string];

function singleValues(data: Uint8Array): readonly TokenValues[] {
  return data.length === 2 * WORD ? [[numberAt(data, 0), numberAt(data, WORD)]] : [];
}

/** Two lists of the same length; none if they are not. */
function batchValues(data: Uint8Array): readonly TokenValues[] {
  const ids = listAt(data, 0);
  const values = listAt(data, WORD);
  if (ids === undefined || values?.length !== ids.length) return [];
  return ids.map((id, index): TokenValues => [id, values[index] ?? "0"]);
}

/** The list whose offset is at a place; its length is bounded by the data. */
function listAt(data: Uint8Array, at: number): readonly string[] | undefined {
  const offset = smallNumberAt(data, at);
  const length = offset === undefined ? undefined : smallNumberAt(data, offset);
  if (offset === undefined || length === undefined) return undefined;
  const start = offset + WORD;
  if (start + length * WORD > data.length) return undefined;
  return Array.from({ length }, (_, index) => numberAt(data, start + index * WORD));
}

/** A number that does not exceed the data. */
function smallNumberAt(data: Uint8Array, at: number): number | undefined {
  if (at + WORD > data.length) return undefined;
  const number = BigInt(toHex(data.subarray(at, at + WORD)));
  return number > BigInt(data.length) ? undefined : Number(number);
}

function numberAt(data: Uint8Array, at: number): string {
  return String(BigInt(toHex(data.subarray(at, at + WORD))));
}

function numberOf(topic: Hash): string {
  return String(BigInt(topic));
}

function partiesOf(
  from: Hash | undefined,
  to: Hash | undefined,
): readonly [string, string] | undefined {
  const [sender, recipient] = [addressOf(from), addressOf(to)];
  return sender === undefined || recipient === undefined ? undefined : [sender, recipient];
}

/** `undefined` if the topic is no address: any contract can emit such an event. */
function addressOf(topic: Hash | undefined): string | undefined {
  if (!topic?.startsWith(PADDING)) return undefined;
  const address: Address = `0x${topic.slice(-ADDRESS_DIGITS)}`;
  return bytesValue(address);
}
