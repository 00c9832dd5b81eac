import { type Hash, toHex, yieldToLoop } from "@plinth/core";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { decodeChunk, decodeCodes, filesOf, SnapshotError } from "@plinth/kit-snapshot";
import type { VerifiedSnapshot } from "./verified-snapshot.js";

/** How much a state has. */
export interface StateCounts {
  readonly accounts: number;
  readonly slots: number;
}

/** Throws unless the files of state and codes are the whole state of the block. */
export async function verifyState(snapshot: VerifiedSnapshot): Promise<StateCounts> {
  const { source, manifest, progress, signal } = snapshot;
  const files = filesOf(manifest, "state");
  const codes = new Set<Hash>();
  let [accounts, slots] = [0, 0];
  let last = "";
  for (const [index, file] of files.entries()) {
    const chunk = decodeChunk(await source.read(file, { signal }), manifest.block.stateRoot, file);
    for (const { key, account, slots: some } of chunk.accounts) {
      codes.add(account.codeHash);
      slots += some.length;
      // An account is repeated for each part of its storage.
      if (toHex(key) !== last) accounts++;
      last = toHex(key);
    }
    progress.show("state", (index + 1) / files.length);
    await yieldToLoop();
  }
  codes.delete(EMPTY_CODE_HASH);
  await verifyCodes(snapshot, codes);
  return { accounts, slots };
}

async function verifyCodes(
  { source, manifest, progress, signal }: VerifiedSnapshot,
  missing: Set<Hash>,
): Promise<void> {
  const files = filesOf(manifest, "codes");
  for (const [index, file] of files.entries()) {
    for (const { hash } of decodeCodes(await source.read(file, { signal }), file)) {
      if (missing.delete(hash)) continue;
      throw invalid(`${file.name}: no account has the code ${hash}`);
    }
    progress.show("codes", (index + 1) / files.length);
  }
  const [first] = missing;
  if (first !== undefined) throw invalid(`${missing.size} codes are missing, such as ${first}`);
}

function invalid(message: string): SnapshotError {
  return new SnapshotError("SNAPSHOT_INVALID", { message });
}
