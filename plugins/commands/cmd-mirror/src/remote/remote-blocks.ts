import {
  type Block,
  type Header,
  InvalidBlock,
  InvalidTransaction,
  type Receipt,
  RlpError,
  type SealedBlock,
  type SealedHeader,
  t,
  toQuantity,
  type ValueOf,
} from "@plinth/core";
import { blockSize, receiptsRoot } from "@plinth/core/blocks";
import { verifyBodyInTurns } from "@plinth/core/rules";
import {
  decodeSent,
  headerMembers,
  type Remote,
  RemoteInconsistent,
  toHeader,
} from "@plinth/plugin-dev-fork/api";
import { receiptForm, toReceipt } from "./receipt-json.js";
import { toTransaction, transactionForm } from "./transaction-json.js";

/** A block of the network, consistent in itself. */
export interface NetworkBlock {
  readonly block: SealedBlock;
  readonly receipts: readonly Receipt[];
  /** Of its encoding. */
  readonly bytes: number;
}

const uncleForm = t.object(headerMembers);
const blockForm = t.object({
  ...headerMembers,
  hash: t.hash,
  transactions: t.array(transactionForm),
  uncles: t.array(t.hash),
  withdrawals: t.optional(
    t.array(t.object({ index: t.wei, validatorIndex: t.wei, address: t.address, amount: t.wei })),
  ),
});
const receiptForms = t.array(receiptForm);

type BlockJson = ValueOf<typeof blockForm>;
type ReceiptJson = ValueOf<typeof receiptForm>;

/** Of a block of any network; each is a call. */
const MAX_UNCLES = 2;

/** Reads blocks with their receipts from a node, by the methods of the API ETH alone. */
export class RemoteBlocks {
  readonly #remote: Remote;
  readonly #seal: (header: Header) => SealedHeader;
  readonly #signal: AbortSignal;

  /** `seal` computes hashes as the engine of the network does. */
  constructor(remote: Remote, seal: (header: Header) => SealedHeader, signal: AbortSignal) {
    this.#remote = remote;
    this.#seal = seal;
    this.#signal = signal;
  }

  /** Consecutive blocks, in one request; fewer if the node does not deliver so many. Rejects if the first one is inconsistent. */
  async read(from: bigint, count: number): Promise<readonly NetworkBlock[]> {
    const ids = Array.from({ length: count }, (_, index) => toQuantity(from + BigInt(index)));
    const results = await this.#remote.callAll(
      ids.flatMap((id) => [
        { method: "eth_getBlockByNumber", params: [id, true] },
        { method: "eth_getBlockReceipts", params: [id] },
      ]),
      this.#signal,
    );
    const blocks: NetworkBlock[] = [];
    for (let index = 0; index < count; index++) {
      const [block, receipts] = results.slice(2 * index);
      if (block === null) break;
      try {
        const decoded = await this.#decode(from + BigInt(index), block, receipts);
        if (decoded === undefined) break;
        blocks.push(decoded);
      } catch (error) {
        // Read again, and reported, once the blocks before it are executed.
        if (error instanceof RemoteInconsistent && blocks.length > 0) break;
        throw error;
      }
    }
    return blocks;
  }

  /** `undefined` if the block was replaced meanwhile. */
  async #decode(
    number: bigint,
    block: unknown,
    receipts: unknown,
  ): Promise<NetworkBlock | undefined> {
    const json = decodeSent(this.#remote, blockForm, `block ${number}`, block);
    if (json.number !== number) throw this.#fault(`for block ${number} it sends ${json.number}`);
    // The calls of a batch are not one read: the block may have been replaced in between.
    const found = this.#findReceipts(json, receipts) ?? (await this.#readReceipts(json));
    if (found === undefined) return undefined;
    const complete = await this.#complete(json);
    return { block: complete, receipts: found, bytes: blockSize(complete) };
  }

  async #complete(json: BlockJson): Promise<SealedBlock> {
    const { number, hash } = json;
    const header = this.#toHeader(json);
    if (header.hash !== hash) {
      throw this.#fault(
        `the header that it sends for block ${number} has the hash ${header.hash}, not ${hash}`,
      );
    }
    const transactions = json.transactions.map((each) => this.#toTransaction(each, number));
    const uncles = await this.#readUncles(json);
    const withdrawals = json.withdrawals?.map(({ amount, ...each }) => ({
      ...each,
      amountGwei: amount,
    }));
    const body = { transactions, uncles, ...(withdrawals !== undefined && { withdrawals }) };
    await this.#verifyBody({ header, body });
    return { header, body };
  }

  #toHeader(json: BlockJson): SealedHeader {
    try {
      return this.#seal(toHeader(json));
    } catch (error) {
      if (!(error instanceof InvalidBlock || error instanceof RlpError)) throw error;
      throw this.#fault(
        `the header that it sends for block ${json.number} has no hash: ${error.message}`,
      );
    }
  }

  #toTransaction(json: BlockJson["transactions"][number], number: bigint) {
    try {
      const transaction = toTransaction(json);
      if (transaction.hash === json.hash) return transaction;
      throw this.#fault(
        `the transaction ${json.hash} that it sends in block ${number} has the hash ${transaction.hash}`,
      );
    } catch (error) {
      if (!(error instanceof InvalidTransaction || error instanceof RlpError)) throw error;
      throw this.#fault(
        `the transaction ${json.hash} that it sends in block ${number} cannot be decoded: ${error.message}`,
      );
    }
  }

  async #readUncles({ hash, number, uncles }: BlockJson): Promise<readonly Header[]> {
    if (uncles.length > MAX_UNCLES) {
      throw this.#fault(`block ${number} that it sends has ${uncles.length} uncles`);
    }
    const results = await this.#remote.callAll(
      uncles.map((_, index) => ({
        method: "eth_getUncleByBlockHashAndIndex",
        params: [hash, toQuantity(BigInt(index))],
      })),
      this.#signal,
    );
    return results.map((json) =>
      toHeader(decodeSent(this.#remote, uncleForm, `uncle of block ${number}`, json)),
    );
  }

  async #verifyBody(block: Block): Promise<void> {
    try {
      await verifyBodyInTurns(block);
    } catch (error) {
      if (!(error instanceof InvalidBlock)) throw error;
      throw this.#fault(`its ${error.message}`);
    }
  }

  /** `undefined` if they are not those of the header. */
  #findReceipts(json: BlockJson, sent: unknown): readonly Receipt[] | undefined {
    if (sent === null) return undefined;
    const name = `receipts of block ${json.number}`;
    const forms: readonly ReceiptJson[] = decodeSent(this.#remote, receiptForms, name, sent);
    if (forms.length !== json.transactions.length) return undefined;
    const receipts = forms.flatMap((form, index) => {
      const transaction = json.transactions[index];
      const isSame = transaction?.hash === form.transactionHash;
      return isSame ? [toReceipt(form, Number(transaction.type) as 0)] : [];
    });
    return receiptsRoot(receipts) === json.receiptsRoot ? receipts : undefined;
  }

  async #readReceipts(json: BlockJson): Promise<readonly Receipt[] | undefined> {
    const { hash, number } = json;
    const sent = await this.#remote.call("eth_getBlockReceipts", [hash], this.#signal);
    if (sent === null) return undefined;
    const found = this.#findReceipts(json, sent);
    if (found !== undefined) return found;
    throw this.#fault(
      `the receipts that it sends for block ${number} (${hash}) do not have the root ${json.receiptsRoot} of its header`,
    );
  }

  #fault(problem: string): RemoteInconsistent {
    return new RemoteInconsistent(this.#remote.name, problem);
  }
}
