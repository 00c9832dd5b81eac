import type { Address } from "@plinth/core";

/** A call with the name of what it asks about. */
export interface Question {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly about: string;
}

/** A transaction or a block of a chain. */
export interface Named {
  readonly name: string;
  readonly hash: string;
}

/** What there is to ask about. */
export interface Subjects {
  readonly blocks: readonly Named[];
  readonly transactions: readonly Named[];
  readonly senders: readonly { readonly address: Address; readonly nonce: number }[];
  readonly addresses: Readonly<Record<string, Address>>;
  /** Whether searches start at every block, and with pages of another size. */
  readonly isLong: boolean;
}

interface Searched {
  readonly name: string;
  readonly address: Address;
  /** Where searches start. */
  readonly starts: readonly number[];
  readonly pageSizes: readonly number[];
}

/** What is asked about a hash that no transaction has. */
export const UNKNOWN_TRANSACTION = "an unknown transaction";
const UNKNOWN = `0x${"11".repeat(32)}`;
const PAGE_SIZE = 7;
const LARGE_PAGE = 25;

/** Calls of every method that Otterscan needs, for everything of a chain and for what it does not have. */
export function questionsAbout({
  blocks,
  transactions,
  senders,
  addresses,
  isLong,
}: Subjects): readonly Question[] {
  const numbers = [...blocks.keys()];
  const starts = isLong ? numbers : [0, 1, numbers.length - 2];
  const pageSizes = isLong ? [PAGE_SIZE, LARGE_PAGE] : [PAGE_SIZE];
  const unknown = { name: UNKNOWN_TRANSACTION, hash: UNKNOWN };
  return [
    { method: "ots_getApiLevel", params: [], about: "the node" },
    { method: "erigon_getHeaderByNumber", params: ["latest"], about: "the latest block" },
    { method: "ots_getBlockDetailsByHash", params: [UNKNOWN], about: "an unknown block" },
    ...blocks.map(({ name, hash }) => ({
      ...{ method: "ots_getBlockDetailsByHash", params: [hash], about: name },
    })),
    ...[...numbers, blocks.length].flatMap((number) => aboutBlock(number, pageSizes)),
    ...[...transactions, unknown].flatMap(aboutTransaction),
    ...senders.flatMap(aboutNonces),
    ...Object.entries(addresses).flatMap(([name, address]) =>
      aboutAddress({ name, address, starts, pageSizes }),
    ),
  ];
}

function aboutBlock(number: number, pageSizes: readonly number[]): readonly Question[] {
  const about = `block ${number}`;
  return [
    { method: "erigon_getHeaderByNumber", params: [number], about },
    { method: "ots_getBlockDetails", params: [number], about },
    ...[0, 1, 2, 5].flatMap((page) =>
      pageSizes.map((size) => ({
        ...{ method: "ots_getBlockTransactions", params: [number, page, size], about },
      })),
    ),
  ];
}

function aboutTransaction({ name, hash }: Named): readonly Question[] {
  return ["ots_getInternalOperations", "ots_traceTransaction", "ots_getTransactionError"].map(
    (method) => ({ method, params: [hash], about: name }),
  );
}

/** One more than there are. */
function aboutNonces({ address, nonce }: Subjects["senders"][number]): readonly Question[] {
  return Array.from({ length: nonce + 1 }, (_, each) => each).flatMap((each) => {
    const about = `nonce ${each}`;
    const quantity = `0x${each.toString(16)}`;
    return [
      { method: "ots_getTransactionBySenderAndNonce", params: [address, each], about },
      { method: "eth_getTransactionBySenderAndNonce", params: [address, quantity], about },
    ];
  });
}

function aboutAddress({ name: about, address, starts, pageSizes }: Searched): readonly Question[] {
  const searches = ["ots_searchTransactionsBefore", "ots_searchTransactionsAfter"];
  return [
    { method: "ots_getContractCreator", params: [address], about },
    ...[0, 1, "latest"].map((block) => ({
      ...{ method: "ots_hasCode", params: [address, block], about },
    })),
    ...searches.flatMap((method) =>
      starts.flatMap((start) =>
        pageSizes.map((size) => ({ method, params: [address, start, size], about })),
      ),
    ),
  ];
}
