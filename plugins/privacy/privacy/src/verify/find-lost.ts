import type { Hash } from "@plinth/core";
import { type EnclaveClient, toBase64 } from "@plinth/kit-enclave";
import type { UnresolvedMarker } from "../markers/unresolved.js";
import type { UnresolvedMarkers } from "../markers/unresolved-markers.js";

/** Maximum number of payloads per query. */
const AT_ONCE = 1000;

/**
 * A marker of a private transaction that another manager has sent to ours, which does not have it.
 */
export interface LostMarker {
  readonly number: bigint;
  readonly marker: Hash;
}

/**
 * Asks other managers which of the markers without a local payload are for this node.
 *
 * The others are deleted once every manager has responded.
 */
export async function findLost({
  unresolved,
  enclave,
}: {
  readonly unresolved: UnresolvedMarkers;
  readonly enclave: Pick<EnclaveClient, "findLost" | "findHere">;
}): Promise<readonly LostMarker[]> {
  const found: UnresolvedMarker[] = [];
  let part: UnresolvedMarker[] = [];
  const ask = async () => {
    const asked = part;
    part = [];
    const keys = asked.map(({ payloadKey }) => payloadKey);
    const answer = await enclave.findLost(keys);
    const here = await enclave.findHere(keys);
    if (answer === undefined || here === undefined) return;
    const isAmong = (names: readonly string[]) => {
      const known = new Set(names);
      return ({ payloadKey }: UnresolvedMarker) => known.has(toBase64(payloadKey));
    };
    const isLost = isAmong(answer.lost);
    // Those that have arrived meanwhile are still pending.
    const isOurs = isAmong([...answer.lost, ...here]);
    const lost = asked.filter(isLost);
    found.push(...lost);
    await unresolved.update({
      kept: lost.map((entry) => ({ ...entry, isLost: true })),
      forgotten: answer.silent.length === 0 ? asked.filter((entry) => !isOurs(entry)) : [],
    });
  };
  for await (const entry of unresolved.all()) {
    if (entry.unknownGroup !== undefined) continue;
    part.push(entry);
    if (part.length === AT_ONCE) await ask();
  }
  if (part.length > 0) await ask();
  return found.map(({ number, marker }) => ({ number, marker }));
}
