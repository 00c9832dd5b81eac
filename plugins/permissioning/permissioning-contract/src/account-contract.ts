import {
  type Hash,
  hexToBytes,
  InvalidBlock,
  type Logger,
  type SealedBlock,
  type SealedHeader,
  type Transaction,
  ZERO_ADDRESS,
} from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";
import { type Argument, encodeCall, word } from "./abi.js";
import type { RuleContract, Verdict } from "./rule-contract.js";

/** `transactionAllowed(address,address,uint256,uint256,uint256,bytes)`. */
const SELECTOR = hexToBytes("0x936421d5");

/** Number of parent blocks whose results are cached. */
const MAX_PARENTS = 4;

/**
 * Decides by a contract which transactions may be in blocks: a rule that all nodes of the network
 * share.
 */
export class AccountContract {
  readonly #contract: RuleContract;
  readonly #log: Logger;
  #isAbsenceKnown = false;
  /**
   * Cached verdicts on transactions, by parent block: a block is built, verified and built again.
   */
  readonly #verdicts = new LruMap<Hash, Map<Hash, Verdict>>({ max: MAX_PARENTS });

  constructor(contract: RuleContract, log: Logger) {
    this.#contract = contract;
    this.#log = log;
  }

  /** Whether a transaction may be in the block after a header. */
  async isAllowed(transaction: Transaction, parent: SealedHeader): Promise<boolean> {
    const known = this.#verdictsAfter(parent);
    const verdict =
      known.get(transaction.hash) ??
      (await this.#contract.ask(encodeQuestion(transaction), parent));
    known.set(transaction.hash, verdict);
    if (verdict === "absent") this.#warnOfAbsence();
    const isAllowed = verdict === "allowed" || verdict === "absent";
    if (!isAllowed) {
      const { hash, sender } = transaction;
      this.#log.debug(
        `${hash} of ${sender} is not allowed: the contract ${this.#contract.address} returned ${verdict}`,
      );
    }
    return isAllowed;
  }

  /** Throws `InvalidBlock` if a block has a transaction that is not allowed. */
  async verifyBlock({ body }: SealedBlock, parent: SealedHeader): Promise<void> {
    for (const transaction of body.transactions) {
      if (await this.isAllowed(transaction, parent)) continue;
      throw new InvalidBlock(
        "permissioning",
        `${transaction.hash} of ${transaction.sender} is not allowed by the contract ${this.#contract.address}`,
      );
    }
  }

  #verdictsAfter({ hash }: SealedHeader): Map<Hash, Verdict> {
    const known = this.#verdicts.peek(hash) ?? new Map<Hash, Verdict>();
    this.#verdicts.add(hash, known);
    return known;
  }

  #warnOfAbsence(): void {
    if (this.#isAbsenceKnown) return;
    this.#isAbsenceKnown = true;
    this.#log.warn(
      `there is no contract at ${this.#contract.address}: every transaction is allowed`,
    );
  }
}

function encodeQuestion(transaction: Transaction): Uint8Array {
  const { sender, to, value, gasPrice, maxFeePerGas, gasLimit, data } = transaction;
  const words = [BigInt(sender), BigInt(to ?? ZERO_ADDRESS), value, gasPrice ?? maxFeePerGas ?? 0n];
  const args: readonly Argument[] = [
    ...[...words, gasLimit].map((each) => ({ kind: "word", word: word(each) }) as const),
    { kind: "bytes", bytes: data },
  ];
  return encodeCall(SELECTOR, args);
}
