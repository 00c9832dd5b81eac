import type { Address } from "@plinth/core";
import type { Question } from "./ots-questions.js";

/** A chain that is asked. */
export interface Chain {
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
}

interface Frame {
  readonly type: string;
  readonly from: Address;
  readonly to?: Address;
  readonly value?: string;
  readonly input: string;
  readonly output?: string;
  readonly error?: string;
  readonly calls?: readonly Frame[];
}

interface Operation {
  readonly type: number;
  readonly to: Address;
}

/** As `ots_traceTransaction` lists it. */
interface Call {
  readonly type: string;
  readonly from: Address;
  readonly to: Address | undefined;
  readonly value: string | null;
}

interface Listed {
  readonly call: Call;
  readonly depth: number;
  readonly isUndone: boolean;
}

interface Entry {
  readonly number: number;
  readonly tx: object;
  readonly receipt: object;
  readonly parties: ReadonlySet<string>;
}

const OPERATIONS = ["CALL", "SELFDESTRUCT", "CREATE", "CREATE2"];
/** The code of the called contract runs in place of the caller's. */
const LENDING = ["DELEGATECALL", "CALLCODE"];
const WITHOUT_VALUE = ["DELEGATECALL", "STATICCALL"];
/** `Transfer(address,address,uint256)` */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** The error of the chain for a call of more than the caller has, which is not made. */
const REFUSED = "insufficient balance for transfer";
const LAST_PRECOMPILE = 0x11n;
const NO_PRECOMPILE = "0x0";

/** What the methods of Otterscan return according to other methods of the same chain. */
export class Expected {
  readonly #chain: Chain;
  readonly #entries: readonly Entry[];

  private constructor(chain: Chain, entries: readonly Entry[]) {
    this.#chain = chain;
    this.#entries = entries;
  }

  /** Reads all blocks of a chain. */
  static async read(chain: Chain): Promise<Expected> {
    const head = Number(await chain.rpc("eth_blockNumber"));
    const entries: Entry[] = [];
    for (let number = 0; number <= head; number++) {
      const block = Object(
        await chain.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, true]),
      );
      for (const tx of block.transactions) {
        const receipt = Object(await chain.rpc("eth_getTransactionReceipt", [tx.hash]));
        const parties = new Set([
          ...holdersIn(receipt),
          ...(await listOf(chain, tx.hash)).flatMap(calledIn),
        ]);
        entries.push({
          number,
          tx,
          receipt: { ...receipt, timestamp: Number(block.timestamp) },
          parties,
        });
      }
    }
    return new Expected(chain, entries);
  }

  /** The result of `ots_traceTransaction`. */
  async trace({ params: [hash] }: Question): Promise<unknown> {
    const list = await listOf(this.#chain, hash);
    const known = list.map(({ call: { to } }) => to);
    const operations = Object(await this.#chain.rpc("ots_getInternalOperations", [hash]));
    // The trace of calls does not name a contract whose creation failed; this is the only one of a transaction.
    const failed = operations.find((each: Operation) => each.type > 1 && !known.includes(each.to));
    return list
      .filter((each) => !isPrecompiled(each))
      .map(({ call }) => ({ ...call, to: call.to ?? failed?.to ?? null }));
  }

  /** The result of `ots_getInternalOperations`. */
  async operations({ params: [hash] }: Question): Promise<unknown> {
    const list = await listOf(this.#chain, hash);
    return list.filter(isOperation).map(({ call: { type, from, to, value } }) => {
      return { type: OPERATIONS.indexOf(type), from, to, value };
    });
  }

  /** The result of a search: whole blocks until the page is full, newest first. */
  search({ method, params: [address, block, size] }: Question): unknown {
    const isBefore = method === "ots_searchTransactionsBefore";
    const start = Number(block);
    const isInRange = ({ number }: Entry) =>
      isBefore ? start === 0 || number < start : number > start;
    const all = this.#entries.filter(
      (each) => each.parties.has(String(address).toLowerCase()) && isInRange(each),
    );
    const ordered = isBefore ? all.toReversed() : all;
    const last = ordered[Number(size) - 1]?.number;
    const end =
      last === undefined
        ? ordered.length
        : ordered.findLastIndex(({ number }) => number === last) + 1;
    const page = ordered.slice(0, end);
    const newestFirst = isBefore ? page : page.toReversed();
    const isAll = end === ordered.length;
    return {
      txs: newestFirst.map(({ tx }) => tx),
      receipts: newestFirst.map(({ receipt }) => receipt),
      firstPage: isBefore ? start === 0 : isAll,
      lastPage: isBefore ? isAll : start === 0,
    };
  }

  /** The result of `ots_getBlockTransactions`: pages from the end of the block. */
  async blockPage({ params: [block, page, size] }: Question): Promise<unknown> {
    const all = Object(await this.#chain.rpc("ots_getBlockTransactions", [block, 0, 100]));
    const { fullblock, receipts } = all;
    const end = Math.max(0, fullblock.transactions.length - Number(page) * Number(size));
    const start = Math.max(0, end - Number(size));
    return {
      fullblock: { ...fullblock, transactions: fullblock.transactions.slice(start, end) },
      receipts: receipts.slice(start, end),
    };
  }
}

/** The calls of a transaction that were made, in order. */
async function listOf({ rpc }: Chain, hash: unknown): Promise<readonly Listed[]> {
  const frame = (await rpc("debug_traceTransaction", [hash, { tracer: "callTracer" }])) as Frame;
  return flatten(frame, { depth: 0, isUndone: false, caller: frame.from });
}

interface Place {
  readonly depth: number;
  readonly isUndone: boolean;
  /** The contract whose code makes the call, the sender for that of the transaction. */
  readonly caller: Address;
}

function flatten(frame: Frame, { depth, caller, ...place }: Place): readonly Listed[] {
  if (frame.error === REFUSED) return [];
  const isUndone = place.isUndone || frame.error !== undefined;
  const { type, to, value = null, input, output = "0x" } = frame;
  // That of a self-destruct in favour of the contract itself is wrong.
  const from = type === "SELFDESTRUCT" ? caller : frame.from;
  const call = {
    ...{ type, depth, from, to, value: WITHOUT_VALUE.includes(type) ? null : value },
    ...{ input, output },
  };
  const inside = LENDING.includes(type) ? from : (to ?? from);
  const inner = (frame.calls ?? []).flatMap((each) =>
    flatten(each, { depth: depth + 1, isUndone, caller: inside }),
  );
  return [{ call, depth, isUndone }, ...inner];
}

function isPrecompiled({ call: { to = NO_PRECOMPILE }, depth }: Listed): boolean {
  return depth > 0 && BigInt(to) <= LAST_PRECOMPILE && BigInt(to) > 0n;
}

function isOperation({ call: { type, value }, depth, isUndone }: Listed): boolean {
  const isTransfer = BigInt(value ?? 0) > 0n;
  return depth > 0 && !isUndone && OPERATIONS.includes(type) && (type !== "CALL" || isTransfer);
}

/** Creations that fail create nothing, and a self-destruct that is reverted has no heir. */
function calledIn(listed: Listed): readonly string[] {
  const { call, isUndone } = listed;
  if (isPrecompiled(listed)) return [];
  const isGone = isUndone && ["CREATE", "CREATE2", "SELFDESTRUCT"].includes(call.type);
  return isGone || call.to === undefined ? [call.from] : [call.from, call.to];
}

/** Senders and recipients of tokens. */
function holdersIn(receipt: object): readonly string[] {
  const { logs } = Object(receipt);
  return (logs as readonly { readonly topics: readonly string[] }[])
    .filter(({ topics: [event = ""] }) => event === TRANSFER)
    .flatMap(({ topics }) => topics.slice(1, 3).map((topic) => `0x${topic.slice(26)}`));
}
