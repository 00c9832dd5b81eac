import {
  type Codec,
  DecodeError,
  decodeRlp,
  type Hash,
  type Header,
  InvalidTransaction,
  messageOf,
  RlpError,
  type SealedHeader,
  t,
  toQuantity,
} from "@plinth/core";
import { decodeBlock, decodeHeader, receiptFromRlp, sealHeader } from "@plinth/core/blocks";
import type { JoinedBlock } from "@plinth/core/chain";
import { findHeaderForm } from "@plinth/plugin-consensus-dev/api";
import { RemoteInconsistent } from "./errors.js";
import { headerJson } from "./header-json.js";
import { isUnsupported } from "./refusals.js";
import type { Remote } from "./remote.js";

/** BLOCKHASH reads as many blocks before the next one, the last of them the block itself. */
const MAX_ANCESTORS = 255n;
/** Nodes limit the calls of a batch, few to less than this. */
const CALLS_AT_ONCE = 100;

/** A block as nodes describe it. */
const description = t.object({
  hash: t.hash,
  parentHash: t.hash,
  number: t.quantity,
  totalDifficulty: t.optional(t.quantity),
  transactions: t.array(t.json),
});

/** A block of another network. */
export type RemoteBlock = ReturnType<typeof description.decode>;

/** Decodes what a node sent. */
export function decodeSent<T>(
  remote: Remote,
  codec: Pick<Codec<T>, "decode">,
  what: string,
  json: unknown,
): T {
  try {
    return codec.decode(json, what);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new RemoteInconsistent(remote.name, `it sent no ${what}: ${messageOf(error)}`, error);
  }
}

/** The chain id of a node. */
export async function readChainId(remote: Remote, signal?: AbortSignal): Promise<bigint> {
  return decodeSent(remote, t.quantity, "chain id", await remote.call("eth_chainId", [], signal));
}

/** A block by its number; the latest one by default. `undefined` if there is none. */
export async function findRemoteBlock(
  remote: Remote,
  number: bigint | undefined,
  signal?: AbortSignal,
): Promise<RemoteBlock | undefined> {
  const id = number === undefined ? "latest" : toQuantity(number);
  const json = await remote.call("eth_getBlockByNumber", [id, false], signal);
  if (json === null) return undefined;
  const block = decodeSent(remote, description, "block", json);
  if (number === undefined || block.number === number) return block;
  throw new RemoteInconsistent(remote.name, `for block ${number} it sends block ${block.number}`);
}

/** A header with the hash that the node names, which it must have. */
export async function readHeader(
  remote: Remote,
  { number, hash }: { readonly number: bigint; readonly hash: Hash },
  signal?: AbortSignal,
): Promise<SealedHeader> {
  const [header] = await readHeaders(remote, [number], signal);
  return verifyHash(remote, header, { number, hash });
}

/** The headers right before a block, in order. */
export async function readAncestors(
  remote: Remote,
  { number, parentHash }: SealedHeader,
  signal?: AbortSignal,
): Promise<readonly SealedHeader[]> {
  const first = number > MAX_ANCESTORS ? number - MAX_ANCESTORS : 1n;
  const numbers: bigint[] = [];
  for (let next = number - 1n; next >= first; next--) numbers.push(next);
  const headers: SealedHeader[] = [];
  let hash = parentHash;
  for (let start = 0; start < numbers.length; start += CALLS_AT_ONCE) {
    const some = numbers.slice(start, start + CALLS_AT_ONCE);
    const found = await readHeaders(remote, some, signal);
    for (const [index, at] of some.entries()) {
      const header = verifyHash(remote, found[index], { number: at, hash });
      headers.push(header);
      hash = header.parentHash;
    }
  }
  return headers.reverse();
}

/** Headers by their numbers: encoded if the node has the method, else from the description of their blocks. */
async function readHeaders(
  remote: Remote,
  numbers: readonly bigint[],
  signal: AbortSignal | undefined,
): Promise<readonly (Header | undefined)[]> {
  const ask = (method: string, ...rest: readonly unknown[]) =>
    remote.callAll(
      numbers.map((number) => ({ method, params: [toQuantity(number), ...rest] })),
      signal,
    );
  try {
    const sent = await ask("debug_getRawHeader");
    return sent.map((json) => decodeOrUndefined(decodeSent(remote, t.data, "header", json)));
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    return (await ask("eth_getBlockByNumber", false)).map((json) =>
      json === null ? undefined : decodeSent(remote, headerJson, "block", json),
    );
  }
}

/** The body and the receipts of a block; whether they are those of its header is for the reader to verify. */
export async function readBody(
  remote: Remote,
  { number, hash }: { readonly number: bigint; readonly hash: Hash },
  signal?: AbortSignal,
): Promise<JoinedBlock> {
  const id = toQuantity(number);
  const bytes = t.data;
  const block = decodeSent(
    remote,
    bytes,
    "block",
    await remote.call("debug_getRawBlock", [id], signal),
  );
  const items = decodeSent(
    remote,
    t.array(t.data),
    "receipts",
    await remote.call("debug_getRawReceipts", [id], signal),
  );
  try {
    const { body } = decodeBlock(block);
    return { body, receipts: items.map(toReceipt) };
  } catch (error) {
    if (!(error instanceof RlpError || error instanceof InvalidTransaction)) throw error;
    const problem = `block ${number} (${hash}) cannot be decoded: ${error.message}`;
    throw new RemoteInconsistent(remote.name, problem, error);
  }
}

/** A list, or the type and the list; Besu wraps the latter in another string. */
function toReceipt(bytes: Uint8Array) {
  const isTyped = (bytes[0] ?? 0) < 0x80;
  return receiptFromRlp(isTyped ? bytes : decodeRlp(bytes));
}

function verifyHash(
  remote: Remote,
  header: Header | undefined,
  { number, hash }: { readonly number: bigint; readonly hash: Hash },
): SealedHeader {
  if (header?.number === number && findHeaderForm(header, hash) !== undefined)
    return sealHeader(header, hash);
  throw new RemoteInconsistent(
    remote.name,
    `the header that it sends for block ${number} does not have the hash ${hash}; its head may have been replaced meanwhile, or its network has headers of another form`,
  );
}

function decodeOrUndefined(bytes: Uint8Array): Header | undefined {
  try {
    return decodeHeader(bytes);
  } catch (error) {
    if (error instanceof RlpError) return undefined;
    throw error;
  }
}
