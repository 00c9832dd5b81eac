import {
  type Address,
  type Call,
  InvalidBlock,
  PlinthError,
  RpcError,
  type SealedHeader,
  type Service,
} from "@plinth/core";
import type { StandingProposals } from "@plinth/kit-poa";

/** Where another engine takes over. */
export interface Successor {
  /** Its first block. */
  readonly block: bigint;
  /** The namespace of its methods. */
  readonly namespace: string;
}

/** What the methods ask a chain of validators. */
export interface BftChain {
  readonly proposals: StandingProposals;
  /** `undefined` where no other engine follows. */
  readonly successor?: Successor | undefined;
  /** Whether a contract names the validators of the block after a header, so that votes mean nothing. */
  isContract(header: SealedHeader): boolean;
  /** The validators that callers see at a block. */
  validatorsAt(header: SealedHeader): readonly Address[] | Promise<readonly Address[]>;
  /** Who may propose and seal the block after a header. */
  validatorsAfter(header: SealedHeader): Promise<readonly Address[]>;
  /** The same by votes alone, as Besu counts: no transition replaces them. */
  votedAfter(header: SealedHeader): readonly Address[];
}

/** What handlers receive: plugins with these methods name the service of their engine `bft`. */
export type BftCall = Call<{ readonly bft: Service<BftChain> }>;

/** Answers with the reason where validators cannot be found, as when the contract that names them fails. */
export async function orUnknown<T>(validators: T | Promise<T>): Promise<T> {
  try {
    return await validators;
  } catch (error) {
    throw error instanceof InvalidBlock || isOverLimit(error)
      ? new RpcError(-32000, error.message)
      : error;
  }
}

/** Whether code was broken off because it took too long, or too much memory. */
export function isOverLimit(error: unknown): error is PlinthError {
  if (!(error instanceof PlinthError)) return false;
  return error.code === "RUN_TOO_LONG" || error.code === "RUN_TOO_LARGE";
}

/** Rejects a question about a block of the engine that follows. */
export function verifyEra({ successor }: BftChain, block: bigint): void {
  if (successor === undefined || block < successor.block) return;
  const { block: first, namespace } = successor;
  throw RpcError.invalidParams(
    `block ${block} is one of ${namespace}, which makes the blocks from ${first} on: use the ${namespace} methods`,
  );
}
