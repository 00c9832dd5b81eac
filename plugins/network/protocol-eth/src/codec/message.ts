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

/** How a message of one version is written and read; what has not the right form throws `RlpError`. */
export interface MessageCodec<T> {
  readonly code: number;
  readonly name: string;
  encode(message: T): Uint8Array;
  decode(payload: Uint8Array): T;
}

/** A message that asks for something or answers: both carry the id of the request. */
export interface Tagged<T> {
  readonly id: bigint;
  readonly body: T;
}

/** How a request or an answer is written and read. */
export interface TaggedCodec<T> extends MessageCodec<Tagged<T>> {
  /** Decodes a message that may be long, with at most so many items in its list; others run in between. */
  decodeInTurns(payload: Uint8Array, most?: number): Promise<Tagged<T>>;
}

/** What peers may send: items of transfers and withdrawals are longer on average, and a message has few others. */
const LIMITS = { minItemBytes: 6, smallItems: 1_024 };

/** How the body of a message is written and read. */
interface Form<T> {
  toRlp(message: T): Rlp;
  fromRlp(item: Rlp, name: string): T;
  /** Reads the encoded item, in turns with others; at once when left out. */
  fromBytes?(bytes: Uint8Array, name: string, most?: number): Promise<T>;
}

/** A message that is sent without being asked for. */
export function notice<T>(code: number, name: string, form: Form<T>): MessageCodec<T> {
  return {
    code,
    name,
    encode: (message) => encodeRlp(form.toRlp(message)),
    decode: (payload) => form.fromRlp(decodeRlp(payload, LIMITS), name),
  };
}

/** A request or an answer: `[id, body]`. */
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

/** The id of an answer, without reading the rest of it. */
export function readId(payload: Uint8Array): bigint {
  return new Fields("answer", [decodeFirst(payload)]).uint64("id");
}
