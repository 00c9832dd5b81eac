import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import { encodeCborPayload } from "../codec/cbor-codec.js";
import { type EncodedPayload, forRecipient } from "../codec/encoded-payload.js";
import { encodeLegacy } from "../codec/legacy-codec.js";
import { hashOf } from "../crypto/sealing.js";
import { encodeGroup, type PrivacyGroup } from "../groups/privacy-group.js";
import { type PeerLink, Unreachable } from "../peers/peer-link.js";
import type { Peer, Peers } from "../peers/peers.js";

/** API version from which payloads are encoded as CBOR. */
const CBOR_VERSION = "5.0";
/** API version from which groups are supported. */
const GROUP_VERSION = "3.0";

/** Sends payloads and groups to the managers of their recipients. */
export class Distribution {
  readonly #peers: Peers;
  readonly #link: PeerLink;

  constructor(peers: Peers, link: PeerLink) {
    this.#peers = peers;
    this.#link = link;
  }

  /** Whether a manager currently announces the key of a recipient. */
  knows(recipient: Uint8Array): boolean {
    return this.#peers.findByKey(recipient) !== undefined;
  }

  /** Throws if the manager of a recipient is unknown. */
  verifyReachable(recipients: readonly Uint8Array[]): void {
    for (const key of recipients) this.#peerOf(key);
  }

  /**
   * Resolves once every recipient has stored it; throws the first failure after all have finished.
   */
  async pushPayload(payload: EncodedPayload, recipients: readonly Uint8Array[]): Promise<void> {
    await settleAll(recipients.map((key) => this.pushTo(key, payload)));
  }

  /** Same for one recipient. */
  async pushTo(key: Uint8Array, payload: EncodedPayload): Promise<void> {
    await this.#push(this.#peerOf(key), payload, key);
  }

  /** Sends a payload to its sender's manager, with each box that is here. */
  async giveBack(payload: EncodedPayload): Promise<void> {
    const peer = this.#peerOf(payload.senderKey);
    for (const key of payload.recipientKeys) await this.#push(peer, payload, key);
  }

  async #push(peer: Peer, payload: EncodedPayload, key: Uint8Array): Promise<void> {
    const part = forRecipient(payload, key);
    if (part === undefined) throw new EnclaveError(500, "recipient not found in listed keys");
    const encode = peer.versions.has(CBOR_VERSION) ? encodeCborPayload : encodeLegacy;
    const { status, body } = await this.#post(peer, "/push", encode(part));
    const isStored = status === 201 || status === 200;
    if (isStored && new TextDecoder().decode(body) === toBase64(hashOf(payload))) return;
    throw new EnclaveError(500, `Unable to push payload to recipient url ${peer.url}`);
  }

  /** Resolves once the managers of all these members have stored the group. */
  async pushGroup(group: PrivacyGroup, members: readonly Uint8Array[]): Promise<void> {
    const peers = new Map(
      members.map((key) => this.#groupPeerOf(key)).map((peer) => [peer.url, peer]),
    );
    const bytes = encodeGroup(group);
    await settleAll(
      Array.from(peers.values(), async (peer) => {
        const { status } = await this.#post(peer, "/pushPrivacyGroup", bytes);
        if (status === 200) return;
        throw new EnclaveError(500, `Unable to push privacy group to recipient url ${peer.url}`);
      }),
    );
  }

  async #post(peer: Peer, path: string, body: Uint8Array) {
    try {
      return await this.#link.post(peer.url, path, body);
    } catch (error) {
      if (error instanceof Unreachable) this.#peers.drop(peer.url);
      throw error;
    }
  }

  #peerOf(key: Uint8Array): Peer {
    const peer = this.#peers.findByKey(key);
    if (peer !== undefined) return peer;
    throw new EnclaveError(404, `Recipient not found for key: ${toBase64(key)}`);
  }

  /** Payloads can be sent to managers without group support; groups cannot. */
  #groupPeerOf(key: Uint8Array): Peer {
    const peer = this.#peerOf(key);
    if (peer.versions.has(GROUP_VERSION)) return peer;
    throw new EnclaveError(
      403,
      `Transactions with privacy group is not currently supported on recipient ${toBase64(key)}`,
    );
  }
}

/** Waits for all, so that nothing continues after the response, and throws the first failure. */
async function settleAll(all: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(all);
  const failed = ended.find((end) => end.status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
