import type { Transaction } from "../blocks/transaction.js";
import type { HookFactory } from "../kernel/hooks.js";
import type { Address } from "../primitives/hex.js";
import type { RejectionReason } from "./errors.js";
import type { Departure } from "./explanation.js";
import type { TransactionOrigin } from "./pool.js";

/** A transaction with a valid signature and form. */
export interface AdmitEvent {
  readonly transaction: Transaction;
  readonly sender: Address;
  readonly origin: TransactionOrigin;
}

/** Why a plugin rejects a transaction from the pool. */
export interface Refusal {
  /** The message for the sender. */
  readonly message: string;
  /** The sender may not send at all, whatever the transaction. */
  readonly isUnauthorized?: boolean;
}

/** A rejected transaction. */
export interface RejectedEvent {
  readonly reason: RejectionReason;
  readonly origin: TransactionOrigin;
}

/** A transaction that left without being mined. */
export interface DroppedEvent {
  readonly transaction: Transaction;
  readonly reason: Departure;
}

/** Hooks of the pool. */
export function createPoolHooks(hook: HookFactory) {
  return {
    admit: hook.decide<AdmitEvent, Refusal>(
      "pool.admit",
      {
        since: "0.1.0",
        summary:
          "A transaction is well formed and signed, its nonce and balance are not checked yet: return why it is rejected.",
      },
      { isRight: isRefusal, text: "an object with a message" },
    ),
    added: hook.notify<{ readonly transaction: Transaction; readonly origin: TransactionOrigin }>(
      "pool.added",
      { since: "0.1.0", summary: "A transaction was added to the pool." },
    ),
    rejected: hook.notify<RejectedEvent>("pool.rejected", {
      since: "0.1.0",
      summary: "A decodable transaction was rejected by the pool.",
    }),
    dropped: hook.notify<DroppedEvent>("pool.dropped", {
      since: "0.1.0",
      summary: "A transaction left the pool without being mined, for the reason given.",
    }),
  };
}

function isRefusal(answer: unknown): boolean {
  return typeof Object(answer).message === "string";
}

/** Hooks of the pool, as held by their owner. */
export type PoolHooks = ReturnType<typeof createPoolHooks>;
