import {
  EnclaveError,
  isNotOffered,
  MAX_STATE_BYTES,
  type MemberAnswer,
  readJson,
  readStateAnswer,
  type StateAnswer,
  type StateQuestion,
  toBase64,
} from "@plinth/kit-enclave";
import type { OwnKeys } from "../crypto/own-keys.js";
import type { Groups } from "../groups/groups.js";
import { type PeerAnswer, type PeerLink, Unreachable } from "../peers/peer-link.js";
import type { Peers } from "../peers/peers.js";

/** The node of another manager has 20 s. */
const ASK_MS = 25_000;
/** Each response may contain a page of 1,000 blocks. */
const MAX_MANAGERS = 64;
const MAX_TEXT = 200;
/** Text that must not appear in a log. */
const UNPRINTABLE = /[^\x20-\x7e]/g;

type Outcome = { readonly answer: StateAnswer } | { readonly problem: string };

/** Queries the nodes of the other members of a group for its states. */
export class Comparison {
  readonly #groups: Groups;
  readonly #keys: OwnKeys;
  readonly #peers: Peers;
  readonly #link: PeerLink;

  constructor(parts: {
    readonly groups: Groups;
    readonly keys: OwnKeys;
    readonly peers: Peers;
    readonly link: PeerLink;
  }) {
    this.#groups = parts.groups;
    this.#keys = parts.keys;
    this.#peers = parts.peers;
    this.#link = parts.link;
  }

  /** The result of a query for each key of the group that is not held here. */
  async ask(question: StateQuestion): Promise<readonly MemberAnswer[]> {
    const id = Buffer.from(question.privacyGroupId, "base64");
    const group = this.#groups.findKnown(id);
    if (group === undefined) {
      // A deleted group has no members any more.
      if (this.#groups.isKnown(id)) return [];
      throw new EnclaveError(400, "privacyGroupId: the group is unknown to this manager");
    }
    const outcomes = new Map<string, Promise<Outcome>>();
    const others = new Map(
      group.members.filter((key) => !this.#keys.has(key)).map((key) => [toBase64(key), key]),
    );
    return Promise.all(
      Array.from(others, async ([name, key]): Promise<MemberAnswer> => {
        const url = this.#peers.findByKey(key)?.url;
        if (url === undefined) return { key: name, problem: "its manager is unknown" };
        if (!outcomes.has(url) && outcomes.size >= MAX_MANAGERS) {
          const problem = `${MAX_MANAGERS} other managers are queried, which is the limit`;
          return { key: name, url, problem };
        }
        // A manager that holds several keys has one node.
        const outcome = outcomes.get(url) ?? this.#askOne(url, question);
        outcomes.set(url, outcome);
        return { key: name, url, ...(await outcome) };
      }),
    );
  }

  async #askOne(url: string, question: StateQuestion): Promise<Outcome> {
    try {
      const answer = await this.#link.post(
        url,
        "/plinth/state",
        Buffer.from(JSON.stringify(question)),
        { type: "application/json", timeoutMs: ASK_MS, maxAnswerBytes: MAX_STATE_BYTES },
      );
      return read(answer, question);
    } catch (error) {
      if (error instanceof Unreachable) return { problem: "its manager does not respond" };
      throw error;
    }
  }
}

function read({ status, body }: PeerAnswer, question: StateQuestion): Outcome {
  if (status !== 200) {
    const text = Buffer.from(body).toString().slice(0, MAX_TEXT).replace(UNPRINTABLE, " ");
    if (isNotOffered(status, text)) return { problem: "its manager cannot be asked" };
    return { problem: `its manager responds with status ${status}: ${text}` };
  }
  try {
    const answer = readStateAnswer(readJson(body), question);
    if (!("problem" in answer)) return { answer };
    return { answer: { problem: answer.problem.replace(UNPRINTABLE, " ") } };
  } catch (error) {
    if (!(error instanceof EnclaveError)) throw error;
    return { problem: `the response of its manager is malformed: ${error.message}` };
  }
}
