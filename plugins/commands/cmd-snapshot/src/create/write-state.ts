import type { StateStore } from "@plinth/chain";
import { type Hash, type SealedHeader, yieldToLoop } from "@plinth/core";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import {
  createChunks,
  encodeCodes,
  formatPosition,
  type SnapshotWriter,
  type StatePosition,
} from "@plinth/kit-snapshot";
import type { Progress } from "../progress.js";

/** The size from which on the next file of codes is started, and the most codes of a file. */
const CODES_BYTES = 2 ** 20;
const MAX_CODES = 4096;

interface WriteContext {
  readonly states: StateStore;
  readonly writer: SnapshotWriter;
  readonly progress: Progress;
}

/** Writes the state after a block, and the codes of its accounts. */
export async function writeState(on: WriteContext, header: SealedHeader): Promise<void> {
  const { states, writer, progress } = on;
  const { source } = states.open(header);
  using _ready = await source.prepareTries({ lane: "guest", verify: () => progress.verify() });
  using tries = source.openTries();
  const findPreimage = (key: Hash) => states.findPreimage(key);
  const codes = new Set<Hash>();
  for (const chunk of createChunks({ root: header.stateRoot, tries, findPreimage })) {
    const { content, accounts, from, to } = chunk;
    for (const { account } of accounts) codes.add(account.codeHash);
    const end = to === undefined ? {} : { to: formatPosition(to) };
    await writer.add({ kind: "state", from: formatPosition(from), ...end }, content);
    progress.show("state", shareOf(to));
    await yieldToLoop();
  }
  codes.delete(EMPTY_CODE_HASH);
  await writeCodes(on, { hashes: [...codes].sort(), getCode: (hash) => source.getCode(hash) });
}

async function writeCodes(
  { writer, progress }: WriteContext,
  { hashes, getCode }: { readonly hashes: readonly Hash[]; getCode(hash: Hash): Uint8Array },
): Promise<void> {
  let codes: Uint8Array[] = [];
  let bytes = 0;
  for (const [index, hash] of hashes.entries()) {
    const code = getCode(hash);
    codes.push(code);
    bytes += code.length;
    const isLast = index === hashes.length - 1;
    if (!isLast && bytes < CODES_BYTES && codes.length < MAX_CODES) continue;
    await writer.add({ kind: "codes", count: codes.length }, encodeCodes(codes));
    progress.show("codes", (index + 1) / hashes.length);
    codes = [];
    bytes = 0;
  }
}

/** Keys are spread evenly, so the first bytes of one are the share that is before it. */
function shareOf(position: StatePosition | undefined): number {
  return position === undefined ? 1 : Buffer.from(position.account).readUInt32BE() / 2 ** 32;
}
