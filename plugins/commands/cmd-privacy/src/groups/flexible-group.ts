import { type CommandIo, hexToBytes, type OptionValues, option, optionKinds } from "@plinth/core";
import { PROXY_ADDRESS, SELECTORS } from "@plinth/plugin-privacy/api";
import { nodeFlags } from "../flags.js";
import { NodeLink } from "../node-link.js";
import { missingOption } from "../option-errors.js";
import { readSender, senderFlags } from "../parties.js";
import { readKey } from "../read-key.js";
import { readSigner, sendFlags, sendSigned, signPrivate } from "../send-private.js";

/** Flags of a transaction to the contract of a flexible group. */
export const managementFlags = {
  ...nodeFlags,
  group: option.text({ summary: "Id of the group, in base64." }),
  ...senderFlags,
  ...sendFlags,
};

export const membersFlag = option.list({
  summary: "Keys of the members, in base64.",
  of: optionKinds.text(),
});

type ManagementFlags = OptionValues<typeof managementFlags>;

/** Context of a command. */
export interface CommandEnvironment {
  readonly io: CommandIo;
  readonly dataPath: string;
  readonly signal: AbortSignal;
}

/** A flexible group, whose contract receives transactions signed with one key. */
export class FlexibleGroup {
  readonly id: Uint8Array;
  readonly link: NodeLink;
  /** The key of the sending party. */
  readonly sender: Uint8Array;
  readonly #signer: Uint8Array;
  readonly #given: ManagementFlags;
  readonly #on: CommandEnvironment;

  private constructor(
    parts: Pick<FlexibleGroup, "id" | "link" | "sender"> & { readonly signer: Uint8Array },
    given: ManagementFlags,
    on: CommandEnvironment,
  ) {
    this.id = parts.id;
    this.link = parts.link;
    this.sender = parts.sender;
    this.#signer = parts.signer;
    this.#given = given;
    this.#on = on;
  }

  /** The group of `--group`, or the one being created. */
  static async open(
    given: ManagementFlags,
    on: CommandEnvironment,
    created?: Uint8Array,
  ): Promise<FlexibleGroup> {
    if (given.group === undefined && created === undefined) throw missingOption("--group=<ID>");
    const id = given.group === undefined ? created : readKey(given.group, "group");
    const signer = await readSigner(given);
    const link = await NodeLink.open(given, on);
    const sender = await readSender(given, on.io, link);
    return new FlexibleGroup({ id: id as Uint8Array, link, sender, signer }, given, on);
  }

  /** Sends call data to the contract of the group; returns the exit code. */
  async send(
    data: Uint8Array,
    { mustWait = false, nonce = this.#given.nonce } = {},
  ): Promise<number> {
    const { id: privacyGroupId, sender: privateFrom, link } = this;
    const parties = { privateFrom, privacyGroupId, groupId: privacyGroupId };
    const given = { ...this.#given, nonce };
    const message = { key: this.#signer, parties, to: PROXY_ADDRESS, data };
    const signed = await signPrivate(message, given, link);
    const wait = given.wait || mustWait;
    return sendSigned(signed, { ...given, wait }, { link, ...this.#on });
  }

  lock(options: { readonly mustWait?: boolean } = {}): Promise<number> {
    return this.send(hexToBytes(SELECTORS.lock), options);
  }
}

/** The keys on a command line. */
export function readMembers(keys: readonly string[]): readonly Uint8Array[] {
  if (keys.length === 0) throw missingOption("--members=<KEY>[,<KEY>...]");
  return keys.map((key) => readKey(key, "members"));
}
