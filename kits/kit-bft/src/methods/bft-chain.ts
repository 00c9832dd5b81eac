import {
  type Address,
  type Call,
  InvalidBlock,
  PlinthError,
  RpcError,
  type SealedHeader,
  type Service,
} from "@plinth/core";
import type { Authorities, StandingProposals } from "@plinth/kit-poa";

/** Where another engine takes over. */
export interface Successor {
  /** Its first block. */
  readonly block: bigint;
  /** The namespace of its methods. */
  readonly namespace: string;
}

/** The chain as its RPC methods use it. */
export interface BftChain {
  readonly proposals: StandingProposals;
  /** `undefined` if no other engine follows. */
  readonly successor?: Successor | undefined;
  /**
   * Whether a contract determines the validators of the block after a header, so that votes have no
   * effect.
   */
  isContract(header: SealedHeader): boolean;
  /** The validators reported to callers at a block. */
  validatorsAt(header: SealedHeader): readonly Address[] | Promise<readonly Address[]>;
  /** The validators of the block after a header. */
  validatorsAfter(header: SealedHeader): Promise<readonly Address[]>;
  /** The same by votes alone, as Besu counts: no transition replaces them. */
  votedAfter(header: SealedHeader): readonly Address[];
  /** The validators after a header by votes and transitions, and the votes that are counted. */
  countedAfter(header: SealedHeader): Authorities;
}

/** The context of handlers: plugins with these methods name the service of their engine `bft`. */
export type BftCall = Call<{ readonly bft: Service<BftChain> }>;

/** Responds with the reason if validators cannot be determined, as when their contract fails. */
export async function orUnknown<T>(validators: T | Promise<T>): Promise<T> {
  try {
    return await validators;
  } catch (error) {
    throw error instanceof InvalidBlock || isOverLimit(error)
      ? new RpcError(-32000, error.message)
      : error;
  }
}

/** Whether code was aborted because it took too long, or too much memory. */
export function isOverLimit(error: unknown): error is PlinthError {
  if (!(error instanceof PlinthError)) return false;
  return error.code === "RUN_TOO_LONG" || error.code === "RUN_TOO_LARGE";
}

/** Rejects a query about a block of the engine that follows. */
export function verifyEra({ successor }: BftChain, block: bigint): void {
  if (successor === undefined || block < successor.block) return;
  const { block: first, namespace } = successor;
  throw RpcError.invalidParams(
    `block ${block} belongs to ${namespace}, which produces the blocks from ${first} on: use the ${namespace} methods`,
  );
}
