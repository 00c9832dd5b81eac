import type { Address } from "@plinth/core";
import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";

/** What is said about the authorities that a genesis file lists. */
export interface ListedAuthorities {
  readonly members: readonly Address[];
  /** What the engine calls them: validators, signers. */
  readonly noun: string;
  readonly mustAgree: number;
  /** How many may lie; the same as may be down when left out. */
  readonly mayLie?: number;
}

const KEY = "extraData";
const ZERO: Address = `0x${"00".repeat(20)}`;

/** Whether the authorities can make blocks, and how many of them may fail. */
export function checkAuthorities(listed: ListedAuthorities): readonly GenesisFinding[] {
  const { members, noun } = listed;
  const distinct = new Set(members);
  if (members.length === 0) {
    return [
      {
        severity: "warning",
        key: KEY,
        problem: `lists no ${noun}: no block can be made`,
        fix: `put the addresses of the first ${noun} into it`,
      },
    ];
  }
  return [
    ...(distinct.size < members.length ? [listedTwice(members, noun)] : []),
    ...(distinct.has(ZERO) ? [listsZero(noun)] : []),
    describeTolerance(listed),
  ];
}

/** Where gas costs something and rewards are none, an account must have ether from the beginning. */
export function checkFunds(
  { accounts, baseFee, forks }: GenesisFacts,
  { hasReward }: { readonly hasReward: boolean },
): readonly GenesisFinding[] {
  const hasBaseFee = baseFee !== "zero" && forks.isActive("london", FAR_AWAY);
  const isFunded = [...accounts.values()].some(({ balance }) => balance > 0n);
  if (!hasBaseFee || isFunded || hasReward) return [];
  return [
    {
      severity: "warning",
      key: "alloc",
      problem: "gives ether to no account, and gas is not free: no transaction can be paid",
      fix: "give an account a balance, or set config.zeroBaseFee to true, before the network begins",
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
    fix: "list each of them once, before the network begins",
  };
}

function listsZero(noun: string): GenesisFinding {
  return {
    severity: "warning",
    key: KEY,
    problem: `lists the zero address among the ${noun}, and no node has its key`,
    fix: "leave it out, before the network begins",
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
    problem: `${problem}: the network stands still when either of them does, twice as often as with one`,
    fix: "begin with four, or with one",
  };
}
