import { type CommandIo, DecodeError, type Hash, PlinthError } from "@plinth/core";
import { printable } from "@plinth/kit-rpc";
import { describeReceipt, isSuccess } from "./describe-receipt.js";
import { type FoundReceipt, findStatus } from "./find-receipt.js";
import type { NodeLink } from "./node-link.js";
import { type PrivateReceipt, privateReceipt } from "./private-receipt.js";

const DONE = 0;
/** Exit code if it failed, or there is no receipt. */
const NOT_DONE = 1;

/** Prints a receipt, or why there is none; returns the exit code. */
export async function writeReceipt(
  found: FoundReceipt,
  parts: {
    readonly hash: Hash;
    readonly link: NodeLink;
    readonly io: Pick<CommandIo, "write">;
    readonly json: boolean;
  },
): Promise<number> {
  const { hash, link, io, json } = parts;
  if (found.json === undefined) {
    const { missing } = found;
    const text = json
      ? JSON.stringify({ commitmentHash: hash, missing })
      : `No private receipt for ${hash}: ${missing}.`;
    await io.write(text);
    return NOT_DONE;
  }
  const receipt = readReceipt(found.json, link);
  const failed = !isSuccess(receipt);
  const status = failed && !json ? await findStatus(link, hash) : undefined;
  await io.write(json ? JSON.stringify(found.json) : describeReceipt(receipt, status));
  return failed ? NOT_DONE : DONE;
}

function readReceipt(json: object, { url }: NodeLink): PrivateReceipt {
  try {
    return privateReceipt.decode(json, "receipt");
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new PlinthError("NODE_SILENT", {
      message: printable(
        `The node at ${url} returned an invalid private receipt: ${error.message}`,
      ),
    });
  }
}
