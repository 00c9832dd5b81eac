import type { Address } from "@plinth/core";
import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";

/** The description of the authorities in a genesis file. */
export interface ListedAuthorities {
  readonly members: readonly Address[];
  /** The engine's name for them: validators, signers. */
  readonly noun: string;
  readonly mustAgree: number;
  /** How many may be malicious; by default the same as may be down. */
  readonly mayLie?: number;
}

const KEY = "extraData";
const ZERO: Address = `0x${"00".repeat(20)}`;

/** Whether the authorities can produce blocks, and how many of them may fail. */
export function checkAuthorities(listed: ListedAuthorities): readonly GenesisFinding[] {
  const { members, noun } = listed;
  const distinct = new Set(members);
  if (members.length === 0) {
    return [
      {
        severity: "warning",
        key: KEY,
        problem: `lists no ${noun}: no block can be produced`,
        fix: `add the addresses of the first ${noun}`,
      },
    ];
  }
  return [
    ...(distinct.size < members.length ? [listedTwice(members, noun)] : []),
    ...(distinct.has(ZERO) ? [listsZero(noun)] : []),
    describeTolerance(listed),
  ];
}

/** If gas is not free and there are no rewards, an account must have ether from the beginning. */
export function checkFunds(
  { accounts, baseFee, forks }: GenesisFacts,
  { hasReward }: { readonly hasReward: boolean },
): readonly GenesisFinding[] {
  const hasBaseFee = baseFee !== "zero" && forks.isActive("london", FAR_AWAY);
  if (!hasBaseFee || accounts.hasFunds || hasReward) return [];
  return [
    {
      severity: "warning",
      key: "alloc",
      problem: "gives ether to no account, and gas is not free: no transaction can be paid for",
      fix: "give an account a balance, or set config.zeroBaseFee to true, before the network starts",
    },
  ];
}

/** A block after every fork. */
const FAR_AWAY = { number: 2n ** 64n - 1n, timestamp: 2n ** 64n - 1n };

function listedTwice(members: readonly Address[], noun: string): GenesisFinding {
  const twice = members.find((each, index) => members.indexOf(each) < index);
  return {
    severity: "warning",
    key: KEY,
    problem: `lists ${twice} twice: ${noun} count once`,
    fix: "list each of them once, before the network starts",
  };
}

function listsZero(noun: string): GenesisFinding {
  return {
    severity: "warning",
    key: KEY,
    problem: `lists the zero address among the ${noun}, but no node has its key`,
    fix: "remove it, before the network starts",
  };
}

function describeTolerance({
  members: { length },
  noun,
  mustAgree,
  mayLie,
}: ListedAuthorities): GenesisFinding {
  const mayBeDown = length - mustAgree;
  const lying = mayLie === undefined ? "" : `, ${mayLie} may lie`;
  const problem = `lists ${length} ${noun}: ${mustAgree} must work, ${mayBeDown} may be down${lying}`;
  if (length !== 2) return { severity: "note", key: KEY, problem };
  return {
    severity: "warning",
    key: KEY,
    problem: `${problem}: the network stalls if either of them fails, twice as often as with one`,
    fix: "start with four, or with one",
  };
}
