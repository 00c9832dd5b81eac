import type { Transaction } from "@plinth/core";
import { RejectedTransaction } from "@plinth/core";
import { matchesHashes, type Sidecar } from "@plinth/core/blocks";
import type { TransactionOrigin } from "@plinth/core/pool";
import { type AdmissionRules, verifyForm, verifyOffer } from "./admission.js";
import { hasPriority, nextPoint, type PoolContext } from "./pool-context.js";

/** A transaction submitted to the pool. */
export interface Applicant {
  readonly transaction: Transaction;
  readonly sidecar: Sidecar | undefined;
  readonly origin: TransactionOrigin;
}

/** EIP-1559: integer arithmetic keeps the base fee from falling below this many wei. */
const LEAST_BASE_FEE = 7n;
/** Maximum backlog of the blob proof verification. */
const MAX_CHECKS = 16;

/** Rejects transactions that no block could include, or that a plugin rejects. */
export class TransactionGate {
  readonly #context: PoolContext;
  readonly #isFree: boolean;
  #checks = 0;

  constructor(context: PoolContext) {
    const { blocks, forks } = context;
    this.#context = context;
    this.#isFree = blocks.findHeader(0n)?.baseFeePerGas === 0n || forks.rules.baseFee === "zero";
  }

  /**
   * Rejects with `RejectedTransaction` unless the transaction may enter, regardless of its sender's
   * account.
   *
   * Blob proofs are the most expensive check, and the last one of the transaction itself.
   */
  async verify(applicant: Applicant): Promise<void> {
    const { transaction } = applicant;
    const rules = this.#rulesFor(applicant);
    verifyOffer(transaction, rules);
    await this.#context.recovery.recoverArrived(transaction);
    verifyForm(transaction, rules);
    if (transaction.type === 3) await this.#verifyBlobs(applicant);
    await this.#askPlugins(applicant);
  }

  #rulesFor({ transaction, origin }: Applicant): AdmissionRules {
    const { settings, blocks, forks, chainId } = this.#context;
    const point = nextPoint(this.#context);
    const isLocal = origin === "local";
    const isPrior = hasPriority(transaction, origin, this.#context);
    return {
      chainId,
      fork: forks.at(point),
      blobs: forks.blobsAt(point),
      blockGasLimit: blocks.head().gasLimit,
      maxGas: blocks.maxTransactionGasAt(point),
      minFee: isPrior ? this.#leastFee() : settings.minGasPrice,
      maxFee: isLocal ? settings.feeCap : 0n,
      needsChainId: isLocal && settings.needsChainId,
    };
  }

  /** None if fees are zero from the beginning, and before London. */
  #leastFee(): bigint {
    const { baseFeePerGas } = this.#context.blocks.head();
    return baseFeePerGas === undefined || this.#isFree ? 0n : LEAST_BASE_FEE;
  }

  async #verifyBlobs({ transaction, sidecar }: Applicant): Promise<void> {
    const { blobProofs } = this.#context.forks.rulesAt(nextPoint(this.#context));
    const isWhole =
      sidecar !== undefined &&
      sidecar.proofsOf === blobProofs &&
      matchesHashes(sidecar, transaction.blobVersionedHashes);
    if (isWhole && (await this.#check(sidecar))) return;
    throw new RejectedTransaction("invalid-blobs", "blobs failed kzg validation");
  }

  async #check(sidecar: Sidecar): Promise<boolean> {
    const verifier = this.#context.findProofVerifier();
    if (verifier === undefined) {
      const message = "blob transactions are not accepted: no loaded plugin verifies their proofs";
      throw new RejectedTransaction("refused", message);
    }
    if (this.#checks >= MAX_CHECKS) {
      throw new RejectedTransaction("pool-full", "Transaction pool is full");
    }
    this.#checks += 1;
    try {
      return await verifier.verify(sidecar);
    } finally {
      this.#checks -= 1;
    }
  }

  async #askPlugins({ transaction, origin }: Applicant): Promise<void> {
    const { admit } = this.#context.hooks;
    if (!admit.isUsed()) return;
    const refusal = await admit.call({ transaction, sender: transaction.sender, origin });
    if (refusal === undefined) return;
    const { message, isUnauthorized = false } = refusal;
    throw new RejectedTransaction(isUnauthorized ? "sender-not-authorized" : "refused", message);
  }
}
