import { type Hash, hexToBytes, type SealedHeader } from "@plinth/core";
import type { CallOrder, CallResult } from "../execution/call-query.js";
import { PROXY_ADDRESS } from "./contracts.js";
import { participantsOf, SELECTORS } from "./participants.js";

const ZERO_ADDRESS = `0x${"00".repeat(20)}` as const;
const VERSION_BYTES = 32;
/**
 * Gas limit, enough for thousands of members; the owner of a group can replace its contract by one
 * that never terminates.
 */
const MOST_GAS = 100_000_000n;

/** Caller of a query, and its deadline. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly owner: object;
}

/** Block at which a group is queried. */
export interface AskedGroup {
  readonly group: Uint8Array;
  readonly header: SealedHeader;
  /** State root of the group after that block, if known. */
  readonly root?: Hash;
}

type Call = (
  message: Pick<CallOrder, "from" | "to" | "data" | "gasPrice" | "gas">,
  place: AskedGroup,
  asking: Asking,
) => Promise<CallResult>;

/** Dependencies of `FlexibleGroups`. */
export interface FlexibleGroupsSettings {
  readonly call: Call;
  /**
   * Whether a group has a state; otherwise public contracts at the same addresses would be called.
   */
  readonly has: (place: AskedGroup, asking: Asking) => Promise<boolean>;
}

/** Queries the contracts of flexible groups in their states after a block. */
export class FlexibleGroups {
  readonly #settings: FlexibleGroupsSettings;

  constructor(settings: FlexibleGroupsSettings) {
    this.#settings = settings;
  }

  /**
   * The members of a group, in base64; `undefined` if this node does not have the group.
   *
   * Empty for a group whose contract lists no members, so that it is not mistaken for one that anyone may still create.
   */
  async findMembers(place: AskedGroup, asking: Asking): Promise<readonly string[] | undefined> {
    if (!(await this.#settings.has(place, asking))) return undefined;
    const returned = await this.#ask("getParticipants", place, asking);
    return returned === undefined ? [] : participantsOf(returned);
  }

  /** The version that members have agreed on; zero if this node does not have the group. */
  async versionOf(place: AskedGroup, asking: Asking): Promise<Uint8Array> {
    if (!(await this.#settings.has(place, asking))) return new Uint8Array(VERSION_BYTES);
    const returned = await this.#ask("getVersion", place, asking);
    return returned?.length === VERSION_BYTES ? returned : new Uint8Array(VERSION_BYTES);
  }

  /** Return data of the contract of a group; `undefined` if the call fails. */
  async #ask(
    name: keyof typeof SELECTORS,
    place: AskedGroup,
    asking: Asking,
  ): Promise<Uint8Array | undefined> {
    const data = hexToBytes(SELECTORS[name]);
    const message = { from: ZERO_ADDRESS, to: PROXY_ADDRESS, data, gasPrice: 1000n };
    const asked = { ...message, gas: MOST_GAS };
    const { outcome, returnValue } = await this.#settings.call(asked, place, asking);
    return outcome === "success" ? returnValue : undefined;
  }
}
