import type { Hash } from "@plinth/core";
import { type EnclaveClient, toBase64 } from "@plinth/kit-enclave";
import { fetchForExecution, unlessRefused } from "../markers/find-private-transaction.js";
import type { PrivateStore } from "../store/private-store.js";

/** Maximum number of payloads per query to the manager. */
const AT_ONCE = 1000;
const LAST_NUMBER = 2n ** 64n - 2n;

/** An executed private transaction and the location of its payload. */
interface Ran {
  readonly number: bigint;
  readonly marker: Hash;
  readonly payloadKey: Uint8Array;
}

/** Dependencies of `findObstacle`. */
export interface ObstacleSettings {
  readonly store: Pick<PrivateStore, "groupBlocks">;
  readonly enclave: EnclaveClient;
  /** The key of the payload that a marker names. */
  readonly payloadKeyOf: (marker: Hash) => Uint8Array | undefined;
}

/**
 * Why re-executing the private transactions of a group would not reproduce its state.
 *
 * The manager may have lost executed payloads, or the group; `undefined` if everything is available.
 */
export async function findObstacle(
  group: Uint8Array,
  settings: ObstacleSettings,
): Promise<string | undefined> {
  const { store, enclave, payloadKeyOf } = settings;
  let missing = 0;
  let first: Ran | undefined;
  let isVerified = false;
  let part: Ran[] = [];
  const check = async () => {
    const lost = await findMissing(part, enclave);
    missing += lost.length;
    first ??= lost[0];
    part = [];
  };
  const range = { from: 0n, to: LAST_NUMBER };
  for await (const { number, markers, roots } of store.groupBlocks(group, range)) {
    if (roots !== undefined)
      return "it is a flexible group, and this node currently runs the other kind";
    for (const marker of markers) {
      const payloadKey = payloadKeyOf(marker);
      if (payloadKey === undefined) continue;
      part.push({ number, marker, payloadKey });
      if (!isVerified && (await isOfUnknownGroup(payloadKey, enclave))) {
        return `its manager does not have the group ${toBase64(group)}`;
      }
      isVerified = true;
    }
    if (part.length >= AT_ONCE) await check();
  }
  if (part.length > 0) await check();
  if (first === undefined) return undefined;
  return `its manager lacks ${missing} executed payloads, the first of ${first.marker} in block ${first.number}`;
}

async function isOfUnknownGroup(payloadKey: Uint8Array, enclave: EnclaveClient): Promise<boolean> {
  return (await fetchForExecution(enclave, payloadKey)).kind === "unknown group";
}

async function findMissing(asked: readonly Ran[], enclave: EnclaveClient): Promise<readonly Ran[]> {
  const missing: Ran[] = [];
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const part = asked.slice(from, from + AT_ONCE);
    const here = await enclave.findHere(part.map(({ payloadKey }) => payloadKey));
    if (here === undefined) missing.push(...(await findUnread(part, enclave)));
    else {
      const names = new Set(here);
      missing.push(...part.filter(({ payloadKey }) => !names.has(toBase64(payloadKey))));
    }
  }
  return missing;
}

/** Fallback for a manager that must be queried for each payload. */
async function findUnread(asked: readonly Ran[], enclave: EnclaveClient): Promise<readonly Ran[]> {
  const missing: Ran[] = [];
  for (const ran of asked) {
    const found = await unlessRefused(() => enclave.receive(ran.payloadKey, undefined));
    if (found === undefined) missing.push(ran);
  }
  return missing;
}
