import type { Chain, Expected } from "./ots-expected.js";
import { type Question, UNKNOWN_TRANSACTION } from "./ots-questions.js";

/** Where the responses of Anvil are not what they should be. */
export interface Fault {
  readonly methods: readonly string[];
  /** What it does, and why that is wrong. */
  readonly reason: string;
  /** The response that would be right, from others of its responses. */
  right(response: unknown, question: Question, expected: Expected): unknown;
}

const BLOCK_METHODS = ["ots_getBlockDetails", "ots_getBlockDetailsByHash"];
const SEARCHES = ["ots_searchTransactionsBefore", "ots_searchTransactionsAfter"];

/** All faults of Anvil 1.7.1 that a comparison shows. */
export const FAULTS: readonly Fault[] = [
  {
    methods: [...BLOCK_METHODS, "ots_getBlockTransactions"],
    reason: "a block that does not exist is an error; the specification says null",
    right: (response) => (isFailure(response) ? null : response),
  },
  {
    methods: ["erigon_getHeaderByNumber"],
    reason: "the header has members of the block; the specification says that of a header",
    right: (response) => {
      if (typeof response !== "object" || response === null) return response;
      const { uncles: _, transactions: _2, withdrawals: _3, ...header } = Object(response);
      return header;
    },
  },
  {
    methods: BLOCK_METHODS,
    reason: "the block has its logs bloom; the specification says null",
    right: (response) => {
      const { block, ...rest } = Object(response);
      return { block: { ...block, logsBloom: null }, ...rest };
    },
  },
  {
    methods: ["ots_getBlockTransactions"],
    reason:
      "pages count from the start of the block, which specification and explorer count from its end, and `transactionCount` is that of the page, so that the explorer has one page only",
    right: (response, question, expected) =>
      isFailure(response) ? response : expected.blockPage(question),
  },
  {
    methods: ["ots_getBlockTransactions"],
    reason:
      "the block has its logs bloom, and receipts have logs, a logs bloom and a timestamp; the specification says null for all but the timestamp, which only searches have",
    right: (response) => {
      const { fullblock, receipts } = Object(response);
      return {
        fullblock: { ...fullblock, logsBloom: null },
        receipts: receipts.map(({ timestamp: _, ...rest }: Record<string, unknown>) => ({
          ...rest,
          ...{ logs: null, logsBloom: null },
        })),
      };
    },
  },
  {
    methods: ["ots_traceTransaction"],
    reason:
      "creations and self-destructs are missing, although its own callTracer has them; calls of precompiles and calls of more ether than there is are listed, which are no calls of a contract, and calls that transfer no value have one",
    right: (response, question, expected) =>
      isUnknown(question) ? response : expected.trace(question),
  },
  {
    methods: ["ots_getInternalOperations"],
    reason:
      "the transaction itself is listed, which is not internal; so is what was reverted or refused, where no ether moved; a self-destruct replaces the call or creation that led to it, and in a delegatecall names the wrong contract",
    right: (response, question, expected) =>
      isUnknown(question) ? response : expected.operations(question),
  },
  {
    methods: ["ots_traceTransaction"],
    reason: "the trace of a transaction that does not exist is empty, like that of a creation",
    right: (response, question) => (isUnknown(question) ? FAILURE : response),
  },
  {
    methods: ["ots_getTransactionError"],
    reason: "a transaction that does not exist has no error, like one that succeeded",
    right: (response, question) => (isUnknown(question) ? FAILURE : response),
  },
  {
    methods: SEARCHES,
    reason:
      "the transactions of a block are oldest first in searches after a block; heirs of self-destructs and holders of tokens find nothing; a call that was refused is found; a full page is never the last one, nor is one that starts at block 1",
    right: (_, question, expected) => expected.search(question),
  },
];

/** A response that is an error, whatever its message, which is different in every client. */
export const FAILURE = "an error";

/** The response of a chain. */
export async function ask({ rpc }: Chain, { method, params }: Question): Promise<unknown> {
  try {
    return await rpc(method, params);
  } catch (error) {
    // Only errors of the chain have a code.
    if (typeof Object(error).code !== "number") throw error;
    return FAILURE;
  }
}

function isFailure(response: unknown): boolean {
  return response === FAILURE;
}

function isUnknown({ about }: Question): boolean {
  return about === UNKNOWN_TRANSACTION;
}
