import { type Hash, hexToBytes, type SealedHeader } from "@plinth/core";
import type { CallOrder, CallResult } from "../execution/call-query.js";
import { PROXY_ADDRESS } from "./contracts.js";
import { participantsOf, SELECTORS } from "./participants.js";

const ZERO_ADDRESS = `0x${"00".repeat(20)}` as const;
const VERSION_BYTES = 32;
/** Enough for thousands of members; the owner of a group can replace its contract by one that does not end. */
const MOST_GAS = 100_000_000n;

/** Who asks, and until when. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly owner: object;
}

/** Where a group is asked for. */
export interface AskedGroup {
  readonly group: Uint8Array;
  readonly header: SealedHeader;
  /** Its state after that block, where that is known. */
  readonly root?: Hash;
}

type Call = (
  message: Pick<CallOrder, "from" | "to" | "data" | "gasPrice" | "gas">,
  place: AskedGroup,
  asking: Asking,
) => Promise<CallResult>;

/** What flexible groups are asked with. */
export interface FlexibleGroupsSettings {
  readonly call: Call;
  /** Whether a group has a state: else public contracts at the same addresses would answer for it. */
  readonly has: (place: AskedGroup, asking: Asking) => Promise<boolean>;
}

/** Asks the contracts of flexible groups, in their states after a block. */
export class FlexibleGroups {
  readonly #settings: FlexibleGroupsSettings;

  constructor(settings: FlexibleGroupsSettings) {
    this.#settings = settings;
  }

  /**
   * The members of a group, in base64; `undefined` where there is no such group here.
   *
   * A group whose contract does not name any has none: it is not one that is still to be created, by anyone.
   */
  async findMembers(place: AskedGroup, asking: Asking): Promise<readonly string[] | undefined> {
    if (!(await this.#settings.has(place, asking))) return undefined;
    const returned = await this.#ask("getParticipants", place, asking);
    return returned === undefined ? [] : participantsOf(returned);
  }

  /** The version that members have agreed on; zero where there is no such group here. */
  async versionOf(place: AskedGroup, asking: Asking): Promise<Uint8Array> {
    if (!(await this.#settings.has(place, asking))) return new Uint8Array(VERSION_BYTES);
    const returned = await this.#ask("getVersion", place, asking);
    return returned?.length === VERSION_BYTES ? returned : new Uint8Array(VERSION_BYTES);
  }

  /** What the contract of a group returns; `undefined` where it fails. */
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
