import { parseJson } from "@plinth/core";
import { fromBase64, keyFromBase64, toBase64 } from "./base64.js";
import { EnclaveError } from "./errors.js";
import { findText, findTexts, type JsonObject, readText } from "./json-body.js";
import { restAfter } from "./rest-after.js";

/** What a manager answered: only 200 is success. */
export interface LinkAnswer {
  readonly status: number;
  readonly body: string;
}

/** The way to a manager: over HTTP, or inside the process. */
export interface EnclaveLink {
  /** What an operator knows the manager by, such as its address. */
  readonly name: string;
  /** Rejects with `EnclaveUnreachable` where there is no answer. */
  post(path: string, body: object): Promise<LinkAnswer>;
}

/** No manager answers; whatever was asked can be asked again. */
export class EnclaveUnreachable extends Error {
  constructor(name: string, why: string) {
    super(`the private transaction manager ${name} does not answer: ${why}`);
    this.name = "EnclaveUnreachable";
  }
}

/** A payload as its recipients get it. */
export interface ReceivedPayload {
  readonly payload: Uint8Array;
  readonly senderKey: Uint8Array;
  readonly privacyGroupId: Uint8Array | undefined;
}

/** A group as managers describe it; keys and the id in base64. */
export interface DescribedGroup {
  readonly privacyGroupId: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly members: readonly string[];
}

/** Who a payload is for: the members of a group, or keys that are named. */
export type Recipients =
  | { readonly to: readonly Uint8Array[] }
  | { readonly privacyGroupId: Uint8Array };

/**
 * Asks a private transaction manager what a node needs of it, as Tessera answers it in orion mode.
 *
 * A refusal is an `EnclaveError` with the status and the text of the manager.
 */
export class EnclaveClient {
  readonly #link: EnclaveLink;

  constructor(link: EnclaveLink) {
    this.#link = link;
  }

  get name(): string {
    return this.#link.name;
  }

  /** Stores a payload with everyone it is for; answers the key that it is found by. */
  async send(
    payload: Uint8Array,
    { from, ...recipients }: Recipients & { readonly from: Uint8Array },
  ): Promise<Uint8Array> {
    const text = toBase64(wrap(payload));
    await restAfter(text.length);
    const answer = await this.#ask("/send", {
      payload: text,
      from: toBase64(from),
      ...("to" in recipients
        ? { to: recipients.to.map(toBase64) }
        : { privacyGroupId: toBase64(recipients.privacyGroupId) }),
    });
    return keyFromBase64(readText(asObject(answer), "key"), "key");
  }

  /** A payload by its key, for one of the manager's keys or for any of them. */
  async receive(key: Uint8Array, to: string | undefined): Promise<ReceivedPayload> {
    const answer = asObject(await this.#ask("/receive", { key: toBase64(key), to: to ?? null }));
    const group = findText(answer, "privacyGroupId");
    const senderKey = findText(answer, "senderKey");
    if (senderKey === undefined) {
      throw new EnclaveUnreachable(
        this.name,
        "its answer names no senderKey; is it in orion mode?",
      );
    }
    const text = readText(answer, "payload");
    await restAfter(text.length);
    const inner = unwrap(text);
    await restAfter(inner.length);
    return {
      payload: fromBase64(inner, "payload"),
      senderKey: fromBase64(senderKey, "senderKey"),
      privacyGroupId: group === undefined ? undefined : keyFromBase64(group, "privacyGroupId"),
    };
  }

  async createGroup(group: {
    readonly addresses: readonly string[];
    readonly from: string;
    readonly name: string | undefined;
    readonly description: string | undefined;
  }): Promise<DescribedGroup> {
    const { addresses, from, name = null, description = null } = group;
    return readGroup(
      await this.#ask("/createPrivacyGroup", { addresses, from, name, description }),
    );
  }

  async findGroups(addresses: readonly string[]): Promise<readonly DescribedGroup[]> {
    const answer = await this.#ask("/findPrivacyGroup", { addresses });
    if (Array.isArray(answer)) return answer.map(readGroup);
    throw new EnclaveError(500, "the answer is no list of groups");
  }

  async retrieveGroup(privacyGroupId: string): Promise<DescribedGroup> {
    return readGroup(await this.#ask("/retrievePrivacyGroup", { privacyGroupId }));
  }

  /** Answers the id of the group. */
  async deleteGroup(privacyGroupId: string, from: string): Promise<string> {
    const answer = await this.#ask("/deletePrivacyGroup", { privacyGroupId, from });
    if (typeof answer === "string") return answer;
    throw new EnclaveError(500, "the answer is no group id");
  }

  async #ask(path: string, body: object): Promise<unknown> {
    const { status, body: text } = await this.#link.post(path, body);
    if (status !== 200) throw new EnclaveError(status, text);
    try {
      return parseJson(text);
    } catch {
      // The answer may be secret: nothing of it is repeated.
      throw new EnclaveError(500, `the answer to ${path} is not JSON`);
    }
  }
}

/** Managers store the base64 text of what they are given, not the bytes. */
function wrap(payload: Uint8Array): Uint8Array {
  return Buffer.from(toBase64(payload), "latin1");
}

function unwrap(text: string): string {
  return Buffer.from(fromBase64(text, "payload")).toString("latin1");
}

function asObject(answer: unknown): JsonObject {
  if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) {
    return answer as JsonObject;
  }
  throw new EnclaveError(500, "the answer is no JSON object");
}

function readGroup(answer: unknown): DescribedGroup {
  const group = asObject(answer);
  return {
    privacyGroupId: readText(group, "privacyGroupId"),
    name: findText(group, "name") ?? "",
    description: findText(group, "description") ?? "",
    type: readText(group, "type"),
    members: findTexts(group, "members") ?? [],
  };
}
