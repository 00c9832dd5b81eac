import {
  decodeRlp,
  encodeRlp,
  type Hash,
  hexToBytes,
  type Rlp,
  RlpError,
  Yielder,
} from "@plinth/core";
import { Fields, scalarBytes } from "@plinth/core/blocks";
import { decodeFirst, rlpItems } from "@plinth/core/primitives";

/** Codec of a message of one version; decoding throws `RlpError` if it is malformed. */
export interface MessageCodec<T> {
  readonly code: number;
  readonly name: string;
  encode(message: T): Uint8Array;
  decode(payload: Uint8Array): T;
}

/** A request or response: both carry the request id. */
export interface Tagged<T> {
  readonly id: bigint;
  readonly body: T;
}

/** Codec of a request or response. */
export interface TaggedCodec<T> extends MessageCodec<Tagged<T>> {
  /** Decodes a possibly long message with a limited number of list items; yields in between. */
  decodeInTurns(payload: Uint8Array, most?: number): Promise<Tagged<T>>;
}

/**
 * Limit for the number of RLP items: those of transfers and withdrawals are longer on average, and
 * a message has few others.
 */
const LIMITS = { minItemBytes: 6, smallItems: 1_024 };

/** Codec of the body of a message. */
interface Form<T> {
  toRlp(message: T): Rlp;
  fromRlp(item: Rlp, name: string): T;
  /** Decodes the item in turns with others; at once if omitted. */
  fromBytes?(bytes: Uint8Array, name: string, most?: number): Promise<T>;
}

/** An unsolicited message. */
export function notice<T>(code: number, name: string, form: Form<T>): MessageCodec<T> {
  return {
    code,
    name,
    encode: (message) => encodeRlp(form.toRlp(message)),
    decode: (payload) => form.fromRlp(decodeRlp(payload, LIMITS), name),
  };
}

/** A request or response: `[id, body]`. */
export function tagged<T>(code: number, name: string, form: Form<T>): TaggedCodec<T> {
  return {
    code,
    name,
    encode: ({ id, body }) => encodeRlp([scalarBytes(id), form.toRlp(body)]),
    decode(payload) {
      const fields = new Fields(name, decodeRlp(payload, LIMITS));
      const id = fields.uint64("id");
      const body = form.fromRlp(fields.item("body"), name);
      fields.verifyEnd();
      return { id, body };
    },
    async decodeInTurns(payload, most) {
      const items = rlpItems(payload);
      const { value: idBytes } = items.next();
      const { value: bodyBytes } = items.next();
      if (idBytes === undefined || bodyBytes === undefined || items.next().done !== true) {
        throw new RlpError(`${name}: expected an id and a body`);
      }
      const id = new Fields(name, [decodeRlp(idBytes)]).uint64("id");
      return { id, body: await readInTurns(form, bodyBytes, name, most) };
    },
  };
}

async function readInTurns<T>(
  form: Form<T>,
  bytes: Uint8Array,
  name: string,
  most: number | undefined,
): Promise<T> {
  if (form.fromBytes !== undefined) return form.fromBytes(bytes, name, most);
  return form.fromRlp(decodeRlp(bytes, LIMITS), name);
}

/** A list whose items have one form. */
export function listOf<T>(
  toRlp: (item: T) => Rlp,
  fromRlp: (item: Rlp) => T,
  fromBytes: (bytes: Uint8Array) => T | Promise<T> = (bytes) => fromRlp(decodeRlp(bytes, LIMITS)),
): Form<readonly T[]> {
  return {
    toRlp: (items) => items.map(toRlp),
    fromRlp: (item, name) => new Fields(name, [item]).list("body").map((each) => fromRlp(each)),
    async fromBytes(bytes, name, most = Number.POSITIVE_INFINITY) {
      const turns = new Yielder();
      const items: T[] = [];
      for (const item of rlpItems(bytes)) {
        if (items.length >= most) throw new RlpError(`${name}: more than ${most} items`);
        items.push(await fromBytes(item));
        if (turns.isDue) await turns.yield();
      }
      return items;
    },
  };
}

/** A list of hashes. */
export const hashes: Form<readonly Hash[]> = {
  toRlp: (items) => items.map((hash) => hexToBytes(hash)),
  fromRlp: (item, name) => new Fields(name, [item]).hashes("hashes"),
};

/** The id of a response, without decoding the rest of it. */
export function readId(payload: Uint8Array): bigint {
  return new Fields("answer", [decodeFirst(payload)]).uint64("id");
}
