import type { Address, Hash } from "@plinth/core";
import type { DisconnectReason } from "@plinth/core/network";
import { quorumOf } from "../height/quorum.js";

/** What a validator knows about an undecided height. */
export interface Wait {
  readonly height: bigint;
  readonly round: number;
  readonly self: Address;
  readonly validators: readonly Address[];
  readonly proposer: Address | undefined;
  /** Connected validators. */
  readonly connected: ReadonlySet<Address>;
  /** How the last connection with others ended. */
  readonly ends: ReadonlyMap<Address, DisconnectReason>;
  /** The last block in messages of each validator since this height started. */
  readonly heights: ReadonlyMap<Address, bigint>;
  /** Validators that sent messages in this round, or have changed to it. */
  readonly heard: ReadonlySet<Address>;
  /** The highest round that each validator changed to. */
  readonly rounds: ReadonlyMap<Address, number>;
  /** Whether the block of the round has arrived. */
  readonly hasProposal: boolean;
  /** Why this node could not build a block at this height. */
  readonly problem: string | undefined;
  /** The block that this node was prepared for and has lost. */
  readonly lostBlock?: Hash | undefined;
  /** Why the block that this node was prepared for before a restart is no longer valid. */
  readonly preparedProblem?: string | undefined;
  /** The option that abandons it. */
  readonly signFromOption?: string;
  /** The last message that broke a rule in this round or the previous one, and why. */
  readonly rejection: string | undefined;
  /** Seconds until the next round starts. */
  readonly secondsLeft: number;
}

/** The disconnect reason of nodes without a common chain. */
const REFUSED: DisconnectReason = "subprotocol-error";
/** Number of validators that are listed individually. */
const MAX_NAMES = 20;

/** Explains in a few sentences why there is no block; `undefined` while nothing is wrong. */
export function explainWait(wait: Wait): string | undefined {
  const { validators, self, connected, round } = wait;
  const quorum = quorumOf(validators.length);
  const reachable = validators.filter((each) => each === self || connected.has(each));
  if (round === 0 && reachable.length >= quorum) return undefined;
  const sentences = [
    `block ${wait.height} is in round ${round}; ${quorum} of ${validators.length} validators must agree`,
    describeMissing(wait),
    describeOtherHeights(wait),
    describeElsewhere(wait),
    describeRound(wait),
    wait.problem && `this node could not build a block: ${wait.problem}`,
    wait.lostBlock &&
      `this node was prepared for block ${wait.lostBlock}, which is damaged on its disk, and changes to no round until another validator sends it`,
    wait.preparedProblem &&
      `this node was prepared for a block that is no longer valid: ${wait.preparedProblem}. It was valid when it was prepared, so the genesis file, a plugin or the version has changed since; undo that, or start all validators with ${wait.signFromOption}=${wait.height} to abandon the block`,
    wait.rejection && `a message was rejected: ${wait.rejection}`,
    adviceFor(wait, reachable.length, quorum),
  ];
  return sentences.filter(Boolean).join(". ");
}

function describeMissing({ validators, self, connected, heard, ends }: Wait): string | undefined {
  const others = validators.filter((each) => each !== self);
  const unconnected = others.filter((each) => !connected.has(each));
  const refused = unconnected.filter((each) => ends.get(each) === REFUSED);
  const away = unconnected.filter((each) => !refused.includes(each));
  const silent = others.filter((each) => connected.has(each) && !heard.has(each));
  const parts = [
    away.length > 0 ? `not connected: ${namesOf(away)}` : "",
    refused.length > 0
      ? `refused the connection, as nodes with another genesis file or network id do: ${namesOf(refused)}`
      : "",
    silent.length > 0 ? `connected, but not heard in this round: ${namesOf(silent)}` : "",
  ];
  return parts.filter(Boolean).join("; ") || undefined;
}

function describeOtherHeights({ height, heights, self }: Wait): string | undefined {
  const others = [...heights].filter(([author]) => author !== self);
  const behind = others.filter(([, each]) => each < height);
  const ahead = others.filter(([, each]) => each > height);
  const at = ([author, each]: readonly [Address, bigint]) => `${author} at block ${each}`;
  const parts = [
    behind.length > 0 ? `behind: ${namesOf(behind.map(at))}` : "",
    ahead.length > 0 ? `ahead of this node, which lacks blocks: ${namesOf(ahead.map(at))}` : "",
  ];
  return parts.filter(Boolean).join("; ") || undefined;
}

function describeElsewhere({ round, rounds, self }: Wait): string | undefined {
  const elsewhere = [...rounds].filter(([author, each]) => author !== self && each !== round);
  if (elsewhere.length === 0) return undefined;
  return `in other rounds: ${namesOf(elsewhere.map(([author, each]) => `${author} in ${each}`))}`;
}

/** A list that an operator can read, however long it is. */
function namesOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function describeRound({ hasProposal, proposer, self, secondsLeft }: Wait): string {
  const who = proposer === self ? "this node" : String(proposer);
  const state = hasProposal ? `${who} has proposed a block` : `${who} has not proposed a block`;
  return `${state}; the next round begins in ${secondsLeft} s`;
}

function adviceFor(wait: Wait, reachable: number, quorum: number): string {
  const { rejection, problem, validators, ends } = wait;
  if (problem !== undefined) return "find out why this node cannot build blocks";
  const isRefused = validators.some((each) => ends.get(each) === REFUSED);
  if (reachable < quorum && isRefused) {
    return "compare the genesis files and network ids of the validators";
  }
  if (reachable < quorum) {
    return `start validators that are down, and make them static peers of this one: at least ${quorum - reachable} more`;
  }
  if (rejection?.includes("future") === true) return "compare the clocks of the validators";
  if (rejection !== undefined) {
    return "compare the genesis file, the options and the version of this node with those of the author";
  }
  return "blocks continue when enough validators are in one round; no action is needed unless this lasts";
}
