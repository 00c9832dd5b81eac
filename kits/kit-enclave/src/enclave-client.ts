import { parseJson } from "@plinth/core";
import { fromBase64, keyFromBase64, toBase64 } from "./base64.js";
import { type EnclaveLink, EnclaveUnreachable } from "./enclave-link.js";
import { EnclaveError } from "./errors.js";
import { findText, findTexts, type JsonObject, readText } from "./json-body.js";
import { isNotOffered, NotOffered } from "./not-offered.js";
import { restAfter } from "./rest-after.js";
import { type MemberAnswer, readMemberAnswer, type StateAnswer } from "./state-answer.js";
import { readStateQuestion, type StateQuestion } from "./state-question.js";

/** Managers ask others, each of which may take a while. */
const OTHERS_MS = 60_000;
/** A manager holds the request for 20 s if there is no question. */
const POLL_MS = 25_000;

/** A payload as its recipients receive it. */
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

/** Lost payloads, by their keys in base64. */
export interface LostPayloads {
  /** Payloads that other managers hold for a key of this one, but that are missing here. */
  readonly lost: readonly string[];
  /** Addresses of managers that did not respond. */
  readonly silent: readonly string[];
}

/** The recipients of a payload: the members of a group, or individual keys. */
export type Recipients =
  | { readonly to: readonly Uint8Array[] }
  | { readonly privacyGroupId: Uint8Array };

/**
 * The private transaction manager API that a node needs, as served by Tessera in orion mode.
 *
 * A rejection is an `EnclaveError` with the status and the text of the manager.
 */
export class EnclaveClient {
  readonly #link: EnclaveLink;

  constructor(link: EnclaveLink) {
    this.#link = link;
  }

  get name(): string {
    return this.#link.name;
  }

  /** Stores a payload with all its recipients; returns its key. */
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
        "its response contains no senderKey; is it in orion mode?",
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
    throw new EnclaveError(500, "the response is not a list of groups");
  }

  async retrieveGroup(privacyGroupId: string): Promise<DescribedGroup> {
    return readGroup(await this.#ask("/retrievePrivacyGroup", { privacyGroupId }));
  }

  /** Returns the id of the group. */
  async deleteGroup(privacyGroupId: string, from: string): Promise<string> {
    const answer = await this.#ask("/deletePrivacyGroup", { privacyGroupId, from });
    if (typeof answer === "string") return answer;
    throw new EnclaveError(500, "the response is not a group id");
  }

  /**
   * A group that the manager knows or knew, also one hidden from nodes; `undefined` if there is
   * none, or it does not say.
   */
  async findGroupEver(privacyGroupId: Uint8Array): Promise<DescribedGroup | undefined> {
    const question = { privacyGroupId: toBase64(privacyGroupId) };
    const answer = await this.#askOurs("/plinth/groupEver", question);
    return answer?.group === undefined ? undefined : readGroup(answer.group);
  }

  /**
   * Makes the manager ask members for an unknown group; `undefined` if none has it, or it cannot
   * ask.
   */
  async recoverGroup(
    privacyGroupId: Uint8Array,
    senderKey: Uint8Array,
  ): Promise<DescribedGroup | undefined> {
    const answer = await this.#askOurs(
      "/plinth/recoverGroup",
      { privacyGroupId: toBase64(privacyGroupId), senderKey: toBase64(senderKey) },
      OTHERS_MS,
    );
    return answer?.group === undefined ? undefined : readGroup(answer.group);
  }

  /** Which of at most 1,000 payloads the manager has lost; `undefined` if it cannot ask others. */
  async findLost(payloadKeys: readonly Uint8Array[]): Promise<LostPayloads | undefined> {
    const keys = payloadKeys.map(toBase64);
    const answer = await this.#askOurs("/plinth/lost", { keys }, OTHERS_MS);
    if (answer === undefined) return undefined;
    return { lost: findTexts(answer, "lost") ?? [], silent: findTexts(answer, "silent") ?? [] };
  }

  /**
   * Which of at most 1,000 payloads the manager has by now, in base64; `undefined` if it does not
   * say.
   */
  async findHere(payloadKeys: readonly Uint8Array[]): Promise<readonly string[] | undefined> {
    const answer = await this.#askOurs("/plinth/here", { keys: payloadKeys.map(toBase64) });
    return answer && (findTexts(answer, "keys") ?? []);
  }

  /**
   * Asks the nodes of all other members of a group, with one result for each key; `undefined` if
   * the manager cannot.
   */
  async compare(question: StateQuestion): Promise<readonly MemberAnswer[] | undefined> {
    const answer = await this.#askOurs("/plinth/compare", question, OTHERS_MS);
    if (answer === undefined) return undefined;
    if (!Array.isArray(answer.members)) throw new EnclaveError(500, "the response has no members");
    return answer.members.map((member: unknown) => readMemberAnswer(asObject(member), question));
  }

  /**
   * The next question of another member's node; `undefined` if there was none for 20 s.
   *
   * Rejects with `NotOffered` if the manager will never have a question.
   */
  async nextQuestion(): Promise<
    { readonly id: string; readonly question: StateQuestion } | undefined
  > {
    const path = "/plinth/question";
    const answer = await this.#askOurs(path, {}, POLL_MS);
    if (answer === undefined) throw new NotOffered(this.name, path);
    if (answer.question === undefined) return undefined;
    return {
      id: readText(answer, "id"),
      question: readStateQuestion(asObject(answer.question)),
    };
  }

  /** Rejects if the manager does not accept the response: it is malformed, or too late. */
  async answerQuestion(id: string, answer: StateAnswer): Promise<void> {
    await this.#ask("/plinth/answer", { id, answer });
  }

  /** `undefined` if the manager has no such route. */
  async #askOurs(path: string, body: object, timeoutMs?: number): Promise<JsonObject | undefined> {
    try {
      return asObject(await this.#ask(path, body, timeoutMs));
    } catch (error) {
      if (error instanceof EnclaveError && isNotOffered(error.status, error.message)) return;
      throw error;
    }
  }

  async #ask(path: string, body: object, timeoutMs?: number): Promise<unknown> {
    const { status, body: text } = await this.#link.post(path, body, { timeoutMs });
    if (status !== 200) throw new EnclaveError(status, text);
    try {
      return parseJson(text);
    } catch {
      // The response may be secret: nothing of it is repeated.
      throw new EnclaveError(500, `the response to ${path} is not JSON`);
    }
  }
}

/** Managers store the base64 text they receive, not the bytes. */
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
  throw new EnclaveError(500, "the response is not a JSON object");
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
