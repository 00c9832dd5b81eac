import { type Hash, hexToBytes, type Log, t } from "@plinth/core";
import { keccakHash } from "@plinth/core/primitives";
import { type AbiMember, type AbiType, isDynamic, NAME, readMembers } from "./abi-type.js";
import { decodeJson, objectJson } from "./decode-json.js";

/** An event that the contracts of an ABI file emit. */
interface EventEntry {
  readonly contract: string;
  readonly name: string;
  readonly signature: string;
  readonly members: readonly (AbiMember & { readonly isIndexed: boolean })[];
}

/** A log with its meaning. */
export interface DecodedEvent {
  readonly contract: string;
  readonly name: string;
  readonly signature: string;
  /** The JSON of an object: the parameters by their names. */
  readonly json: string;
}

const item = t.object({
  type: t.optional(t.text),
  name: t.optional(t.text, ""),
  anonymous: t.optional(t.boolean, false),
  inputs: t.optional(t.array(t.json), []),
});
const indexed = t.object({ indexed: t.optional(t.boolean, false) });

/** PostgreSQL has no zero characters in texts, and no halves of characters. */
const CONTRACT = /^[^\0\p{Surrogate}]{1,255}$/u;
const MAX_PARAMETERS = 1000;

/** The events of ABI files, by which logs are decoded. */
export class EventBook {
  readonly #entries = new Map<string, EventEntry>();

  /** Adds the events of a contract; throws if one is invalid. Earlier contracts win. */
  add(contract: string, abi: readonly unknown[]): void {
    if (!CONTRACT.test(contract)) {
      throw new RangeError(`${JSON.stringify(contract)} is not the name of a contract`);
    }
    for (const json of abi) {
      const { type, name, anonymous, inputs } = item.decode(json);
      if (type !== "event" || anonymous) continue;
      if (!NAME.test(name))
        throw new RangeError(`${JSON.stringify(name)} is not the name of an event`);
      const budget = { parameters: MAX_PARAMETERS };
      const members = readMembers(inputs, budget).map((member, index) => ({
        ...member,
        isIndexed: indexed.decode(inputs[index]).indexed,
      }));
      const signature = `${name}(${members.map(({ canonical }) => canonical).join(",")})`;
      const key = keyOf(
        keccakHash(Buffer.from(signature)),
        members.filter(({ isIndexed }) => isIndexed).length,
      );
      if (!this.#entries.has(key)) {
        this.#entries.set(key, { contract, name, signature, members });
      }
    }
  }

  /** The first topics of all events. */
  get topics(): readonly Hash[] {
    return [...new Set([...this.#entries.keys()].map((key) => key.split(" ")[0] as Hash))];
  }

  /** Identifies the events; `undefined` if there are none. */
  get hash(): Hash | undefined {
    if (this.#entries.size === 0) return undefined;
    const entries = [...this.#entries].map(([key, { contract, members }]) => [
      ...[key, contract],
      members.map(({ name, canonical, isIndexed }) => [name, canonical, isIndexed]),
    ]);
    return keccakHash(Buffer.from(JSON.stringify(entries)));
  }

  /** The event of a log; `undefined` if no file has it, or its data is not what the file says. */
  decode({ topics, data }: Pick<Log, "topics" | "data">): DecodedEvent | undefined {
    const [first, ...rest] = topics;
    const entry = first && this.#entries.get(keyOf(first, rest.length));
    if (entry === undefined) return undefined;
    const { contract, name, signature, members } = entry;
    const values = decodeJson(
      data,
      members.filter(({ isIndexed }) => !isIndexed),
    );
    if (values === undefined) return undefined;
    const [fromTopics, fromData] = [rest.values(), values.values()];
    const all = members.map(({ type, isIndexed }) => {
      const value = isIndexed ? topicJson(fromTopics.next().value, type) : fromData.next().value;
      return value ?? "null";
    });
    return { contract, name, signature, json: objectJson(members, all) };
  }
}

/** A value in a topic; of texts, data, lists and structs there is only the hash. */
function topicJson(topic: Hash | undefined, type: AbiType): string | undefined {
  if (topic === undefined) return undefined;
  if (isDynamic(type) || type.kind === "list" || type.kind === "tuple")
    return JSON.stringify(topic);
  return decodeJson(hexToBytes(topic), [{ name: "", type, canonical: "" }])?.[0];
}

function keyOf(topic: Hash, indexedCount: number): string {
  return `${topic} ${indexedCount}`;
}
