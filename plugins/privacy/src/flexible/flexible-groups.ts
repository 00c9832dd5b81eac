import { hexToBytes, type SealedHeader } from "@plinth/core";
import type { CallOrder, CallResult } from "../call-query.js";
import { PROXY_ADDRESS } from "./contracts.js";
import { participantsOf, SELECTORS } from "./participants.js";

const ZERO_ADDRESS = `0x${"00".repeat(20)}` as const;
const VERSION_BYTES = 32;

/** Who asks, and until when. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly owner: object;
}

/** Where a group is asked for. */
export interface AskedGroup {
  readonly group: Uint8Array;
  readonly header: SealedHeader;
}

type Call = (
  message: Pick<CallOrder, "from" | "to" | "data" | "gasPrice" | "gas">,
  place: AskedGroup,
  asking: Asking,
) => Promise<CallResult>;

/** Asks the contracts of flexible groups, in their states after a block. */
export class FlexibleGroups {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** The members of a group, in base64; `undefined` where there is no such group here. */
  async findMembers(place: AskedGroup, asking: Asking): Promise<readonly string[] | undefined> {
    const { outcome, returnValue } = await this.#ask("getParticipants", place, asking);
    const isThere = outcome === "success" && returnValue.length > 0;
    return isThere ? participantsOf(returnValue) : undefined;
  }

  /** Whether members alone can be changed; `undefined` where there is no such group here. */
  async isLocked(place: AskedGroup, asking: Asking): Promise<boolean | undefined> {
    const { outcome, returnValue } = await this.#ask("canExecute", place, asking);
    const isThere = outcome === "success" && returnValue.length > 0;
    return isThere ? returnValue.every((byte) => byte === 0) : undefined;
  }

  /** The version that members have agreed on; zero where there is no such group here. */
  async versionOf(place: AskedGroup, asking: Asking): Promise<Uint8Array> {
    const { outcome, returnValue } = await this.#ask("getVersion", place, asking);
    const isVersion = outcome === "success" && returnValue.length === VERSION_BYTES;
    return isVersion ? returnValue : new Uint8Array(VERSION_BYTES);
  }

  #ask(name: keyof typeof SELECTORS, place: AskedGroup, asking: Asking): Promise<CallResult> {
    const data = hexToBytes(SELECTORS[name]);
    const message = { from: ZERO_ADDRESS, to: PROXY_ADDRESS, data, gasPrice: 1000n };
    return this.#call({ ...message, gas: undefined }, place, asking);
  }
}
