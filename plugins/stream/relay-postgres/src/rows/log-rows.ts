import type { SealedBlock } from "@plinth/core";
import type { DecodedEvent, EventBook } from "../abi/event-book.js";
import type { Row, Value } from "../database/database.js";
import { type ReceiptedBlock, type Rows, rowsOfBlock } from "./block-rows.js";
import { transfersOf } from "./token-transfers.js";
import { bytesValue } from "./values.js";

/** The rows of a block, with what its logs mean. */
export function rowsWithEvents(received: ReceiptedBlock, book: EventBook): Rows {
  const events: Row[] = [];
  const transfers: Row[] = [];
  for (const { place, log } of logsOf(received)) {
    const [number = null, index = null, hash = null, address = null] = place;
    const event = book.decode(log);
    if (event !== undefined) events.push(eventRow(place, event));
    for (const [batchIndex, values] of transfersOf(log).entries()) {
      transfers.push([number, index, String(batchIndex), hash, address, ...values]);
    }
  }
  return { ...rowsOfBlock(received), events, token_transfers: transfers };
}

/** The row of an event; its place is that of the log: block number, index, transaction hash and address. */
export function eventRow(place: readonly Value[], event: DecodedEvent): Row {
  const { contract, name, signature, json } = event;
  return [...place, contract, name, signature, json];
}

function* logsOf({ block, receipts }: ReceiptedBlock) {
  const number = String(block.header.number);
  let index = 0;
  for (const [position, receipt] of receipts.entries()) {
    for (const log of receipt.logs) {
      const hash = hashAt(block, position);
      yield { log, place: [number, String(index), hash, bytesValue(log.address)] };
      index += 1;
    }
  }
}

function hashAt({ body }: SealedBlock, position: number): Value {
  const transaction = body.transactions[position];
  return transaction === undefined ? null : bytesValue(transaction.hash);
}
