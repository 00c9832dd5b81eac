import type { Address, Hash, Hex } from "@plinth/core";

/** The action of a frame: a call, a contract creation, or a self-destruct. */
export type FlatAction = CallAction | CreateAction | SuicideAction | RewardAction;

/** A call that was made. */
export interface CallAction {
  readonly callType: "call" | "callcode" | "delegatecall" | "staticcall";
  readonly from: Address;
  readonly gas: string;
  readonly input: Hex;
  readonly to: Address;
  readonly value: string;
}

/** A contract that was created. */
export interface CreateAction {
  readonly creationMethod?: "create" | "create2";
  readonly from: Address;
  readonly gas: string;
  readonly init: Hex;
  readonly value: string;
}

/** A contract that destroyed itself. */
export interface SuicideAction {
  readonly address: Address;
  readonly balance: string;
  readonly refundAddress: Address;
}

/** The reward for a block. */
export interface RewardAction {
  readonly author: Address;
  readonly rewardType: "block" | "uncle";
  readonly value: string;
}

/** The position of a trace. */
export interface TracePlace {
  readonly blockHash: Hash;
  readonly blockNumber: number;
  /** Null if it belongs to no transaction. */
  readonly transactionHash: Hash | null;
  readonly transactionPosition: number | null;
}

/** One frame of a transaction, as returned. */
export interface FlatTrace extends Partial<TracePlace> {
  readonly action: FlatAction;
  readonly result?: object | null;
  readonly error?: string;
  readonly revertReason?: Hex;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
  readonly type: "call" | "create" | "suicide" | "reward";
}

/** Adds the position of a trace, every member in its usual order. */
export function placed(trace: FlatTrace, place: TracePlace): FlatTrace {
  const { action, result, error, revertReason, subtraces, traceAddress, type } = trace;
  const { blockHash, blockNumber, transactionHash, transactionPosition } = place;
  return {
    action,
    blockHash,
    blockNumber,
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
    ...(revertReason === undefined ? {} : { revertReason }),
    subtraces,
    traceAddress,
    transactionHash,
    transactionPosition,
    type,
  };
}
