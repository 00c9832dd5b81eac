import type { BlockReader, Clock, Hash, Logger } from "@plinth/core";
import {
  type EnclaveClient,
  EnclaveError,
  EnclaveUnreachable,
  toBase64,
} from "@plinth/kit-enclave";
import { markersOf } from "../markers/marker.js";
import type { UnresolvedMarkers } from "../markers/unresolved-markers.js";
import type { PrivateStore } from "../store/private-store.js";
import { adviceFor } from "./advice.js";
import { type ComparedGroup, type ComparedMember, compareGroup } from "./compare-group.js";
import { findLost, type LostMarker } from "./find-lost.js";
import type { GroupStates } from "./group-states.js";

/** The first comparison is soon after the start, when managers have found each other. */
const FIRST_MS = 60_000;

/** A difference, with its markers and advice. */
export interface VerifiedMember extends ComparedMember {
  /** Markers of the differing block: those that ran here, otherwise those that did not. */
  readonly markers?: readonly Hash[];
  readonly advice?: string;
}

/** How the members of a group compare with this node, with advice where they differ. */
export interface VerifiedGroup extends Omit<ComparedGroup, "members"> {
  readonly members: readonly VerifiedMember[];
  /** Why it was not compared. */
  readonly problem?: string;
}

/** Result of verifying the groups of this node. */
export interface Verified {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly groups: readonly VerifiedGroup[];
  /**
   * Markers that other members have sent to this node, and whose payloads its manager does not
   * have.
   */
  readonly lost: readonly LostMarker[];
  /** Why nothing was compared, or a group was skipped. */
  readonly problem?: string;
}

/** Dependencies of verification. */
export interface VerificationSettings {
  readonly enclave: () => EnclaveClient;
  readonly store: PrivateStore;
  readonly states: GroupStates;
  readonly unresolved: UnresolvedMarkers;
  readonly blocks: Pick<BlockReader, "findHeader" | "findBlock">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Compares the states of groups with those of the other members, periodically or on request. */
export class Verification {
  readonly #settings: VerificationSettings;
  /** The block up to which each group was equal at all members that responded. */
  readonly #equalTo = new Map<string, bigint>();
  /** Verifications in progress, by group. */
  readonly #running = new Map<string, Promise<Verified>>();
  #last: Verified | undefined;

  constructor(settings: VerificationSettings) {
    this.#settings = settings;
  }

  /** Result of the last verification. */
  get last(): Verified | undefined {
    return this.#last;
  }

  /** Verifies periodically, until the signal aborts. */
  async run(intervalMs: number, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#settings;
    await clock.sleep(Math.min(FIRST_MS, intervalMs), signal);
    while (!signal.aborted) {
      try {
        for (const line of warningsOf(await this.verify())) log.warn(line);
      } catch (error) {
        const isAway = error instanceof EnclaveUnreachable || error instanceof EnclaveError;
        if (!isAway) throw error;
        log.debug("private states were not compared", { error });
      }
      await clock.sleep(intervalMs, signal);
    }
  }

  /** Compares all groups, or one from its first block on; concurrent callers share the result. */
  async verify(group?: Uint8Array): Promise<Verified> {
    const name = group === undefined ? "" : toBase64(group);
    const known = this.#running.get(name);
    if (known !== undefined) return known;
    const running = this.#verify(group).finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return running;
  }

  async #verify(group: Uint8Array | undefined): Promise<Verified> {
    const { store, enclave, clock, unresolved } = this.#settings;
    const lost = await findLost({ unresolved, enclave: enclave() });
    const groups: VerifiedGroup[] = [];
    let problem: string | undefined;
    for (const id of group === undefined ? await store.groups() : [group]) {
      const compared = await this.#compareIfKnown(id, group === undefined);
      if (compared === undefined) {
        problem = `the private transaction manager ${enclave().name} cannot query other members`;
        break;
      }
      groups.push(compared);
    }
    const verified = {
      at: clock.now(),
      groups,
      lost,
      ...(problem === undefined ? {} : { problem }),
    };
    this.#last = group === undefined ? verified : this.#withGroups(verified);
    return verified;
  }

  /** A group that the manager has lost must not prevent the comparison of others. */
  async #compareIfKnown(
    group: Uint8Array,
    isContinued: boolean,
  ): Promise<VerifiedGroup | undefined> {
    try {
      return await this.#compare(group, isContinued);
    } catch (error) {
      if (!(error instanceof EnclaveError)) throw error;
      const { number: to } = this.#settings.states.lastOf(group);
      return { privacyGroupId: toBase64(group), to, members: [], problem: error.message };
    }
  }

  async #compare(group: Uint8Array, isContinued: boolean): Promise<VerifiedGroup | undefined> {
    const { states, blocks } = this.#settings;
    const name = toBase64(group);
    const from = isContinued ? await this.#firstToCompare(group) : 0n;
    const enclave = this.#settings.enclave();
    const compared = await compareGroup(group, from, { enclave, states, blocks });
    if (compared === undefined) return undefined;
    const found = compared.members.map(({ state }) => state);
    const isEqual = found.includes("equal") && !found.includes("different");
    if (isEqual) this.#equalTo.set(name, compared.to);
    else this.#equalTo.delete(name);
    const members = await Promise.all(
      compared.members.map((member) => this.#explain(member, group)),
    );
    return { ...compared, members };
  }

  /**
   * A root covers everything before it: the last one that was equal shows whether the states still
   * are.
   */
  async #firstToCompare(group: Uint8Array): Promise<bigint> {
    const equalTo = this.#equalTo.get(toBase64(group)) ?? 0n;
    return (await this.#settings.store.findLastChange(group, equalTo))?.number ?? 0n;
  }

  async #explain(member: ComparedMember, group: Uint8Array): Promise<VerifiedMember> {
    const { difference } = member;
    if (difference === undefined) return member;
    const { store, blocks } = this.#settings;
    const { number } = difference;
    const block = blocks.findBlock(number);
    if (block === undefined) return member;
    const { hash: blockHash } = block.header;
    const ran = store.findGroupBlock({ group, number, blockHash })?.markers ?? [];
    const others = markersOf(block)
      .map(({ hash }) => hash)
      .filter((hash) => store.findReceipt(blockHash, hash) === undefined);
    const lacks = (difference.own?.transactions ?? 0) < (difference.theirs?.transactions ?? 0);
    return {
      ...member,
      markers: lacks ? others : ran,
      advice: adviceFor(difference, toBase64(group)),
    };
  }

  /** Merges newer results of some groups into the previous ones. */
  #withGroups(newer: Verified): Verified {
    const names = newer.groups.map(({ privacyGroupId }) => privacyGroupId);
    const others = (this.#last?.groups ?? []).filter(
      ({ privacyGroupId }) => !names.includes(privacyGroupId),
    );
    return { ...newer, groups: [...others, ...newer.groups] };
  }
}

/** Warnings for the operator. */
export function warningsOf({ groups, lost }: Verified): readonly string[] {
  const differing = groups.flatMap(({ privacyGroupId, members }) =>
    members.flatMap(({ key, difference, advice }) =>
      difference === undefined
        ? []
        : `The private state of group ${privacyGroupId} differs from that of member ${key} from block ${difference.number} on: ${advice}`,
    ),
  );
  const [first] = lost;
  if (first === undefined) return differing;
  return [
    ...differing,
    `${lost.length} private transactions were sent to this node and are missing at its manager, the first in block ${first.number}: "plinth enclave resend", then "plinth privacy rebuild"`,
  ];
}

/** Number of members that could not be compared, and of groups unknown to the manager. */
export function countNotCompared({ groups }: Verified): number {
  const members = groups.flatMap((group) => group.members);
  const unknown = groups.filter(({ problem }) => problem !== undefined);
  return unknown.length + members.filter(({ state }) => state === "not compared").length;
}
