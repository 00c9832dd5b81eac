import { EnclaveError } from "./errors.js";
import { findText, type JsonObject, readText } from "./json-body.js";
import { readHash, readNumber, type StateQuestion } from "./state-question.js";

/** The report of a node about a block of a group. */
export interface StateOfBlock {
  /** Decimal text. */
  readonly number: string;
  /** Of the private state, as hex with 0x. */
  readonly root: string;
  readonly transactions: number;
}

/** The report of a member's node about the blocks of a group, in order. */
export type StateAnswer =
  | {
      /** At most 1,000. */
      readonly blocks: readonly StateOfBlock[];
      /** The start of the next page; omitted after the last. */
      readonly next?: string;
    }
  | { readonly problem: string };

/** The result of a question, for one key of a group. */
export type MemberAnswer = {
  readonly key: string;
  /** The address of its manager, if known. */
  readonly url?: string;
} & ({ readonly answer: StateAnswer } | { readonly problem: string });

/** Blocks of one page. */
export const MAX_STATE_BLOCKS = 1000;
/** Maximum size of such a page as JSON, each block of which takes at most 140 bytes. */
export const MAX_STATE_BYTES = 192 * 1024;
const MAX_PROBLEM = 500;

/**
 * Decodes the response of a node or another manager to a question.
 *
 * Its blocks are the requested ones, in order, and the next page is after this one: a reader always
 * terminates.
 */
export function readStateAnswer(json: JsonObject, question: StateQuestion): StateAnswer {
  const problem = findText(json, "problem");
  if (problem !== undefined) return { problem: problem.slice(0, MAX_PROBLEM) };
  const { blocks } = json;
  if (!Array.isArray(blocks) || blocks.length > MAX_STATE_BLOCKS) {
    throw new EnclaveError(400, `blocks: expected a list of at most ${MAX_STATE_BLOCKS}`);
  }
  const end = BigInt(question.to);
  let least = BigInt(question.from);
  const verifyPlace = (text: string, name: string) => {
    const number = BigInt(text);
    if (number < least || number > end) {
      throw new EnclaveError(400, `${name}: expected one of the remaining blocks`);
    }
    return number;
  };
  const read = blocks.map((block: unknown) => {
    const found = readBlock(block);
    least = verifyPlace(found.number, "number") + 1n;
    return found;
  });
  const next = findText(json, "next");
  if (next === undefined) return { blocks: read };
  const isFirst = BigInt(readNumber(next, "next")) === BigInt(question.from);
  if (isFirst) throw new EnclaveError(400, "next: expected a block after the first");
  verifyPlace(next, "next");
  return { blocks: read, next };
}

/** Decodes the result of a question for one key; `asked` is the question. */
export function readMemberAnswer(json: JsonObject, asked: StateQuestion): MemberAnswer {
  const url = findText(json, "url");
  const member = { key: readText(json, "key"), ...(url === undefined ? {} : { url }) };
  const problem = findText(json, "problem");
  if (problem !== undefined) return { ...member, problem };
  return { ...member, answer: readStateAnswer(asObject(json.answer, "answer"), asked) };
}

function readBlock(value: unknown): StateOfBlock {
  const block = asObject(value, "blocks");
  const { transactions } = block;
  if (typeof transactions !== "number" || !Number.isSafeInteger(transactions) || transactions < 0) {
    throw new EnclaveError(400, "transactions: expected a count");
  }
  return {
    number: readNumber(readText(block, "number"), "number"),
    root: readHash(readText(block, "root"), "root"),
    transactions,
  };
}

function asObject(value: unknown, name: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw new EnclaveError(400, `${name}: expected objects`);
}
