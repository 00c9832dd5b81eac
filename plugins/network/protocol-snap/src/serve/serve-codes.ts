import { type BlockReader, type Rlp, Yielder } from "@plinth/core";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import type { ByteCodesRequest } from "../messages.js";
import { MAX_LOOKUPS, responseBytes, startTime } from "./limits.js";

/** Codes in the order of the request; unknown ones are omitted. */
export async function serveCodes(
  blocks: BlockReader,
  request: ByteCodesRequest,
): Promise<readonly Rlp[]> {
  const isOver = startTime();
  const maxBytes = responseBytes(request.bytes);
  const turns = new Yielder();
  const codes: Uint8Array[] = [];
  let bytes = 0;
  for (const hash of request.hashes.slice(0, MAX_LOOKUPS)) {
    if (bytes > maxBytes || isOver()) break;
    if (turns.isDue) await turns.yield();
    const code = hash === EMPTY_CODE_HASH ? new Uint8Array() : blocks.findCode(hash);
    if (code === undefined) continue;
    codes.push(code);
    bytes += code.length;
  }
  return [codes];
}
