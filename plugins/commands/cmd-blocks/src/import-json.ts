import { readFile } from "node:fs/promises";
import {
  DecodeError,
  hexToBytes,
  loadCrypto,
  messageOf,
  type OpenChain,
  type SealedHeader,
  type Transaction,
} from "@plinth/core";
import { decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { type BlockDescription, readDescriptions } from "./block-description.js";
import { failed, type ImportSettings } from "./import-settings.js";
import { Progress } from "./progress.js";

/** Produces the blocks that a file describes and adds them to the chain, without seals. */
export async function importJson(path: string, settings: ImportSettings): Promise<void> {
  const { blocks, flags, io, signal } = settings;
  if (blocks.finality === "instant") {
    throw failed(
      path,
      "Unable to create block using current consensus engine: its blocks need the votes of others",
    );
  }
  await loadCrypto();
  const descriptions = await read(path);
  const progress = new Progress(io, "Import");
  let time = BigInt(flags.startTime ?? Math.floor(Date.now() / 1000));
  for (const [index, description] of descriptions.entries()) {
    if (signal.aborted) break;
    const header = await makeBlock(description, { blocks, path, time });
    time = header.timestamp + 1n;
    await progress.add(header, (index + 1) / descriptions.length);
  }
  const count = progress.blocks.toLocaleString("en");
  await progress.end(
    `Imported: ${count} blocks of ${path}, the chain is at ${blocks.head().number}`,
  );
}

async function read(path: string): Promise<readonly BlockDescription[]> {
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw failed(path, cause.code === "ENOENT" ? "the file does not exist" : cause.message, cause);
  });
  try {
    return readDescriptions(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof DecodeError || error instanceof SyntaxError)) throw error;
    throw failed(path, messageOf(error), error);
  }
}

async function makeBlock(
  description: BlockDescription,
  on: { readonly blocks: OpenChain["blocks"]; readonly path: string; readonly time: bigint },
): Promise<SealedHeader> {
  const { blocks, path, time } = on;
  const parent = findParent(description, blocks);
  if (parent === undefined) {
    const wanted = description.parenthash ?? `number ${(description.number ?? 0n) - 1n}`;
    throw failed(path, `there is no block ${wanted} to build on`);
  }
  const candidates = sign(description, blocks, parent);
  const { extradata, coinbase } = description;
  const built = await blocks.build({
    parent,
    timestamp: time > parent.timestamp ? time : parent.timestamp + 1n,
    candidates,
    ...(extradata === undefined ? {} : { extraData: extradata }),
    ...(coinbase === undefined ? {} : { coinbase }),
  });
  const left = candidates.length - built.block.body.transactions.length;
  if (left > 0) {
    throw failed(path, `Unable to create block.  ${left} transaction(s) were found to be invalid.`);
  }
  return (await blocks.submit(built)).block.header;
}

/** By hash, otherwise by number, otherwise the head. */
function findParent(
  { parenthash, number }: BlockDescription,
  blocks: OpenChain["blocks"],
): SealedHeader | undefined {
  if (parenthash !== undefined) return blocks.findHeader(parenthash);
  return number === undefined ? blocks.head() : blocks.findHeader(number - 1n);
}

/** Nonces follow from the state; legacy transactions that are valid on any chain. */
function sign(
  { transactions }: BlockDescription,
  blocks: OpenChain["blocks"],
  parent: SealedHeader,
): readonly Transaction[] {
  const state = blocks.stateAt(parent);
  const nonces = new Map<string, bigint>();
  return transactions.map(({ secretkey, gaslimit, gasprice, to, value, data }) => {
    const key = hexToBytes(secretkey);
    const fields = {
      gasLimit: gaslimit,
      gasPrice: gasprice,
      to,
      value,
      data: data ?? new Uint8Array(),
    };
    const unsigned = { chainId: undefined, ...fields };
    // Its sender is only known once it is signed.
    const { sender } = decodeTransaction(signTransaction({ ...unsigned, nonce: 0n }, key));
    const nonce = nonces.get(sender) ?? state.findAccount(sender)?.nonce ?? 0n;
    nonces.set(sender, nonce + 1n);
    return decodeTransaction(signTransaction({ ...unsigned, nonce }, key));
  });
}
