import { type BlockNumberOrTag, type Codec, DecodeError, type Hash, t } from "@plinth/core";
import type { LogCriteria } from "@plinth/core/chain";

/** A filter of logs, and the range of blocks. */
export interface LogQuery {
  readonly criteria: LogCriteria;
  readonly fromBlock: BlockNumberOrTag;
  readonly toBlock: BlockNumberOrTag;
  /** Instead of the range. */
  readonly blockHash: Hash | undefined;
}

const fields = t.object({
  fromBlock: t.optional(t.blockNumber),
  toBlock: t.optional(t.blockNumber),
  blockHash: t.optional(t.hash),
  blockhash: t.optional(t.hash),
  address: t.optional(oneOrMore(t.address), []),
  addresses: t.optional(t.array(t.address), []),
  topics: t.optional(oneOrMore(t.optional(oneOrMore(t.optional(t.hash)), [])), []),
});

/**
 * Maximum number of addresses, and of topics per position, in a query: more than any indexer
 * requests at once.
 */
export const MAX_LOG_VALUES = 4096;
const TOO_MANY = `Invalid filter params: more than ${MAX_LOG_VALUES} addresses or topics per position`;

const query: Codec<LogQuery> = {
  decode: (json, path = "", reading) => toQuery(fields.decode(json, path, reading), path),
  encode({ criteria, fromBlock, toBlock, blockHash }) {
    if (blockHash !== undefined) return { ...criteria, blockHash };
    const { encode } = t.blockNumber;
    return { ...criteria, fromBlock: encode(fromBlock), toBlock: encode(toBlock) };
  },
  schema: fields.schema,
};

/** A filter object; `address` and `addresses` are synonyms. */
export const logQuery: Codec<LogQuery> = limited(t.withText(query, "Invalid filter params"));

/** Counts values before they are decoded, which takes a while if there are many. */
function limited(codec: Codec<LogQuery>): Codec<LogQuery> {
  return {
    ...codec,
    decode(json, path = "", reading) {
      const { address, addresses, topics } = Object(json);
      const lists = [address, addresses, topics, ...(Array.isArray(topics) ? topics : [])];
      const isTooLong = lists.some((list) => Array.isArray(list) && list.length > MAX_LOG_VALUES);
      if (isTooLong) throw new DecodeError(path, "fewer values", TOO_MANY);
      return codec.decode(json, path, reading);
    },
  };
}

function toQuery(found: ReturnType<typeof fields.decode>, path: string): LogQuery {
  const { fromBlock, toBlock, address, addresses } = found;
  const blockHash = found.blockHash ?? found.blockhash;
  if (blockHash !== undefined && (fromBlock !== undefined || toBlock !== undefined)) {
    throw new DecodeError(path, "either blockHash or a range");
  }
  return {
    criteria: { addresses: [...address, ...addresses], topics: found.topics.map(alternatives) },
    fromBlock: fromBlock ?? "latest",
    toBlock: toBlock ?? "latest",
    blockHash,
  };
}

/** A null among alternatives makes the position match anything. */
function alternatives(position: readonly (Hash | undefined)[]): readonly Hash[] {
  const topics = position.filter((topic) => topic !== undefined);
  return topics.length === position.length ? topics : [];
}

/** A list, or a single value instead of a list of one. */
function oneOrMore<T>(codec: Codec<T>): Codec<readonly T[]> {
  const list = t.array(codec);
  return {
    decode: (json, path, reading) =>
      Array.isArray(json) ? list.decode(json, path, reading) : [codec.decode(json, path, reading)],
    encode: list.encode,
    schema: { oneOf: [codec.schema, list.schema] },
  };
}
