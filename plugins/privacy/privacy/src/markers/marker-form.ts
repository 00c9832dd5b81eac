import type { SealedBlock } from "@plinth/core";
import type { EnclaveClient } from "@plinth/kit-enclave";
import { fetchFlexible } from "../flexible/fetch-flexible.js";
import { type Fetched, fetchForExecution } from "./find-private-transaction.js";
import { flexibleMarkersOf, type Marker, markersOf } from "./marker.js";

/** What a manager is asked for the private transactions of a block. */
export type AskedManager = Pick<EnclaveClient, "receive" | "retrieveGroup" | "findGroupEver">;

/** How markers name private transactions. */
export interface MarkerForm {
  /** The markers of a block, in order. */
  markersOf(block: SealedBlock): readonly Marker[];
  /** Fetches the private transaction behind a marker; rejects where the manager cannot say. */
  fetch(enclave: AskedManager, payloadKey: Uint8Array): Promise<Fetched>;
}

/** Groups are those of the managers. */
export const ORDINARY: MarkerForm = { markersOf, fetch: fetchForExecution };

/** Groups manage their members by contract. */
export const FLEXIBLE: MarkerForm = { markersOf: flexibleMarkersOf, fetch: fetchFlexible };
