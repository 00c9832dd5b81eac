import { defineContributionPoint } from "../../kernel/contributions.js";
import { PlinthError } from "../../kernel/errors.js";
import type { Address, Hash } from "../../primitives/hex.js";

/** A value of a state that is not here: an account, or a slot of its storage. */
export interface MissingValue {
  readonly address: Address;
  readonly slot?: Hash;
}

/** The call or transaction that was running when values were missing. */
export interface MissingRun {
  readonly from: Address;
  /** Creates a contract if omitted. */
  readonly to?: Address | undefined;
  readonly data: Uint8Array;
  readonly value: bigint;
}

/**
 * Values of the state were read that are not here.
 *
 * What was running has no effect, and runs again once they are fetched.
 */
export class StateMissing extends PlinthError {
  readonly values: readonly MissingValue[];
  readonly run: MissingRun | undefined;

  constructor(values: readonly MissingValue[], run?: MissingRun) {
    super("STATE_MISSING", { message: `the state has no value of ${describe(values)} yet` });
    this.values = values;
    this.run = run;
  }
}

/** Values of the state are not here, and cannot be fetched. */
export class StateUnavailable extends PlinthError {
  constructor(values: readonly MissingValue[], problem: string, cause?: unknown) {
    super("STATE_UNAVAILABLE", { message: `${describe(values)}: ${problem}`, cause });
  }
}

/** An account at the origin of a state, without its storage. */
export interface OriginAccount {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly code: Uint8Array;
}

/** Values that were fetched. */
export interface FetchedValues {
  readonly accounts: readonly {
    readonly address: Address;
    /** `undefined` if there is none. */
    readonly account: OriginAccount | undefined;
  }[];
  readonly slots: readonly {
    readonly address: Address;
    readonly slot: Hash;
    readonly value: bigint;
  }[];
}

/** Fetches the values of a state that is somewhere else. */
export interface StateOrigin {
  /** The missing values, and others if they are likely to be read next; rejects with the reason. */
  fetch(missing: Pick<StateMissing, "values" | "run">): Promise<FetchedValues>;
}

/** The contribution point of origins; the first one is used, on a chain that was joined without its state. */
export const stateOrigins = defineContributionPoint<StateOrigin>("chain.origin", {
  summary: "Fetches values of a state that is somewhere else.",
});

function describe(values: readonly MissingValue[]): string {
  const [first] = values;
  const name =
    first?.slot === undefined
      ? `account ${first?.address}`
      : `slot ${first.slot} of ${first.address}`;
  return values.length > 1 ? `${name} and ${values.length - 1} others` : name;
}
