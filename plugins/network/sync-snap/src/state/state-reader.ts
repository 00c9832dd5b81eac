import { decodeSlotValue } from "@plinth/chain";
import { EMPTY_ROOT, type Hash, keccak256, PeerError, toHex } from "@plinth/core";
import { mapConcurrent } from "@plinth/core/async";
import type { JoinedCode, JoinedSlot, JoinedState } from "@plinth/core/chain";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { RequestFailed } from "@plinth/plugin-protocol-eth/api";
import type { SnapClient } from "@plinth/plugin-protocol-snap/api";
import { headOf, type Pivot } from "../choose-pivot.js";
import type { JoiningPeer, JoiningPeers } from "../joining-peers.js";
import { FIRST_KEY, firstKeyOf } from "./keys.js";
import {
  type AccountRange,
  type KeyedAccount,
  verifyAccounts,
  verifySlots,
} from "./verify-response.js";

/** Number of parts of the state: each is a share of the keys of accounts. */
export const STATE_PARTS = 16;
/** The size that a response should have. */
const RESPONSE_BYTES = 512 * 2 ** 10;
/** A peer whose responses are smaller although there is more is asked after the others. */
const SMALL_BYTES = RESPONSE_BYTES / 32;
/** Number of accounts whose storage and code are read at once. */
const ACCOUNTS_AT_ONCE = 256;
const STORAGES_PER_REQUEST = 32;
const CODES_PER_REQUEST = 32;
const CONCURRENCY = 4;

/** What a state is read with. */
export interface StateSettings {
  readonly pivot: Pivot;
  readonly peers: JoiningPeers;
  /** Called with everything that is read, and the key before which all accounts are complete. */
  readonly progressed: (piece: JoinedState, key: Uint8Array) => void;
}

interface RequestedRange {
  readonly start: Uint8Array;
  readonly found: Promise<AccountRange>;
}

/** Slots of an account from one key on. */
interface StorageRange {
  readonly slots: readonly JoinedSlot[];
  readonly next: Uint8Array | undefined;
}

/** Reads the state of a block from peers by snap/1; each response is verified before it is used. */
export class StateReader {
  readonly #settings: StateSettings;
  readonly #root: Hash;
  /** The latest range, which may reach into later parts. */
  #range: RequestedRange | undefined;
  #ahead: RequestedRange | undefined;
  readonly #codes = new Set<Hash>([EMPTY_CODE_HASH]);

  constructor(settings: StateSettings) {
    this.#settings = settings;
    this.#root = settings.pivot.header.stateRoot;
  }

  /** The accounts of a part with their slots and codes. */
  async *read(part: number): AsyncGenerator<JoinedState> {
    if (this.#root === EMPTY_ROOT) return;
    const end = firstKeyOf(part + 1, STATE_PARTS);
    let origin = firstKeyOf(part, STATE_PARTS);
    while (origin !== undefined && isBefore(origin, end)) {
      const from: Uint8Array = origin;
      const { accounts, next } = await this.#accountsFrom(from);
      const within = accounts.filter(({ key }) => !isBefore(key, from) && isBefore(key, end));
      for (let at = 0; at < within.length; at += ACCOUNTS_AT_ONCE) {
        yield* this.#complete(within.slice(at, at + ACCOUNTS_AT_ONCE));
      }
      origin = next;
    }
  }

  /** The range that contains a key; the one after it is requested meanwhile. */
  async #accountsFrom(origin: Uint8Array): Promise<AccountRange> {
    const known = this.#range;
    if (known !== undefined && !isBefore(origin, known.start)) {
      const found = await known.found;
      if (isBefore(origin, found.next)) return found;
    }
    const ahead = this.#ahead;
    const isAhead = ahead !== undefined && Buffer.compare(ahead.start, origin) === 0;
    this.#range = isAhead ? ahead : this.#begin(origin);
    const found = await this.#range.found;
    this.#ahead = found.next && this.#begin(found.next);
    return found;
  }

  #begin(start: Uint8Array): RequestedRange {
    const found = this.#requestAccounts(start);
    // An error is that of the later call.
    found.catch(() => {});
    return { start, found };
  }

  #requestAccounts(origin: Uint8Array): Promise<AccountRange> {
    const root = this.#root;
    return this.#ask(`the accounts from ${toHex(origin)} on`, async (snap, peer) => {
      const response = await snap.requestAccounts({ root, origin, bytes: RESPONSE_BYTES });
      const range = verifyAccounts(response, { root, origin });
      if (range?.next !== undefined) this.#rate(peer, sizeOf(response.accounts));
      return range;
    });
  }

  /** Accounts with their slots and codes; those of a large storage in several pieces. */
  async *#complete(accounts: readonly KeyedAccount[]): AsyncGenerator<JoinedState> {
    const codes = await this.#readCodes(accounts);
    const withStorage = accounts.filter(({ account }) => account.storageRoot !== EMPTY_ROOT);
    const plain = accounts.filter(({ account }) => account.storageRoot === EMPTY_ROOT);
    yield this.#note({ codes, accounts: plain.map((each) => ({ ...each, slots: [] })) });
    for (let groups = chunksOf(withStorage, STORAGES_PER_REQUEST); groups.length > 0; ) {
      const left: (readonly KeyedAccount[])[] = [];
      const read = mapConcurrent(groups, (group) => this.#readGroup(group), {
        concurrency: CONCURRENCY,
      });
      for await (const { group, ranges } of read) {
        const complete = group.slice(0, ranges.length);
        yield this.#note({
          accounts: complete.map((each, index) => ({ ...each, slots: ranges[index]?.slots ?? [] })),
        });
        const [last, next] = [complete.at(-1), ranges.at(-1)?.next];
        if (last !== undefined && next !== undefined) yield* this.#readRest(last, next);
        if (complete.length < group.length) left.push(group.slice(complete.length));
      }
      groups = left;
    }
  }

  async #readGroup(group: readonly KeyedAccount[]) {
    return { group, ranges: await this.#requestStorage(group, FIRST_KEY) };
  }

  async *#readRest(account: KeyedAccount, from: Uint8Array): AsyncGenerator<JoinedState> {
    let origin: Uint8Array | undefined = from;
    while (origin !== undefined) {
      const [range]: readonly StorageRange[] = await this.#requestStorage([account], origin);
      if (range === undefined) return;
      yield this.#note({ accounts: [{ ...account, slots: range.slots }] });
      origin = range.next;
    }
  }

  /** Slots of the first accounts: all of them, but for those of the last account. */
  #requestStorage(
    accounts: readonly KeyedAccount[],
    origin: Uint8Array,
  ): Promise<readonly StorageRange[]> {
    const root = this.#root;
    const [first] = accounts as [KeyedAccount];
    return this.#ask(`the slots of the account ${toHex(first.key)}`, async (snap, peer) => {
      const keys = accounts.map(({ key }) => key);
      const query = { root, accounts: keys, origin, bytes: RESPONSE_BYTES };
      const { slots, proof } = await snap.requestStorage(query);
      if (slots.length === 0 && proof.length === 0) return undefined;
      if (slots.length > accounts.length) {
        throw new PeerError(
          "breach-of-protocol",
          `it sent the slots of ${slots.length} accounts, requested were ${accounts.length}`,
        );
      }
      // An empty range that is proven has no list.
      const lists = slots.length === 0 ? [[]] : slots;
      const ranges = lists.map((entries, index) => {
        const { storageRoot } = (accounts[index] as KeyedAccount).account;
        const next = verifySlots(storageRoot, {
          origin: index === 0 ? origin : FIRST_KEY,
          entries,
          proof: index === lists.length - 1 ? proof : [],
        });
        return {
          next,
          slots: entries.map(({ key, value }) => ({ key, value: decodeSlotValue(value) })),
        };
      });
      const isAll = ranges.length === accounts.length && ranges.at(-1)?.next === undefined;
      if (!isAll) this.#rate(peer, sizeOf(lists.flat()));
      return ranges;
    });
  }

  async #readCodes(accounts: readonly KeyedAccount[]): Promise<readonly JoinedCode[]> {
    const wanted = new Set(accounts.map(({ account }) => account.codeHash));
    const missing = [...wanted].filter((hash) => !this.#codes.has(hash));
    const codes: JoinedCode[] = [];
    const groups = chunksOf(missing, CODES_PER_REQUEST);
    const read = mapConcurrent(groups, (group) => this.#readCodeGroup(group), {
      concurrency: CONCURRENCY,
    });
    for await (const group of read) codes.push(...group);
    for (const { hash } of codes) this.#codes.add(hash);
    return codes;
  }

  async #readCodeGroup(hashes: readonly Hash[]): Promise<readonly JoinedCode[]> {
    const found = new Map<Hash, Uint8Array>();
    while (found.size < hashes.length) {
      const left = hashes.filter((hash) => !found.has(hash));
      const codes = await this.#requestCodes(left);
      for (const { hash, code } of codes) found.set(hash, code);
    }
    return [...found].map(([hash, code]) => ({ hash, code }));
  }

  #requestCodes(hashes: readonly Hash[]): Promise<readonly JoinedCode[]> {
    return this.#ask(`the code ${hashes[0]}`, async (snap, peer) => {
      const codes = await snap.requestCodes({ hashes, bytes: RESPONSE_BYTES });
      const found = codes.map((code) => ({ hash: toHex(keccak256(code)), code }));
      const foreign = found.find(({ hash }) => !hashes.includes(hash));
      if (foreign !== undefined) {
        throw new PeerError(
          "breach-of-protocol",
          `it sent the code ${foreign.hash}, which was not requested`,
        );
      }
      if (found.length === 0) return undefined;
      const bytes = codes.reduce((sum, code) => sum + code.length, 0);
      if (found.length < hashes.length) this.#rate(peer, bytes);
      return found;
    });
  }

  #ask<T>(
    what: string,
    ask: (snap: SnapClient, peer: JoiningPeer) => Promise<T | undefined>,
  ): Promise<T> {
    const { peers, pivot } = this.#settings;
    return peers.ask({
      what: `${what} in the state of block ${pivot.header.number}`,
      isAble: (peer) => peer.snap !== undefined && headOf(peer) >= pivot.header.number,
      ask: (peer) => {
        if (peer.snap === undefined) throw new RequestFailed("it no longer offers snap/1");
        return ask(peer.snap, peer);
      },
    });
  }

  /** Notes how much a peer sent although there is more. */
  #rate(peer: JoiningPeer, bytes: number): void {
    if (bytes < SMALL_BYTES) this.#settings.peers.putOff(peer);
  }

  #note(piece: JoinedState): JoinedState {
    this.#settings.progressed(piece, piece.accounts.at(-1)?.key ?? FIRST_KEY);
    return piece;
  }
}

/** Whether a key is before an end; all are before none. */
function isBefore(key: Uint8Array, end: Uint8Array | undefined): boolean {
  return end === undefined || Buffer.compare(key, end) < 0;
}

function sizeOf(entries: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[]) {
  return entries.reduce((bytes, { key, value }) => bytes + key.length + value.length, 0);
}

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
