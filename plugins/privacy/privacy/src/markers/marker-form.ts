import type { SealedBlock } from "@plinth/core";
import type { EnclaveClient } from "@plinth/kit-enclave";
import { fetchFlexible } from "../flexible/fetch-flexible.js";
import { type Fetched, fetchForExecution } from "./find-private-transaction.js";
import { flexibleMarkersOf, type Marker, markersOf } from "./marker.js";

/** Requests to the manager for the private transactions of a block. */
export type AskedManager = Pick<EnclaveClient, "receive" | "retrieveGroup" | "findGroupEver">;

/** How markers name private transactions. */
export interface MarkerForm {
  /** The markers of a block, in order. */
  markersOf(block: SealedBlock): readonly Marker[];
  /** Fetches the private transaction behind a marker; rejects if the manager is unavailable. */
  fetch(enclave: AskedManager, payloadKey: Uint8Array): Promise<Fetched>;
}

/** Form for groups that are managed by the managers. */
export const ORDINARY: MarkerForm = { markersOf, fetch: fetchForExecution };

/** Form for groups that manage their members by contract. */
export const FLEXIBLE: MarkerForm = { markersOf: flexibleMarkersOf, fetch: fetchFlexible };
